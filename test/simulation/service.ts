import type { WireReply, WireRequest } from '../../src/lib/system/wire.ts';

/** What can go wrong with a request on its way, at the service, or on the way back. */
export type RequestTrouble =
  /** No connection. */
  | 'unreachable'
  /** The connection breaks before the request has arrived, after, or before and it arrives later. */
  | 'cut'
  | 'lost'
  | 'late'
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
  | 'short';

/** A service for the program, which checks the requests. */
export interface Service {
  /** Broken promises. */
  readonly violations: string[];
  /** Counts requests with effects; a complete run must not add any. */
  readonly sendings: number;
  /** Called when a request is sent. */
  leaves(request: WireRequest): void;
  /** The response to a request that has arrived. */
  answer(request: WireRequest, trouble: RequestTrouble | undefined): WireReply;
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
      return [409, problem('NOT_UNIQUE', 'in progress')];
    case 'quota':
      return [400, problem('BAD_REQUEST', 'quota')];
    default:
      return undefined;
  }
}

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
