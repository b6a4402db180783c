import { accountOf } from '../model/api-account.ts';

/** The parts of an exchange that may contain a key. */
interface KeyBearing {
  /** With the query. */
  readonly path: string;
  readonly requestHeaders: readonly (readonly [string, string])[];
  readonly requestBody: string;
  readonly replyHeaders: readonly (readonly [string, string])[];
  readonly replyBody: string;
}

/** The replacement of a key. */
export const hidden = '(hidden)';

/** Headers and query parameters whose values are secrets. */
const secretName =
  /authorization|(^|[-_])auth($|[-_])|cookie|api[-_]?key|access[-_]?key|^key$|token|secret|password/i;

/** A key of live servers. It may follow a letter, such as the `n` of a line break in JSON. */
const issuedKey = /(?:us|msk)_[A-Za-z0-9]{6,}_[A-Za-z0-9]{16,}/g;

/** Shorter keys are not replaced in texts, because they could be part of words. */
const shortestSecret = 8;

/**
 * Hides keys that are not the sandbox's own. A real key that was sent here by mistake must not be
 * stored, neither from the request nor from a response that repeats it.
 */
export function hideKeys<Parts extends KeyBearing>(parts: Parts): KeyBearing {
  const secrets = new Set<string>();
  const query = parts.path.indexOf('?');
  const path = query === -1 ? parts.path : hideInQuery(parts.path, query, secrets);
  const requestHeaders = parts.requestHeaders.map(([name, value]) =>
    secretName.test(name)
      ? ([name, hideHeader(name, value, secrets)] as const)
      : ([name, value] as const),
  );
  const clean = (text: string) => hideAll(text, secrets);
  const cleanHeaders = (headers: KeyBearing['requestHeaders']) =>
    headers.map(([name, value]) => [name, clean(value)] as const);
  return {
    path: clean(path),
    requestHeaders: cleanHeaders(requestHeaders),
    requestBody: clean(parts.requestBody),
    replyHeaders: cleanHeaders(parts.replyHeaders),
    replyBody: clean(parts.replyBody),
  };
}

/** The scheme stays: its absence is a common reason of a rejection. */
function hideHeader(name: string, value: string, secrets: Set<string>): string {
  const [, scheme = '', key = ''] = /^((?:Bearer|Basic)\s+)?(.*)$/is.exec(value) ?? [];
  if (key === '' || accountOf(key) !== undefined) return value;
  // A cookie belongs to another program, and its parts may be common words.
  if (!/cookie/i.test(name)) secrets.add(key);
  return `${scheme}${hidden}`;
}

function hideInQuery(path: string, start: number, secrets: Set<string>): string {
  const parameters = path.slice(start + 1).split('&');
  const shown = parameters.map((parameter) => {
    const [[name, value] = ['', '']] = new URLSearchParams(parameter);
    if (!secretName.test(name) || value === '' || accountOf(value) !== undefined) return parameter;
    const [rawName = '', ...rawValue] = parameter.split('=');
    secrets.add(value).add(rawValue.join('='));
    return `${rawName}=${hidden}`;
  });
  return `${path.slice(0, start)}?${shown.join('&')}`;
}

function hideAll(text: string, secrets: ReadonlySet<string>): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length >= shortestSecret) result = result.replaceAll(secret, hidden);
  }
  return result.replace(issuedKey, hidden);
}
