import type { Store } from '../store/store.ts';
import { faultHeader } from './faults/apply.ts';
import { hideKeys } from './hide-keys.ts';
import { refusalReason } from './refusal-reason.ts';

/** The number of requests kept; older ones are deleted. */
export const requestsKept = 500;

/** How many of these may be requests from other sites, which could send any number of them. */
export const maxUnauthenticatedKept = 20;

/** The most characters of a body that are kept. */
const bodyKept = 65_536;

/** The longest key, which may extend past the kept part. No header is longer. */
const longestKey = 16_384;

/** Milliseconds that a response waits for another process to unlock the database. */
const patience = 250;

/** The status recorded for a request without a response. */
export const noAnswer = 0;

/** A request to the API and its response. */
export interface Exchange {
  readonly request: Request;
  /** The body, or its length if it was not read completely. */
  readonly body: Promise<string> | number;
  readonly response: Response;
  /** Headers that the response gets after it is recorded, by names in lower case. */
  readonly laterHeaders: Readonly<Record<string, string>>;
  /** False if the connection was closed without a response: `response` only gives the reason. */
  readonly answered: boolean;
  /** Whether it may be from another site; see `refusalOf`. */
  readonly turnedAway: boolean;
  /** When it arrived: milliseconds since 1970. */
  readonly at: number;
  /** The reason for a rejection, if the response does not contain it. */
  readonly untold?: string | undefined;
  /** How long the response took. */
  readonly milliseconds: number;
}

/**
 * Returns a function that records requests for the inbox, without foreign keys. It never throws.
 * The first failure is logged; only that one delays a response, until recording works again.
 */
export function createRequestLog(store: Store, log: (line: string) => void) {
  let failing = false;
  return async (exchange: Exchange): Promise<void> => {
    try {
      const { body, response } = exchange;
      const requestBody = typeof body === 'number' ? '' : await body;
      const bodies = { requestBody, replyBody: await response.clone().text() };
      store.write(() => insert(store, exchange, bodies), failing ? 0 : patience);
      failing = false;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      if (!failing) log(`Requests cannot be recorded for now: ${reason}`);
      failing = true;
    }
  };
}

function insert(
  store: Store,
  { request, response, answered, turnedAway, ...exchange }: Exchange,
  bodies: { readonly requestBody: string; readonly replyBody: string },
): void {
  const url = new URL(request.url);
  const { requestBody, replyBody } = bodies;
  // Only the beginning, because searching a large body for keys is slow.
  const beginning = requestBody.slice(0, bodyKept + longestKey);
  const shown = hideKeys({
    path: `${url.pathname}${url.search}`,
    requestHeaders: [...request.headers],
    requestBody: beginning,
    replyHeaders: [...response.headers, ...Object.entries(exchange.laterHeaders)],
    replyBody,
  });
  store.insert('requests', {
    at: exchange.at,
    milliseconds: exchange.milliseconds,
    method: request.method,
    path: shown.path,
    status: answered ? response.status : noAnswer,
    turnedAway,
    reason: reasonOf(response, shown.replyBody, exchange.untold),
    requestHeaders: shown.requestHeaders,
    requestBody: shown.requestBody.slice(0, bodyKept),
    requestLength:
      typeof exchange.body === 'number'
        ? exchange.body
        : shown.requestBody.length + requestBody.length - beginning.length,
    replyHeaders: shown.replyHeaders,
    replyBody: shown.replyBody.slice(0, bodyKept),
    replyLength: shown.replyBody.length,
  });
  store.run(
    // Node 22.19 binds no parameters with numbers, such as ?1.
    `DELETE FROM requests WHERE turned_away = ? AND seq <=
       (SELECT seq FROM requests WHERE turned_away = ? ORDER BY seq DESC LIMIT 1 OFFSET ?)`,
    turnedAway,
    turnedAway,
    turnedAway ? maxUnauthenticatedKept : requestsKept,
  );
}

/** Why a request was rejected, or its fault; null if neither. */
function reasonOf(
  { headers, status }: Response,
  replyBody: string,
  untold: string | undefined,
): string | null {
  const fault = headers.get(faultHeader);
  if (fault !== null) return `Fault: ${fault}`;
  if (status < 400) return null;
  const told = refusalReason(replyBody);
  return untold === undefined ? told : `${told}: ${untold}`;
}
