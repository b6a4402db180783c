import type { Method, Operation } from '../../../api/operation.ts';
import type { WireRequest } from '../../base/system/wire.ts';

/** The parts of an operation's input, after the check. */
export interface CheckedInput {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | readonly (string | number)[]>>;
  readonly body?: unknown;
}

/** Any request to the service, even one outside the contract. */
export interface AnyRequest {
  readonly method: Method | 'HEAD';
  /** Path below the base URL with its query, encoded, starting with a slash. */
  readonly path: string;
  /** JSON as text or bytes; sent unchanged. */
  readonly body?: string | Uint8Array | undefined;
}

/** An operation's path with its parameters filled in and percent-encoded. */
export function pathOf(operation: Operation, input: CheckedInput): string {
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = input.params?.[name];
    if (value === undefined) throw new TypeError(`${operation.id} needs ${name}`);
    return encodeURIComponent(String(value));
  });
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  return query.size === 0 ? path : `${path}?${queryText(query)}`;
}

/** The parameter at the end of an operation's path: the id of the one thing it is about. */
export function lastParam({ path }: Operation, { params }: CheckedInput) {
  return params?.[/\{(\w+)\}$/.exec(path)?.[1] ?? ''];
}

/** A query with `@` and `,` left unencoded: a URL then holds a quarter more addresses. */
export function queryText(query: URLSearchParams): string {
  return query.toString().replaceAll('%40', '@').replaceAll('%2C', ',');
}

/**
 * Builds one request. Without a body it has no Content-Type: some servers would then expect JSON.
 */
export function buildRequest(
  { method, path, body }: AnyRequest,
  baseUrl: string,
  headers: Readonly<Record<'apiKey' | 'idempotencyKey', string | undefined>> & {
    readonly userAgent: string;
  },
): WireRequest {
  return {
    method,
    url: new URL(baseUrl + path),
    headers: {
      ...(headers.apiKey === undefined ? {} : { authorization: `Bearer ${headers.apiKey}` }),
      accept: 'application/json',
      'user-agent': headers.userAgent,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(headers.idempotencyKey === undefined
        ? {}
        : { 'idempotency-key': headers.idempotencyKey }),
    },
    ...(body === undefined ? {} : { body }),
  };
}
