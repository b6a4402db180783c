import type * as z from 'zod';
import type { Operation } from '../api/operation.ts';
import { type Input, type OperationId, operations, type Reply } from '../api/operations.ts';
import { checkIdempotencyKey, checkInput, type NameOf } from './check.ts';
import { DryRun } from './dry-run.ts';
import { BadReplyError, MailerError } from './errors.ts';
import { type ExchangeTools, exchange } from './exchange.ts';
import { readReply } from './reply.ts';
import { buildRequest } from './request.ts';

export interface CallOptions {
  /** The key under which the service recognises a repetition; made up when none is given. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the key was made for this call; so it is when none is given. */
  readonly keyIsNew?: boolean;
  readonly nameOf?: NameOf | undefined;
  /**
   * Milliseconds since 1970 at which the call is over: no request lasts longer, and no pause before
   * another try. None when absent.
   */
  readonly deadline?: number | undefined;
}

export interface ClientOptions {
  readonly baseUrl: string;
  /** Called once the input has been checked, so that usage errors need no key. */
  readonly apiKey: () => Promise<string>;
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
}

/** Stands for the key in a request that is only shown. */
const hiddenKey = '***';

/** A client of one account on one service. */
export function createClient(client: ClientOptions): Client {
  return {
    async call<Id extends OperationId>(id: Id, input: Input<Id>, options: CallOptions = {}) {
      // TypeScript cannot follow one operation out of the union; its reply schema is Reply<Id>'s.
      const operation = operations[id] as unknown as Operation & { reply: z.ZodType<Reply<Id>> };
      const checked = checkInput(operation, input, options.nameOf);
      const showOnly = client.dryRun && operation.effect === 'writes';
      const idempotencyKey = keyFor(operation, options, client.uuid);
      const request = buildRequest(operation, checked, client.baseUrl, {
        apiKey: showOnly ? hiddenKey : await client.apiKey(),
        userAgent: client.userAgent,
        idempotencyKey,
      });
      if (showOnly) throw new DryRun(request);
      try {
        const { baseUrl, timeout, retries } = client;
        const policy = {
          baseUrl,
          timeout,
          retries,
          deadline: options.deadline,
          repeat: operation.repeat,
          keyIsNew:
            idempotencyKey !== undefined &&
            (options.keyIsNew ?? options.idempotencyKey === undefined),
        };
        const reply = await exchange(request, policy, await client.tools());
        return readReply(reply, operation, baseUrl);
      } catch (error) {
        throw withOutcome(error, operation, idempotencyKey);
      }
    },
  };
}

function keyFor(
  operation: Operation,
  options: CallOptions,
  uuid: () => string,
): string | undefined {
  if (operation.repeat !== 'keyed') return undefined;
  return options.idempotencyKey === undefined
    ? uuid()
    : checkIdempotencyKey(options.idempotencyKey);
}

/** Adds to an error what somebody needs to know who cannot tell whether a write went through. */
function withOutcome(
  error: unknown,
  operation: Operation,
  idempotencyKey: string | undefined,
): unknown {
  if (!(error instanceof MailerError)) return error;
  // What only reads has no outcome that anybody could miss.
  if (operation.effect !== 'writes') {
    error.outcomeUnknown = false;
    return error;
  }
  // A 2xx answer that cannot be read: the service has most likely done it.
  if (error instanceof BadReplyError && isSuccess(error.details.status))
    error.outcomeUnknown = true;
  if (!error.outcomeUnknown) return error;
  const hint = [error.details.hint, hintWhenUnknown[operation.repeat]].filter(Boolean).join(' ');
  error.details = { ...error.details, idempotencyKey, hint };
  return error;
}

function isSuccess(status: number | undefined): boolean {
  return status !== undefined && status >= 200 && status < 300;
}

const hintWhenUnknown = {
  keyed: 'It may have been accepted all the same. Repeat it only with this idempotency key.',
  harmless: 'It may have been carried out all the same; running the command again does no harm.',
  unsent: 'It may have been carried out all the same. Look before you run the command again.',
} as const;
