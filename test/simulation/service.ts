import type { WireReply, WireRequest } from '../../src/lib/base/system/wire.ts';

/** What can go wrong with a request on its way, at the service, or on the way back. */
export type RequestTrouble =
  /** No connection. */
  | 'unreachable'
  /** The connection breaks before the request has arrived, after, or before and it arrives later. */
  | 'cut'
  | 'lost'
  | 'late'
  /** The connection breaks, and the request arrives 40 seconds later. */
  | 'much later'
  /** The response takes twenty seconds. */
  | 'slow'
  /** It arrives again later. */
  | 'twice'
  /** It arrives, and there is no response. */
  | 'silence'
  /** The service fails before or after it has accepted the request. */
  | 'fails'
  | 'fails after'
  | 'garbage after'
  /** A proxy responds, and the request does not reach the service. */
  | 'bad gateway'
  | 'busy'
  | 'limit'
  | 'conflict'
  | 'quota'
  /** It creates only some of the emails. */
  | 'short'
  /** The service works on it for long, see `workOf`, and there is no response; or a proxy gives up after a minute. */
  | 'works'
  | 'works, 504'
  /** The connection breaks at once, and the service works on it; also creating only some of the emails. */
  | 'works, lost'
  | 'works, short'
  /** The database stands still, and all happens after nearly two minutes. */
  | 'stands still';

/** When the service creates the emails of a request, and when its work ends, in seconds after its arrival. */
interface Work {
  /** The first and the last email; the others are in between. */
  readonly first: number;
  readonly last: number;
  /** Then there is a result under its key, and a response. */
  readonly end: number;
  /** When a proxy responds instead. */
  readonly proxy?: number;
}

/** How the service works on a request that takes longer than it locks its key; undefined if it responds at once. */
export function workOf(trouble: RequestTrouble | undefined): Work | undefined {
  switch (trouble) {
    case 'works':
      return { first: 55, last: 63, end: 150 };
    case 'works, 504':
      return { first: 55, last: 63, end: 150, proxy: 61 };
    case 'works, lost':
    case 'works, short':
      return { first: 35, last: 58, end: 150 };
    case 'stands still':
      return { first: 110, last: 110, end: 110 };
    default:
      return undefined;
  }
}

/** A service for the program, which checks the requests. */
export interface Service {
  /** Broken promises. */
  readonly violations: string[];
  /** Counts requests with effects; a complete run must not add any. */
  readonly sendings: number;
  /** Called when a request is sent. */
  leaves(request: WireRequest): void;
  /** Takes a request that has arrived, and calls `respond` with the response, now or later. */
  answer(
    request: WireRequest,
    trouble: RequestTrouble | undefined,
    respond: (reply: WireReply) => void,
  ): void;
  /** What others do on a day without a process. */
  meanwhile(): void;
  reply(status: number, body: unknown): WireReply;
  /** All its data, as text. */
  state(): string;
}

/** A command line, its input and its service, and what must hold once the run is complete. */
export interface Scenario {
  readonly line: readonly string[];
  /** The content of `rows.json`. */
  readonly input: string;
  readonly service: Service;
  /** Whether the run is complete; `isCalm` tells whether nothing went wrong meanwhile. */
  isComplete(
    ended: { readonly exitCode: number; readonly stderr: string },
    isCalm: boolean,
  ): boolean;
  /** What is wrong according to the lines of `results.jsonl`. */
  check(results: readonly unknown[]): string[];
}

/** The response to a request that a trouble keeps from being carried out; undefined if it is. */
export function refusal(trouble: RequestTrouble | undefined): [number, unknown] | undefined {
  switch (trouble) {
    case 'fails':
      return [500, problem('INTERNAL_SERVER_ERROR', 'oops')];
    case 'busy':
      return [503, problem('UNAVAILABLE', 'down')];
    case 'limit':
      return [429, problem('RATE_LIMITED', 'slow')];
    case 'conflict':
      return inProgress;
    case 'quota':
      return [400, problem('BAD_REQUEST', 'quota')];
    default:
      return undefined;
  }
}

/** The response to a request whose key is locked. */
export const inProgress: [number, unknown] = [409, problem('NOT_UNIQUE', 'in progress')];

/** A response in JSON, with the service's clock. */
export function jsonReply(now: number, status: number, body: unknown): WireReply {
  const headers = { 'content-type': 'application/json', date: new Date(now).toUTCString() };
  return { status, headers, body: JSON.stringify(body) };
}

/** The response to invalid emails or contacts. */
export function invalid(issues: readonly object[]): [number, unknown] {
  return [400, { success: false, error: { issues, name: 'ZodError' } }];
}

export function problem(code: string, message: string) {
  return { error: { code, message } };
}
