import { accountOf } from './account.ts';
import type { Store } from './store.ts';

/** Requests that are kept; older ones go. */
export const requestsKept = 500;

/** Characters of a body that are kept. */
const bodyKept = 65_536;

/** The status that is kept of a request without an answer. */
export const noAnswer = 0;

/** A request to the API and its answer. */
export interface Exchange {
  readonly request: Request;
  /** The body as it came. */
  readonly body: string;
  readonly response: Response;
  /** False when the connection was closed in place of any answer: `response` tells why, no more. */
  readonly answered: boolean;
  /** When it came: milliseconds since 1970. */
  readonly at: number;
  /** How long the answer took. */
  readonly milliseconds: number;
}

/** Keeps a request and its answer for people to look at. A key that is not the sandbox's is not kept. */
export async function recordExchange(store: Store, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const url = new URL(request.url);
  const reply = await response.clone().text();
  store.write(() => {
    store.run(
      `INSERT INTO requests (at, milliseconds, method, path, status, request_headers, request_body,
         reply_headers, reply_body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      exchange.at,
      exchange.milliseconds,
      request.method,
      `${url.pathname}${url.search}`,
      exchange.answered ? response.status : noAnswer,
      JSON.stringify(shownHeaders(request.headers)),
      kept(exchange.body),
      JSON.stringify([...response.headers]),
      kept(reply),
    );
    store.run(
      'DELETE FROM requests WHERE seq <= (SELECT max(seq) FROM requests) - ?',
      requestsKept,
    );
  });
}

function kept(body: string): string {
  return body.length <= bodyKept ? body : `${body.slice(0, bodyKept)}…`;
}

/** A real key that was sent here by mistake must not end up in a file. */
function shownHeaders(headers: Headers): [string, string][] {
  return [...headers].map(([name, value]) => {
    if (name !== 'authorization' && name !== 'proxy-authorization' && name !== 'cookie')
      return [name, value];
    const key = value.replace(/^Bearer\s+/i, '');
    return [name, accountOf(key) === undefined ? '(hidden)' : value];
  });
}
