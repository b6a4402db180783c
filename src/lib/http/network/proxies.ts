import { isIP } from 'node:net';
import { UnavailableError } from '../../errors.ts';
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
 * that finds the route to a URL. This machine is never reached through a proxy: a key may be sent
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
  if (value === '') return undefined;
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(value) ? value : `http://${value}`);
  if (url !== null && proxySchemes.test(url.protocol) && credentialsOf(url) !== null) {
    return { variable, url };
  }
  throw new UnavailableError(`${variable} is not the URL of a proxy.`, {
    hint: 'Write it as http://host:port',
  });
}

/** `user:password` of a proxy's URL, decoded; null if they cannot be decoded. */
export function credentialsOf({ username, password }: URL): string | undefined | null {
  if (username === '') return undefined;
  try {
    return `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  } catch {
    return null;
  }
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
 * Whether an entry of NO_PROXY covers a URL, as in undici's EnvHttpProxyAgent: `*`; a host and all
 * names below it; `*.host` for only the names below. Each may have a port.
 */
function covers(entry: string, target: URL): boolean {
  const { host, port } = splitPort(entry);
  const at = hostAndPort(target);
  if (Number(port) !== 0 && Number(port) !== at.port) return false;
  if (host === '*') return true;
  const name = host
    .replace(/^\*?\./, '')
    .replace(/(.)\.$/, '$1')
    .toLowerCase();
  const targetName = at.host.replace(/(.)\.$/, '$1');
  return targetName.endsWith(`.${name}`) || (targetName === name && !entry.startsWith('*'));
}

/** An IPv6 address contains colons, and has brackets if a port follows. */
function splitPort(entry: string): { host: string; port: string } {
  const [, bracketed, bare, port = ''] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(entry) ?? [];
  return { host: bracketed ?? bare ?? entry, port };
}
