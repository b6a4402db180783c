import type { WireReply, WireRequest } from '../../src/lib/system/wire.ts';

/** What goes wrong with one request on its way, at the service, or on the way back. */
export type RequestTrouble =
  /** No connection. */
  | 'unreachable'
  /** The connection breaks before the request has arrived, after, or before and it arrives later. */
  | 'cut'
  | 'lost'
  | 'late'
  /** It arrives a second time later. */
  | 'twice'
  /** Nobody says anything, and it arrives. */
  | 'silence'
  /** The service fails before or after it has accepted the request. */
  | 'fails'
  | 'fails after'
  | 'garbage after'
  /** A proxy says so, before the request reaches the service. */
  | 'bad gateway'
  | 'busy'
  | 'limit'
  | 'conflict'
  | 'quota'
  /** It creates only some of the emails. */
  | 'short';

/** A service that a program talks to, and what it makes of that. */
export interface Service {
  /** What must never be. */
  readonly violations: string[];
  /** What a program that has nothing left to do must not add to. */
  readonly sendings: number;
  /** Is told of a request that leaves. */
  leaves(request: WireRequest): void;
  /** What it says to a request that has arrived. */
  answer(request: WireRequest, trouble: RequestTrouble | undefined): WireReply;
  reply(status: number, body: unknown): WireReply;
  /** All that it has, as text. */
  state(): string;
}

/** One command line, its input and its service, and what must be true when it has ended for good. */
export interface Scenario {
  readonly line: readonly string[];
  /** The content of `rows.json`. */
  readonly input: string;
  readonly service: Service;
  /** Whether it has ended for good; `isCalm` tells whether nothing went wrong meanwhile. */
  isComplete(
    ended: { readonly exitCode: number; readonly stderr: string },
    isCalm: boolean,
  ): boolean;
  /** What is wrong, by the lines of `results.jsonl`. */
  check(results: readonly unknown[]): string[];
}

/** The response to a request that is not carried out because of a trouble; undefined where it is. */
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

/** The response to emails or contacts that are not valid. */
export function invalid(issues: readonly object[]): [number, unknown] {
  return [400, { success: false, error: { issues, name: 'ZodError' } }];
}

export function problem(code: string, message: string) {
  return { error: { code, message } };
}
