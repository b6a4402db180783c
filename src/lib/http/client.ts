import type * as z from 'zod';
import { loadOperation } from '../../api/load-operation.ts';
import type { Operation, Repeat } from '../../api/operation.ts';
import type { Input, OperationId, Reply } from '../../api/operations.ts';
import { BadReplyError, type Problem, problemOf } from '../errors.ts';
import type { WireReply, WireRequest } from '../system/wire.ts';
import { checkIdempotencyKey, checkInput, type NameOf } from './check.ts';
import { DryRun } from './dry-run.ts';
import { type ExchangeOptions, type ExchangeTools, exchange } from './exchange.ts';
import type { Cleared, Departure, Guard, Whole } from './guard.ts';
import { acceptedValue, type Exchanged, type Unaccepted } from './outcome.ts';
import { readReply } from './reply.ts';
import { type AnyRequest, buildRequest, pathOf } from './request.ts';
import { unusualKeyFormat } from './unusual-key.ts';

export interface SendOptions extends ExchangeOptions {
  /** The key by which the service recognises a repetition; a new one when none is given. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the key was made for this call; so it is when none is given. */
  readonly keyIsNew?: boolean;
  /** When it may be repeated, where that depends on more than the operation; for `send`. */
  readonly repeat?: Repeat | undefined;
  /** The digest that the request must have: see `requestDigest`. It is its idempotency key, too. */
  readonly expect?: string | undefined;
  /** The digest of the whole that this request is a part of; its own where there is none. */
  readonly digest?: string | undefined;
  readonly whole?: Whole | undefined;
  /** Replaces the hint for an unknown outcome; a function, where the key makes it safe to repeat. */
  readonly hintIfUnknown?: string | ((idempotencyKey: string) => string) | undefined;
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
  /** What every request that writes has to pass. */
  readonly guard: () => Promise<Guard>;
}

export interface Client {
  /** Carries out one operation. Invalid input is a `UsageError`, and nothing is sent. */
  call<Id extends OperationId>(id: Id, input: Input<Id>, options?: CallOptions): Promise<Reply<Id>>;
  /**
   * Sends any request and returns its outcome, with what `read` makes of a 2xx response. An operation
   * of the contract is retried by its own rules, another request that writes only if it was not carried
   * out. With `dryRun` a reading request is not sent either. Throws before anything is sent like `call`.
   */
  send<Value>(
    request: AnyRequest,
    read: Read<Value>,
    options?: SendOptions,
  ): Promise<Exchanged<Value>>;
}

/** Makes of a 2xx response what is wanted of it, or throws a `BadReplyError`. */
type Read<Value> = (reply: WireReply, baseUrl: string) => Value;

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
  ): Promise<Exchanged<Value>> {
    const { expect, hintIfUnknown, whole } = options;
    const given = options.idempotencyKey ?? (ruled.repeat === 'keyed' ? expect : undefined);
    const { keyIsNew = given === undefined } = options;
    const cleared = await clear({
      request: ruled,
      idempotencyKey: keyFor(ruled, given, client.uuid),
      whole,
      showOnly,
    });
    const { idempotencyKey } = cleared;
    const { userAgent } = client;
    const build = (apiKey: string | undefined) =>
      buildRequest(cleared.request, baseUrl, { apiKey, userAgent, idempotencyKey });
    if (expect !== undefined) {
      const { assertDigest, requestDigest } = await import('./request-digest.ts');
      assertDigest(options.digest ?? requestDigest(build(undefined)), expect);
    }
    if (showOnly) throw await dryRunOf(build(hiddenKey), cleared, options.digest);
    const apiKey = await client.apiKey();
    const request = build(apiKey);
    const { repeat, beyond } = ruled;
    const isNew = idempotencyKey !== undefined && keyIsNew;
    const policy = { ...options, baseUrl, timeout, retries, repeat, beyond, keyIsNew: isNew };
    const tools = await client.tools();
    const settle = cleared.leaves();
    const exchanged = await exchange(request, policy, tools);
    settle(exchanged.outcome);
    const received =
      exchanged.outcome === 'accepted' ? readBy(read, exchanged.value, baseUrl) : exchanged;
    if (received.outcome === 'accepted') return received;
    return explained(received, ruled, { apiKey, idempotencyKey, hintIfUnknown });
  }

  /** What leaves in place of a request, once the policy allows it. */
  async function clear(
    departure: Omit<Departure, 'call'> & { readonly request: Ruled },
  ): Promise<Cleared> {
    const { request, idempotencyKey } = departure;
    if (request.effect === 'reads') return unguarded(request, idempotencyKey);
    const guard = await client.guard();
    return await guard({ ...departure, call });
  }

  const call: Client['call'] = async <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: CallOptions = {},
  ) => {
    // TypeScript cannot follow one operation out of the union; its reply schema is Reply<Id>'s.
    const operation = (await loadOperation(id)) as unknown as Operation & {
      reply: z.ZodType<Reply<Id>>;
    };
    const { method, effect, repeat, beyond } = operation;
    const checked = checkInput(operation, input, options.nameOf);
    const path = pathOf(operation, checked);
    const body = checked.body === undefined ? undefined : JSON.stringify(checked.body);
    const showOnly = client.dryRun && effect === 'writes';
    const read = (reply: WireReply) => readReply(reply, operation, baseUrl);
    const ruled = { method, path, body, effect, repeat, beyond };
    return acceptedValue(await deliver(ruled, read, options, showOnly));
  };

  return {
    call,
    async send(request, read, options = {}) {
      const { rulesOf } = await import('./request-rules.ts');
      const rules = rulesOf(request);
      const ruled = { ...request, ...rules, repeat: options.repeat ?? rules.repeat };
      return await deliver(ruled, read, options, client.dryRun);
    },
  };
}

