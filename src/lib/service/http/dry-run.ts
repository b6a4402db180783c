import { parseExact } from '../../base/json/exact-numbers.ts';
import { bodyText, type WireRequest } from '../../base/system/wire.ts';
import { maxNames, withOverflowCount } from '../../base/text/quoted-names.ts';
import { escapeJson, visible, visibleLines } from '../../base/text/visible.ts';
import type { PolicyVerdict } from './request-guard.ts';

/** Ends a command under `--dry-run`; has the request that would have been sent. */
export class DryRun extends Error {
  readonly request: WireRequest;
  readonly about: AboutDryRun;

  constructor(request: WireRequest, about: AboutDryRun = {}) {
    super('dry run');
    this.request = request;
    this.about = about;
  }
}

/** What else to show about a request. */
interface AboutDryRun {
  /** For `--expect`. */
  readonly digest?: string | undefined;
  /** The policy's verdict on it; undefined if there are no rules. */
  readonly policy?: PolicyVerdict | undefined;
  /** Other requests that the command would send. */
  readonly others?: readonly DryRun[];
}

/** The request that was not sent, as `--json` shows it. */
export interface DryRunDocument {
  readonly method: string;
  readonly url: string;
  /** Without the key. */
  readonly headers: Readonly<Record<string, string>>;
  /** Absent if the request has none. */
  readonly body?: unknown;
  /** For `--expect`; absent if the request sends no email. */
  readonly digest?: string | undefined;
  /** The policy's verdict on the request; absent if there are no rules. */
  readonly policy?: PolicyVerdict | undefined;
  /** Other requests of the command; absent if there are none. */
  readonly others?: readonly DryRunDocument[];
}

/** Stands for the base URL if a dry run has none. */
export const unknownBaseUrl = 'http://base-url.invalid';

/** The request as text, like HTTP, followed by the others. Without the key. */
export function requestText({ request, about: { others = [] } }: DryRun): string {
  const { method, url, headers: given, body } = request;
  const headers = Object.entries(given).map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${shownUrl(url)}`, ...headers].map(visible);
  const json = body === undefined ? '' : JSON.stringify(parseExact(bodyText(body)), null, 2);
  const shown = body === undefined ? [] : ['', visibleLines(json)];
  return [`${[...head, ...shown].join('\n')}\n`, ...others.map(requestText)].join('\n');
}

/** The request as one JSON document: method, url, headers, and the body as JSON. */
export function requestJson(dryRun: DryRun, { isIndented }: { isIndented: boolean }): string {
  return `${escapeJson(JSON.stringify(documentOf(dryRun), null, isIndented ? 2 : 0))}\n`;
}

function documentOf({ request, about: { digest, policy, others } }: DryRun): DryRunDocument {
  const { method, url, headers, body } = request;
  return {
    method,
    url: shownUrl(url),
    headers,
    ...(body === undefined ? {} : { body: parseExact(bodyText(body)) }),
    ...(digest === undefined ? {} : { digest }),
    ...(policy === undefined ? {} : { policy }),
    ...(others === undefined ? {} : { others: others.map(documentOf) }),
  };
}

/** The policy's verdict on a request, in sentences. */
export function verdictInWords({ about: { policy } }: DryRun): string[] {
  const { places = [], redirectedFor = [], unchecked } = policy ?? {};
  const from = withOverflowCount(redirectedFor.slice(0, maxNames), redirectedFor.length).join(', ');
  return [
    ...(places.length === 0 ? [] : [`The policy allows this (${places.join(', ')}).`]),
    ...(from === '' ? [] : [`Redirected; it was for ${from}.`]),
    ...(unchecked ? [unchecked] : []),
  ];
}

function shownUrl(url: URL): string {
  return url.href.replace(unknownBaseUrl, '{base_url}');
}
