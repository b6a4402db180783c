import { parseExact } from '../json/exact-numbers.ts';
import type { DryRunDocument } from '../json-schemas/request.ts';
import { escapeJson, visible, visibleLines } from '../text/visible.ts';
import { bodyText, type WireRequest } from '../system/wire.ts';

/** Ends a command under `--dry-run`, with the request that would have been sent. */
export class DryRun extends Error {
  readonly request: WireRequest;

  constructor(request: WireRequest) {
    super('dry run');
    this.request = request;
  }
}

/** Stands for the base URL where a dry run has none. */
export const unknownBaseUrl = 'http://base-url.invalid';

/** The request as text, like HTTP. The key is not in it. */
export function requestText(request: WireRequest): string {
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`${request.method} ${shownUrl(request.url)}`, ...headers].map(visible);
  const body = request.body === undefined ? [] : ['', visibleLines(pretty(bodyText(request.body)))];
  return `${[...head, ...body].join('\n')}\n`;
}

/** The request as one JSON document: method, url, headers, and the body as JSON. */
export function requestJson(request: WireRequest): string {
  const { method, url, headers, body } = request;
  const document = {
    method,
    url: shownUrl(url),
    headers,
    ...(body === undefined ? {} : { body: parseExact(bodyText(body)) }),
  } satisfies DryRunDocument;
  return `${escapeJson(JSON.stringify(document, null, 2))}\n`;
}

function shownUrl(url: URL): string {
  return url.href.replace(unknownBaseUrl, '{base_url}');
}

function pretty(json: string): string {
  return JSON.stringify(parseExact(json), null, 2);
}
