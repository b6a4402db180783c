import type * as z from 'zod';
import { loadOperation } from '../../../api/load-operation.ts';
import type { Operation, Repeat } from '../../../api/operation.ts';
import type { Input, OperationId, Reply } from '../../../api/operations.ts';
import {
  BadReplyError,
  MailerError,
  type Problem,
  problemOf,
  RejectedError,
} from '../../base/errors.ts';
import type { WireReply, WireRequest } from '../../base/system/wire.ts';
import { type AnyRequest, buildRequest, lastParam, pathOf } from './build-request.ts';
import { checkIdempotencyKey, checkInput, type NameOf } from './check-request.ts';
import type { Doubt, Doubts } from './doubt.ts';
import { DryRun } from './dry-run.ts';
import type { Held } from './held.ts';
import { acceptedValue, type Exchanged, type Unaccepted } from './outcome.ts';
import type { MessageOperation, Passed, PlainOperation } from './passed.ts';
import { readReply } from './reply.ts';
import type { ApprovedRequest, CountedBatch, Guard, Hold } from './request-guard.ts';
import {
  type ExchangeOptions,
  type ExchangeTools,
  exchange,
  settles,
} from './send-with-retries.ts';
import { unusualKeyFormat } from './unusual-key.ts';

export interface SendOptions extends ExchangeOptions {
  /** The key by which the service recognises a retry. Default: a new one. */
  readonly idempotencyKey?: string | undefined;
  /** Whether the key was made for this call. Always true without `idempotencyKey`. */
  readonly keyIsNew?: boolean;
  /** When the request may be retried, if that depends on more than the operation; for `send`. */
  readonly repeat?: Repeat | undefined;
  /** The digest that the request must have: see `requestDigest`. Also its idempotency key. */
  readonly expect?: string | undefined;
  /** The digest of the whole that this request is part of. Default: the request's own. */
  readonly digest?: string | undefined;
  readonly whole?: CountedBatch | undefined;
  /** Whether a person has approved exactly this request. */
  readonly isApproved?: boolean | undefined;
  /** How many contacts a campaign goes to, for the log; null if nobody has counted them. */
  readonly contacts?: number | null | undefined;
  /**
   * Replaces the hint for an unknown outcome. A function if the key makes it safe to repeat: a repetition looks
   * first, but not if `unrecorded` says why it will not know of this request.
   */
  readonly hintIfUnknown?:
    | string
    | ((idempotencyKey: string, unrecorded: string | undefined) => string)
    | undefined;
  /** Receives why a repetition will not know of this request, once it leaves. */
  readonly unrecorded?: ((reason: string) => void) | undefined;
  /** Whether the caller records its requests itself, and looks before it repeats one. */
  readonly recordsItself?: boolean | undefined;
}

export interface CallOptions extends SendOptions {
  readonly nameOf?: NameOf | undefined;
}

/** How long to wait for each response, and how often to retry. */
export interface RequestLimits {
  /** Milliseconds. */
  readonly timeout: number;
  readonly retries: number;
  /**
   * The timeout of a request with an idempotency key. If undefined, `timeout` is a person's own limit: nothing is retried
   * after it.
   */
  readonly keyedTimeout?: number | undefined;
}

export interface ClientOptions extends RequestLimits {
  readonly baseUrl: string;
  /** Called after the input is checked, so that usage errors need no key. */
  readonly apiKey: () => Promise<string | undefined>;
  readonly userAgent: string;
  /** If set, a writing operation is checked and built, then thrown as a `DryRun`. */
  readonly dryRun: boolean;
  /** The digest that everything the command changes must have: see `SendOptions`. */
  readonly expect?: string | undefined;
  /** Names by the ids that were found by them. */
  readonly names?: ReadonlyMap<string, string>;
  /** The digest of all that the command is going to send, once it is known and as expected. */
  readonly planned?: () => string | undefined;
  /** Opens the transport. Called only when there is something to send. */
  readonly tools: () => Promise<ExchangeTools>;
  readonly uuid: () => string;
  /** What every writing request has to pass. */
  readonly guard: () => Promise<Guard>;
  /** Called for each writing request that the service accepted. */
  readonly changed?: () => void;
  /** Receives each response. */
  readonly onResponse?: (reply: WireReply) => void;
  /** What earlier commands know of requests with an idempotency key. */
  readonly doubts: () => Promise<Doubts>;
}

