import { BlockList, isIP } from 'node:net';
import { attempt } from '../../../../shared/attempt.ts';
import { UnavailableError } from '../../../base/errors.ts';
import { isQuoted } from '../../../base/text/is-quoted.ts';
import { isLoopback } from './base-url.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** A proxy, and the environment variable that names it. Its URL may contain a password. */
export interface NamedProxy {
  readonly variable: string;
  readonly url: URL;
}

/** How requests reach a URL. */
export type ProxyRoute =
  | { readonly kind: 'proxy'; readonly proxy: NamedProxy }
  /** `unset`: no variable names a proxy for it; `exempt`: NO_PROXY does. */
  | { readonly kind: 'direct'; readonly reason: 'unset' | 'loopback' | 'exempt' };

/** The scheme of a proxy is optional. */
const proxySchemes = /^(https?|socks5?):$/;

/**
 * Reads `HTTPS_PROXY`, `HTTP_PROXY` and `NO_PROXY`, in lower or upper case, and returns a function
 * that finds the route to a URL. Where `REQUEST_METHOD` is set, as in a CGI script, `HTTP_PROXY` is a header of
 * whoever calls it (CVE-2016-5385) and does not count. This machine is never reached through a proxy: a key may be sent
 * to it over plain http, and must stay here. Throws an `UnavailableError` if a variable is not the
 * URL of a proxy; the error does not contain the value.
 */
export function readProxies(env: Env): (target: URL) => ProxyRoute {
  const http = readProxy(env, 'HTTP_PROXY');
  const https = readProxy(env, 'HTTPS_PROXY') ?? http;
  const exempt = (env.no_proxy || env.NO_PROXY || '').split(/[,\s]+/).filter((one) => one !== '');
  return (target) => {
    if (isLoopback(target.hostname)) return { kind: 'direct', reason: 'loopback' };
    const proxy = target.protocol === 'https:' ? https : http;
    if (proxy === undefined) return { kind: 'direct', reason: 'unset' };
    return exempt.some((entry) => covers(entry, target))
      ? { kind: 'direct', reason: 'exempt' }
      : { kind: 'proxy', proxy };
  };
}

function readProxy(env: Env, name: 'HTTP_PROXY' | 'HTTPS_PROXY'): NamedProxy | undefined {
  const variable = env[name.toLowerCase()] ? name.toLowerCase() : name;
  const value = env[variable] ?? '';
  if (value === '' || (variable === 'HTTP_PROXY' && env.REQUEST_METHOD)) return undefined;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  // A `#`, `/` or `?` in a password ends the host: what stands before it is another one.
  const isWhole = url !== null && !`${url.pathname}${url.search}${url.hash}`.includes('@');
  if (
    isWhole &&
    !isQuoted(value) &&
    proxySchemes.test(url.protocol) &&
    credentialsOf(url) !== null
  ) {
    return { variable, url };
  }
  throw new UnavailableError(`${variable} is not the URL of a proxy.`, {
    hint: howToWrite(value),
  });
}

function howToWrite(value: string): string {
  if (isQuoted(value)) return 'Its value begins and ends with quotes: remove them';
  const [, credentials = ''] = /^(?:[a-z][a-z\d+.-]*:\/\/)?(.*)@/i.exec(value) ?? [];
  const [odd] = /[#/?]|%(?![\da-f]{2})/i.exec(credentials) ?? [];
  if (odd === undefined) return 'Write it as http://host:port';
  return `In its user name and password, write ${odd} as ${encodeURIComponent(odd)}`;
}

/** `user:password` of a proxy's URL, decoded; null if they cannot be decoded. */
export function credentialsOf({ username, password }: URL): string | undefined | null {
  if (username === '') return undefined;
  return attempt(() => `${decodeURIComponent(username)}:${decodeURIComponent(password)}`, null);
}

const defaultPorts: Readonly<Record<string, number>> = {
  'http:': 80,
  'https:': 443,
  'socks:': 1080,
  'socks5:': 1080,
};

/** Host and port as sockets take them: an IPv6 address without brackets. */
export function hostAndPort({ hostname, port, protocol }: URL): { host: string; port: number } {
  return {
    host: hostname.replace(/^\[(.+)\]$/, '$1'),
    port: port === '' ? (defaultPorts[protocol] ?? 80) : Number(port),
  };
}

/** Whether the host of a URL is an IP address. */
export function isAddress(url: URL): boolean {
  return isIP(hostAndPort(url).host) !== 0;
}

/**
 * Whether an entry of NO_PROXY covers a URL: `*`; a host and all names below it; `*.host` for only the names below.
 * Each may have a port. A network (`10.0.0.0/8`, `2001:db8::/32`) covers addresses, as in curl.
 */
function covers(entry: string, target: URL): boolean {
  const at = hostAndPort(target);
  if (entry.includes('/')) return isWithin(at.host, entry);
  const { host, port } = splitPort(entry);
  if (Number(port) !== 0 && Number(port) !== at.port) return false;
  if (host === '*') return true;
  if (isIP(host) !== 0) return isWithin(at.host, host);
  const name = host
    .replace(/^\*?\./, '')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
  const targetName = at.host.replace(/(.)\.$/, '$1');
  return targetName.endsWith(`.${name}`) || (targetName === name && !entry.startsWith('*'));
}

/** Whether `host` is an address of a network, which may be a single address. */
function isWithin(host: string, network: string): boolean {
  const [, address = '', digits] = /^\[?([^[\]/]+)\]?(?:\/(\d{1,3}))?$/.exec(network) ?? [];
  const version = isIP(address);
  const length = version === 6 ? 128 : 32;
  const prefix = digits === undefined ? length : Number(digits);
  if (version === 0 || isIP(host) !== version || prefix > length) return false;
  const family = version === 6 ? 'ipv6' : 'ipv4';
  const list = new BlockList();
  list.addSubnet(address, prefix, family);
  return list.check(host, family);
}

/** An IPv6 address contains colons, and has brackets if a port follows. */
function splitPort(entry: string): { host: string; port: string } {
  const [, bracketed, bare, port = ''] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  return { host: bracketed ?? bare ?? entry, port };
}
