import { parseExact } from '../json/exact-numbers.ts';
import { bodyText, type WireRequest } from '../system/wire.ts';
import { escapeJson, visible, visibleLines } from '../text/visible.ts';

/** Ends a command under `--dry-run`, with the request that would have been sent. */
export class DryRun extends Error {
  readonly request: WireRequest;

  constructor(request: WireRequest) {
    super('dry run');
    this.request = request;
  }
}

/** The request that was not sent, as `--json` shows it. */
export interface DryRunDocument {
  readonly method: string;
  readonly url: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent when the request has none. */
  readonly body?: unknown;
}

/** Stands for the base URL where a dry run has none. */
export const unknownBaseUrl = 'http://base-url.invalid';

/** The request as text, like HTTP. The key is not in it. */
export function requestText({ method, url, headers: given, body }: WireRequest): string {
  const headers = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${shownUrl(url)}`, ...headers].map(visible);
  const json = body === undefined ? '' : JSON.stringify(parseExact(bodyText(body)), null, 2);
  const shown = body === undefined ? [] : ['', visibleLines(json)];
  return `${[...head, ...shown].join('\n')}\n`;
}

/** The request as one JSON document: method, url, headers, and the body as JSON. */
export function requestJson(request: WireRequest): string {
  const { method, url, headers, body } = request;
  const document: DryRunDocument = {
    method,
    url: shownUrl(url),
    headers,
    ...(body === undefined ? {} : { body: parseExact(bodyText(body)) }),
  };
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`;
}

function shownUrl(url: URL): string {
  return url.href.replace(unknownBaseUrl, '{base_url}');
}
