import type * as z from 'zod';
import { loadOperation } from '../../api/load-operation.ts';
import type { Operation } from '../../api/operation.ts';
import type { Input, OperationId, Reply } from '../../api/operations.ts';
import { MailerError } from '../errors.ts';
import type { WireReply } from '../system/wire.ts';
import { checkIdempotencyKey, checkInput, type NameOf } from './check.ts';
import { DryRun } from './dry-run.ts';
import { type ExchangeTools, exchange } from './exchange.ts';
import { withOutcome } from './outcome.ts';
import { readReply } from './reply.ts';
import { type AnyRequest, buildRequest, pathOf } from './request.ts';
import { unusualKeyFormat } from './unusual-key.ts';

export interface SendOptions {
  /** The key under which the service recognises a repetition; made up when none is given. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the key was made for this call; so it is when none is given. */
  readonly keyIsNew?: boolean;
  /**
   * When the call is over, by the monotonic clock: no request lasts longer, and no pause before
   * another try. Never when absent.
   */
  readonly deadline?: number | undefined;
  /** Waited for before every request, repetitions too. */
  readonly turn?: (() => Promise<void>) | undefined;
  /**
   * Called when a request is about to leave, repetitions and redirected ones too; what it throws
   * ends the call.
   */
  readonly leaves?: (() => void) | undefined;
  /** Called with each answer as it comes, also to requests that are repeated. */
  readonly heard?: ((reply: WireReply) => void) | undefined;
}

export interface CallOptions extends SendOptions {
  readonly nameOf?: NameOf | undefined;
}

export interface ClientOptions {
  readonly baseUrl: string;
  /** Called once the input has been checked, so that usage errors need no key. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly userAgent: string;
  /** For each request, in milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /** With it, a writing operation is checked and built, then thrown as a `DryRun`. */
  readonly dryRun: boolean;
  /** Opens the transport; called only when something is to be sent. */
  readonly tools: () => Promise<ExchangeTools>;
  readonly uuid: () => string;
}

export interface Client {
  /**
   * Carries out one operation. Throws a `UsageError` before anything is sent when the input breaks
   * the contract, and otherwise the typed error of what went wrong.
   */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Reply<Id>>;
  /**
   * Sends any request and returns what `read` makes of a 2xx answer. One that the contract knows is
   * repeated as its operation is; of others, what may have been carried out is not repeated. With
   * `dryRun` a reading request is not sent either. Throws like `call`.
   */
  send<Value>(request: AnyRequest, read: Read<Value>, options?: SendOptions): Promise<Value>;
}

/** Makes of a 2xx answer what is wanted of it, or throws a `BadReplyError`. */
export type Read<Value> = (reply: WireReply, baseUrl: string) => Value;

/** A request with the rules for it. */
type Ruled = AnyRequest & Pick<Operation, 'effect' | 'repeat' | 'beyond'>;

/** Stands for the key in a request that is only shown. */
const hiddenKey = '***';

/** A client of one account on one service. */
export function createClient(client: ClientOptions): Client {
  const { baseUrl, timeout, retries } = client;

  async function deliver<Value>(
    ruled: Ruled,
    read: Read<Value>,
    options: SendOptions,
    showOnly: boolean,
  ): Promise<Value> {
    const idempotencyKey = keyFor(ruled, options, client.uuid);
    const apiKey = showOnly ? hiddenKey : await client.apiKey();
    const request = buildRequest(ruled, baseUrl, {
      apiKey,
      userAgent: client.userAgent,
      idempotencyKey,
    });
    if (showOnly) throw new DryRun(request);
    try {
      const isNew = options.keyIsNew ?? options.idempotencyKey === undefined;
      const keyIsNew = idempotencyKey !== undefined && isNew;
      const { deadline, turn, leaves, heard } = options;
      const { repeat, beyond } = ruled;
      const limits = { timeout, retries, deadline };
      const policy = { baseUrl, ...limits, turn, leaves, heard, repeat, beyond, keyIsNew };
      const reply = await exchange(request, policy, await client.tools());
      return read(reply, baseUrl);
    } catch (error) {
      if (error instanceof MailerError) {
        error.request = ruled;
        if (error.details.status === 500) blameKey(error, apiKey);
      }
      throw withOutcome(error, ruled, idempotencyKey);
    }
  }

  return {
    async call<Id extends OperationId>(id: Id, input: Input<Id>, options: CallOptions = {}) {
      // TypeScript cannot follow one operation out of the union; its reply schema is Reply<Id>'s.
      const operation = (await loadOperation(id)) as unknown as Operation & {
        reply: z.ZodType<Reply<Id>>;
      };
      const { method, effect, repeat, beyond } = operation;
      const checked = checkInput(operation, input, { nameOf: options.nameOf });
      const path = pathOf(operation, checked);
      const body = checked.body === undefined ? undefined : JSON.stringify(checked.body);
      const showOnly = client.dryRun && effect === 'writes';
      const read = (reply: WireReply) => readReply(reply, operation, baseUrl);
      const ruled = { method, path, body, effect, repeat, beyond };
      return await deliver(ruled, read, options, showOnly);
    },
    async send(request, read, options = {}) {
      const { rulesOf } = await import('./request-rules.ts');
      const ruled = { ...request, ...rulesOf(request) };
      return await deliver(ruled, read, options, client.dryRun);
    },
  };
}

function keyFor(
  { repeat }: Ruled,
  { idempotencyKey }: SendOptions,
  uuid: () => string,
): string | undefined {
  if (idempotencyKey !== undefined) return checkIdempotencyKey(idempotencyKey);
  return repeat === 'keyed' ? uuid() : undefined;
}

/** In the message, since what to do about an unknown outcome takes the place of other hints. */
function blameKey(error: MailerError, apiKey: string | undefined): void {
  const oddForm = apiKey === undefined ? undefined : unusualKeyFormat(apiKey);
  if (oddForm === undefined) return;
  error.message = `${error.message.replace(/\.$/, '')}. ${oddForm}`;
  error.details = { ...error.details, hint: 'Check that you copied the whole API key.' };
}
