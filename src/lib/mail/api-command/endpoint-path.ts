import { UsageError } from '../../base/errors.ts';
import { decoded } from '../../base/text/decoded.ts';

/**
 * Path and query below the base URL, with a leading slash, from `/v1/doc`, `v1/doc` or a full URL below
 * `baseUrl`. Throws a `UsageError` for anything that might lead elsewhere.
 */
export async function endpointPath(
  given: string,
  baseUrl: () => Promise<string | undefined>,
): Promise<string> {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: URLs drop them without a word
  if (/[\x00-\x1f\x7f-\x9f]/.test(given)) {
    throw new UsageError('PATH must not contain control characters');
  }
  if (given.includes('#')) {
    throw new UsageError('PATH must not contain #, which begins a fragment', {
      hint: 'Where it is part of a name, write %23',
    });
  }
  const [pathname = ''] = given.split('?', 1);
  if (pathname === '') throw new UsageError('PATH is empty', { hint: 'For example: /v1/doc' });
  if (pathname.includes('\\') || pathname.split('/').some(isDots)) {
    throw new UsageError('PATH must not contain . or .. as a part, nor a backslash');
  }
  if (pathname.startsWith('//')) throw new UsageError('PATH must not begin with //');
  if (/^[a-z][a-z\d+.-]*:/i.test(given)) return belowBase(given, await baseUrl());
  return (given.startsWith('/') ? given : `/${given}`).replaceAll(' ', '%20');
}

/** Whether servers may read a part of a path as `.` or `..`. */
function isDots(part: string): boolean {
  return decoded(part)
    .split(/[/\\]/)
    .some((one) => one === '.' || one === '..');
}

function belowBase(given: string, baseUrl: string | undefined): string {
  if (baseUrl === undefined) {
    throw new UsageError('PATH is a URL, but there is no base URL to compare it with');
  }
  const url = URL.parse(given);
  const base = new URL(baseUrl);
  const top = base.pathname.replace(/\/$/, '');
  const isBelow =
    url?.origin === base.origin &&
    url.username + url.password === '' &&
    url.pathname.startsWith(`${top}/`);
  if (isBelow) return url.pathname.slice(top.length) + url.search;
  // Shells of Git for Windows change /v1/doc to C:/Program Files/Git/v1/doc.
  const hint = /^[a-z]:\//i.test(given)
    ? 'If the shell changed it to a file path, leave out the first slash.'
    : 'The key is sent nowhere else. Give a path below it, such as /v1/doc';
  throw new UsageError(`PATH is not below the base URL ${baseUrl}`, { hint });
}
