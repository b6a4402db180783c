import { UsageError } from '../../../base/errors.ts';

/**
 * A base URL in the form that requests need: `https://mail.example.com/api`, without a trailing
 * slash and `/v1`, and in one spelling. `host:4100` gets a scheme: https, or http for this machine.
 * Throws a `UsageError` that names its `source`, but not the value, which may be a key pasted by
 * mistake.
 */
export function normalizeBaseUrl(value: string, source: string): string {
  const url = parseUrl(value);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`${source}: not an http or https URL`, {
      hint: 'Write it in full, such as https://mail.example.com/api',
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw new UsageError(`${source}: must not contain a user name or a password`);
  }
  if (url.search !== '' || url.hash !== '') {
    throw new UsageError(`${source}: must not contain ? or #`);
  }
  return url.origin + inOneSpelling(url.pathname).replace(/\/$/, '').replace(/\/v1$/, '');
}

/** A path without doubled slashes, and without escapes that are not needed (RFC 3986, 6.2.2.2). */
function inOneSpelling(path: string): string {
  return path
    .replace(/%[\da-f]{2}/gi, (encoded) => {
      const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : encoded.toUpperCase();
    })
    .replace(/\/{2,}/g, '/');
}

/**
 * A base URL without anything after `/api`: people copy the URL of an endpoint, such as
 * `/api/v1/emails`.
 */
export function apiRoot(baseUrl: string): string {
  return /^(?!.*\/api$)(.*\/api)\//.exec(baseUrl)?.[1] ?? baseUrl;
}

/**
 * Scheme, host and port of a URL, such as `https://mail.example.com`; undefined if it is no URL.
 */
export function originOf(url: string | undefined): string | undefined {
  return url === undefined ? undefined : parseUrl(url)?.origin;
}

/**
 * A host with a dot or a port, or this machine. No key matches, so no key is looked up as a name.
 */
const bareHost =
  /^(localhost|\[[\da-f:.]+\]|[a-z\d-]{1,63}(:\d+|(\.[a-z\d-]{1,63})+))(:\d+)?(\/.*)?$/;

/** Parses a URL with or without a scheme; null if it is none. */
function parseUrl(value: string): URL | null {
  const text = value.trim();
  if (!bareHost.test(text)) return URL.parse(text);
  const url = URL.parse(`https://${text}`);
  return url !== null && isLoopback(url.hostname) ? URL.parse(`http://${text}`) : url;
}

/** Whether nobody can read the traffic to `url`: it is https, or stays on this machine. */
export function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'https:' || isLoopback(hostname);
}

/**
 * Whether a URL's host name or an address is this machine (RFC 6761, section 6.3, for names below `localhost`).
 */
export function isLoopback(hostname: string): boolean {
  // URL normalises all spellings of an IP address.
  return /^(127(\.\d+){3}|\[::1\]|::1|(.+\.)?localhost)$/.test(hostname);
}