export interface Client {
  /**
   * Carries out one operation. Throws a `UsageError` for invalid input, before anything is sent.
   */
  call<Id extends PlainOperation>(
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Reply<Id>>;
  /** The same for one that mails or stores a message, which must have passed the gate. */
  callPassed<Id extends MessageOperation>(
    passed: Passed,
    id: Id,
    input: Input<Id>,
    options?: CallOptions,
  ): Promise<Reply<Id>>;
  /**
   * Sends any request and returns its outcome, with what `read` makes of a 2xx response. An
   * operation of the contract is retried by its own rules; any other writing request, only if it
   * was certainly not carried out. With `dryRun`, reading requests are not sent either. Before
   * anything is sent, it throws like `call`.
   */
  send<Value>(
    request: AnyRequest,
    read: Read<Value>,
    options?: SendOptions,
  ): Promise<Exchanged<Value>>;
}

/** Converts a 2xx response. Throws a `BadReplyError` if it cannot. */
type Read<Value> = (reply: WireReply, baseUrl: string) => Value;

/** A request with the rules for it. */
type RequestWithRules = AnyRequest & Pick<Operation, 'effect' | 'repeat' | 'beyond'>;

/** Stands for the key in a request that is only shown. */
const hiddenKey = '***';

/** A client of one account on one service. */
export function createClient(client: ClientOptions): Client {
  const { baseUrl, timeout, retries } = client;

  async function deliver<Value>(
    ruled: RequestWithRules,
    read: Read<Value>,
    options: SendOptions,
    showOnly: boolean,
  ): Promise<Exchanged<Value>> {
    const { hintIfUnknown, whole, digest = client.planned?.() } = options;
    const given = options.idempotencyKey ?? (ruled.repeat === 'keyed' ? options.expect : undefined);
    const expect = options.expect ?? (ruled.effect === 'reads' ? undefined : client.expect);
    const { keyIsNew = given === undefined } = options;
    const { effect } = ruled;
    const departure = { request: ruled, idempotencyKey: keyFor(ruled, given, client.uuid) };
    const cleared: ApprovedRequest =
      effect === 'reads'
        ? { ...departure, mails: false, verdict: undefined, reserve: () => () => {} }
        : await (await client.guard())({
            ...{ ...departure, effect, whole, digest, contacts: options.contacts, showOnly, call },
            isApproved: options.isApproved === true,
          });
    const { idempotencyKey } = cleared;
    const { userAgent } = client;
    const build = (apiKey: string | undefined) =>
      buildRequest(cleared.request, baseUrl, { apiKey, userAgent, idempotencyKey });
    if (expect !== undefined) {
      const { assertDigest } = await import('./request-digest.ts');
      assertDigest(
        digest ?? (await digestToCompare(build(undefined), expect, client.names)),
        expect,
      );
    }
    if (showOnly) throw await dryRunOf(build(hiddenKey), cleared, ruled, digest);
    if (cleared.hold !== undefined) {
      throw await heldOf(build(undefined), cleared, cleared.hold, keyIsNew ? undefined : given);
    }
    const apiKey = await client.apiKey();
    const request = build(apiKey);
    const { repeat, beyond } = ruled;
    const doubt =
      repeat === 'keyed' && idempotencyKey !== undefined && options.recordsItself !== true
        ? (await client.doubts())({
            ...{ request: cleared.request, idempotencyKey, baseUrl, apiKey },
            call: (id, input, onResponse) => call(id, input, onResponse),
          })
        : undefined;
    let settle: ReturnType<ApprovedRequest['reserve']> | undefined;
    let exceeded: Problem | undefined;
    const onSend = () => {
      options.onSend?.();
      try {
        // Not earlier: a process that is killed while it waits for its turn has mailed nobody, and what it has
        // counted must be recorded as begun, or it would be counted again when a run is resumed.
        settle ??= cleared.reserve();
      } catch (error) {
        if (error instanceof MailerError) exceeded = problemOf(error);
        throw error;
      }
      const unrecorded = doubt?.onSend();
      if (unrecorded !== undefined) options.unrecorded?.(unrecorded);
    };
    const limit = repeat === 'keyed' ? (client.keyedTimeout ?? timeout) : timeout;
    // Only this request can have used a key that was made for it, or recorded with it.
    const isOwn = idempotencyKey !== undefined && (keyIsNew || doubt?.age !== undefined);
    const rules = { baseUrl, timeout: limit, retries, repeat, beyond, keyIsNew: isOwn };
    const tools = await client.tools();
    const sendOnce = async (inDoubtSince?: number): Promise<Exchanged<WireReply>> => {
      const onResponse = (reply: WireReply) => {
        options.onResponse?.(reply);
        client.onResponse?.(reply);
      };
      const policy = { ...options, ...rules, onSend, onResponse, inDoubtSince };
      return await exchange(request, policy, tools).catch((error: unknown): Unaccepted => {
        if (exceeded === undefined) throw error;
        return { outcome: 'unsent', problem: exceeded };
      });
    };
    const { age } = doubt ?? {};
    let exchanged = doubt?.mustLook
      ? await afterLook(doubt, sendOnce)
      : await sendOnce(age === undefined ? undefined : tools.system.monotonic() - age);
    const mayLook = client.keyedTimeout !== undefined && !tools.system.signal.aborted;
    if (doubt !== undefined && mayLook && 'isPastLock' in exchanged && exchanged.isPastLock) {
      exchanged = await afterLook(doubt, sendOnce);
    }
    settle?.(exchanged.outcome);
    const received =
      exchanged.outcome === 'accepted' ? readBy(read, exchanged.value, baseUrl) : exchanged;
    if (doubt !== undefined && isSettled(received, doubt)) doubt.settled();
    if (received.outcome === 'accepted') {
      if (ruled.effect !== 'reads') client.changed?.();
      return received;
    }
    const unrecorded = doubt?.unrecorded();
    const isWhole = whole === undefined && options.recordsItself !== true;
    // An earlier command may have sent this request.
    const mailedNobody = cleared.mails && isWhole && doubt?.age === undefined;
    const known = mailedNobody ? sayingNothingSent(received) : received;
    return explained(known, ruled, { apiKey, idempotencyKey, hintIfUnknown, unrecorded });
  }

  const call = async <Id extends OperationId>(
    id: Id,
    input: Input<Id>,
    options: CallOptions = {},
  ) => {
    // TypeScript cannot narrow the union to one operation. Its reply schema is that of Reply<Id>.
    const operation = (await loadOperation(id)) as unknown as Operation & {
      reply: z.ZodType<Reply<Id>>;
    };
    const { method, effect, repeat, beyond } = operation;
    const checked = checkInput(operation, input, options.nameOf);
    const path = pathOf(operation, checked);
    const body = checked.body === undefined ? undefined : JSON.stringify(checked.body);
    const showOnly = client.dryRun && effect !== 'reads';
    const asked = method === 'GET' ? lastParam(operation, checked) : undefined;
    const read = (reply: WireReply) => readReply(reply, operation, baseUrl, asked);
    const ruled = { method, path, body, effect, repeat, beyond };
    const reply = acceptedValue(await deliver(ruled, read, options, showOnly));
    assertSuccess(reply);
    return reply;
  };

  return {
    call,
    callPassed: (_, id, input, options) => call(id, input, options),
    async send(request, read, options = {}) {
      const { rulesOf } = await import('./request-rules.ts');
      const rules = rulesOf(request);
      const ruled = { ...request, ...rules, repeat: options.repeat ?? rules.repeat };
      return await deliver(ruled, read, options, client.dryRun);
    },
  };
}

/** Looks for the emails of a request, and sends it only if the service has none of them. */
async function afterLook(
  doubt: Doubt,
  send: () => Promise<Exchanged<WireReply>>,
): Promise<Exchanged<WireReply>> {
  const seen = await doubt.look();
  switch (seen.kind) {
    case 'all':
      return { outcome: 'accepted', value: seen.reply };
    case 'unclear':
      return { outcome: 'unknown', problem: seen.problem, isUnclear: seen.isLasting };
    case 'none': {
      const sent = await send();
      // The first request may still be at work, and not yet listed.
      const isKnown = sent.outcome === 'accepted' || settles(sent);
      return isKnown ? sent : { ...sent, outcome: 'unknown' };
    }
  }
}

/**
 * Whether nothing is left to look for. If an earlier command began the request, only the service itself can say that
 * it did not accept it.
 */
function isSettled(exchanged: Exchanged<unknown>, { age }: Doubt): boolean {
  if (exchanged.outcome === 'accepted') return true;
  if (exchanged.outcome === 'unknown') return false;
  return age === undefined || settles(exchanged);
}

/** The digest of a request: as it is, if that is expected, otherwise with the names by which its ids were found. */
async function digestToCompare(
  request: WireRequest,
  expected: string,
  names: ReadonlyMap<string, string> = new Map(),
): Promise<string> {
  const { namedDigest, requestDigest } = await import('./request-digest.ts');
  const digest = requestDigest(request);
  return digest === expected ? digest : namedDigest(request, names);
}

async function dryRunOf(
  request: WireRequest,
  { verdict: policy }: ApprovedRequest,
  ruled: RequestWithRules,
  ofWhole: string | undefined,
): Promise<DryRun> {
  if (ruled.effect === 'reads') return new DryRun(request);
  const [{ requestDigest }, { operationOf }] = await Promise.all([
    import('./request-digest.ts'),
    import('./request-rules.ts'),
  ]);
  const digest = ofWhole ?? requestDigest(request);
  return new DryRun(request, { digest, policy, operation: operationOf(ruled)?.id });
}

async function heldOf(
  wire: WireRequest,
  { request, idempotencyKey }: ApprovedRequest,
  { refusal }: Hold,
  given: string | undefined,
): Promise<Held> {
  const [{ Held }, { requestDigest }] = await Promise.all([
    import('./held.ts'),
    import('./request-digest.ts'),
  ]);
  const key = given === undefined ? undefined : idempotencyKey;
  return new Held({ refusal, request, idempotencyKey: key, digest: requestDigest(wire) });
}

function keyFor(
  { repeat }: RequestWithRules,
  given: string | undefined,
  uuid: () => string,
): string | undefined {
  if (given !== undefined) return checkIdempotencyKey(given);
  return repeat === 'keyed' ? uuid() : undefined;
}

/** Reads a 2xx response. If that fails, the request was most likely carried out all the same. */
function readBy<Value>(read: Read<Value>, reply: WireReply, baseUrl: string): Exchanged<Value> {
  try {
    return { outcome: 'accepted', value: read(reply, baseUrl) };
  } catch (error) {
    if (!(error instanceof BadReplyError)) throw error;
    return { outcome: 'unknown', problem: problemOf(error), reply };
  }
}

/** Adds which request failed, and whether it may have been carried out. */
function explained(
  unaccepted: Unaccepted,
  { method, path, effect, repeat }: RequestWithRules,
  {
    apiKey,
    idempotencyKey,
    hintIfUnknown: own,
    unrecorded,
  }: Pick<SendOptions, 'idempotencyKey' | 'hintIfUnknown'> & {
    readonly apiKey: string | undefined;
    readonly unrecorded: string | undefined;
  },
): Unaccepted {
  const { outcome, problem: plain, reply: _, isPastLock: __, ...known } = unaccepted;
  // Reading has no outcome that anyone could miss.
  const outcomeUnknown = effect !== 'reads' && outcome === 'unknown';
  const request = { method, path, outcomeUnknown, ...known };
  const problem = { ...blamingKey(plain, apiKey), request };
  if (!outcomeUnknown) return { ...unaccepted, problem };
  // A key makes a repetition safe only if the service is known to honour it.
  const safeKey = repeat === 'keyed' ? idempotencyKey : undefined;
  const said = typeof own === 'function' ? safeKey && own(safeKey, unrecorded) : own;
  const hint =
    (known.isUnclear ? problem.hint : said) ??
    [problem.hint, hintWhenUnknown[repeat]].filter(Boolean).join(' ');
  return { ...unaccepted, problem: { ...problem, idempotencyKey: safeKey, hint } };
}

const hintWhenUnknown = {
  keyed: 'The request may have been accepted. Repeat it only with this idempotency key.',
  harmless: 'The request may have been carried out; running the command again is safe.',
  unsent: 'The request may have been carried out. Check before you run the command again.',
} as const;

/** Says of a request that would have mailed somebody if it did not reach the service. */
function sayingNothingSent(unaccepted: Unaccepted): Unaccepted {
  const { outcome, problem } = unaccepted;
  const said = 'Nothing was sent.';
  if (outcome !== 'unsent' || problem.code !== 'unavailable') return unaccepted;
  if (problem.message.endsWith(said)) return unaccepted;
  const hint = [said, problem.hint].filter(Boolean).join(' ');
  return { ...unaccepted, problem: { ...problem, hint } };
}

/** Goes into the message: advice on an unknown outcome replaces all other hints. */
function blamingKey(problem: Problem, apiKey: string | undefined): Problem {
  const oddForm = apiKey === undefined ? undefined : unusualKeyFormat(apiKey);
  if (problem.status !== 500 || oddForm === undefined) return problem;
  return {
    ...problem,
    message: `${problem.message.replace(/\.$/, '')}. ${oddForm}`,
    hint: 'Check that you copied the whole API key.',
    lasts: true,
  };
}

/** Throws a `RejectedError` if the body of a reply says that nothing was done. */
function assertSuccess(reply: unknown): void {
  const { success, message }: Readonly<Record<string, unknown>> = Object(reply);
  if (success !== false) return;
  throw new RejectedError(
    typeof message === 'string' && message !== ''
      ? message
      : 'The service did not carry out the request.',
  );
}