/** A request that changes nothing passes as it is. */
function unguarded(request: AnyRequest, idempotencyKey: string | undefined): Cleared {
  const leaves = () => () => {};
  return { request, idempotencyKey, mails: false, verdict: undefined, leaves };
}

async function dryRunOf(
  request: WireRequest,
  { mails, verdict: policy }: Cleared,
  ofWhole: string | undefined,
): Promise<DryRun> {
  if (!mails) return new DryRun(request);
  const { requestDigest } = await import('./request-digest.ts');
  return new DryRun(request, { digest: ofWhole ?? requestDigest(request), policy });
}

function keyFor(
  { repeat }: Ruled,
  given: string | undefined,
  uuid: () => string,
): string | undefined {
  if (given !== undefined) return checkIdempotencyKey(given);
  return repeat === 'keyed' ? uuid() : undefined;
}

/** A 2xx response, read. One that cannot be read was most likely carried out all the same. */
function readBy<Value>(read: Read<Value>, reply: WireReply, baseUrl: string): Exchanged<Value> {
  try {
    return { outcome: 'accepted', value: read(reply, baseUrl) };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    return { outcome: 'unknown', problem: problemOf(error), reply };
  }
}

/** Adds what a person needs to know: of which request it is, and whether it may have gone through. */
function explained(
  unaccepted: Unaccepted,
  { method, path, effect, repeat }: Ruled,
  { apiKey, idempotencyKey, hintIfUnknown: own }: SendOptions & { apiKey: string | undefined },
): Unaccepted {
  const { outcome, problem: plain, reply: _, ...known } = unaccepted;
  // What only reads has no outcome that anybody could miss.
  const outcomeUnknown = effect === 'writes' && outcome === 'unknown';
  const request = { method, path, outcomeUnknown, ...known };
  const problem = { ...blamingKey(plain, apiKey), request };
  if (!outcomeUnknown) return { ...unaccepted, problem };
  // Where the service is not known to heed a key, it does not make a repetition safe.
  const safeKey = repeat === 'keyed' ? idempotencyKey : undefined;
  const said = typeof own === 'function' ? safeKey && own(safeKey) : own;
  const hint = said ?? [problem.hint, hintWhenUnknown[repeat]].filter(Boolean).join(' ');
  return { ...unaccepted, problem: { ...problem, idempotencyKey: safeKey, hint } };
}

const hintWhenUnknown = {
  keyed: 'The request may have been accepted. Repeat it only with this idempotency key.',
  harmless: 'The request may have been carried out; running the command again is safe.',
  unsent: 'The request may have been carried out. Check before you run the command again.',
} as const;

/** In the message, since what to do about an unknown outcome takes the place of other hints. */
function blamingKey(problem: Problem, apiKey: string | undefined): Problem {
  const oddForm = apiKey === undefined ? undefined : unusualKeyFormat(apiKey);
  if (problem.status !== 500 || oddForm === undefined) return problem;
  return {
    ...problem,
    message: `${problem.message.replace(/\.$/, '')}. ${oddForm}`,
    hint: 'Check that you copied the whole API key.',
  };
}
