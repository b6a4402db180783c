import { UnavailableError } from '../../base/errors.ts';
import type { ProbeFailure, Probes, TlsProbe } from '../../base/system/probes.ts';
import type { System } from '../../base/system/system.ts';
import {
  hostAndPort,
  isAddress,
  type NamedProxy,
  type ProxyRoute,
  readProxies,
} from '../../service/http/network/proxies.ts';
import { type Check, failed, ok, skipped } from './check.ts';
import { checkDns } from './check-dns.ts';
import { checkTls } from './check-tls.ts';

/** The steps between this machine and the service. */
export interface ConnectionChecks {
  readonly proxy: Check;
  readonly dns: Check;
  readonly tls: Check;
}

/** The route to `url`, or a failed check if the environment names an invalid proxy. */
export function findRoute(env: System['env'], url: URL): ProxyRoute | Check {
  try {
    return readProxies(env)(url);
  } catch (error) {
    if (!(error instanceof UnavailableError)) throw error;
    return failed('proxy', error.code, error.message, error.details.hint ?? '');
  }
}

/** Checks each step on the way to `url`; each probe may take `timeout` milliseconds. */
export async function checkConnection(
  system: System,
  url: URL,
  way: ProxyRoute,
  timeout: number,
): Promise<ConnectionChecks> {
  const probes = await system.probes();
  const signal = () => AbortSignal.any([system.signal, AbortSignal.timeout(timeout)]);
  return way.kind === 'proxy'
    ? await throughProxy(system, probes, url, way.proxy, signal)
    : await directly(system, probes, url, way.reason, signal);
}

async function directly(
  system: System,
  probes: Probes,
  url: URL,
  reason: 'unset' | 'loopback' | 'exempt',
  signal: () => AbortSignal,
): Promise<ConnectionChecks> {
  const [dns, probe] = await Promise.all([
    checkDns(system, probes, url, signal()),
    url.protocol === 'https:' ? probes.shakeHands(url, undefined, signal()) : undefined,
  ]);
  const tls =
    dns.state === 'FAILED'
      ? skipped('tls', 'Not tried, as dns failed')
      : checkTls(system, url, probe);
  return { proxy: ok('proxy', noProxy[reason]), dns, tls };
}

const noProxy = {
  unset: 'None: no variable sets one',
  loopback: 'None: the host is this machine',
  exempt: 'None: NO_PROXY includes this host',
};

async function throughProxy(
  system: System,
  probes: Probes,
  url: URL,
  proxy: NamedProxy,
  signal: () => AbortSignal,
): Promise<ConnectionChecks> {
  const dns = isAddress(url)
    ? skipped('dns', `${hostAndPort(url).host} is an address`)
    : skipped('dns', 'The proxy looks it up');
  // Only these open a tunnel for a handshake of our own.
  const canTunnel = url.protocol === 'https:' && /^https?:$/.test(proxy.url.protocol);
  if (!canTunnel) {
    const failure = await probes.reach(proxy.url, signal());
    const check = failure === undefined ? reached(proxy) : unreached(proxy, failure);
    const tls =
      url.protocol === 'https:'
        ? skipped('tls', 'Not tested: the proxy is not an HTTP proxy')
        : checkTls(system, url, undefined);
    return { proxy: check, dns, tls };
  }
  const probe = await probes.shakeHands(url, proxy.url, signal());
  const check = checkTunnel(url, proxy, probe);
  const tls =
    check.state === 'FAILED'
      ? skipped('tls', 'Not tried, as proxy failed')
      : checkTls(system, url, probe);
  return { proxy: check, dns, tls };
}

function checkTunnel(url: URL, proxy: NamedProxy, probe: TlsProbe): Check {
  if (probe.stage === 'connect') return unreached(proxy, probe.failure);
  return probe.stage === 'tunnel' ? refused(url, proxy, probe.status) : reached(proxy);
}

function reached(proxy: NamedProxy): Check {
  return ok('proxy', `${shown(proxy)} accepts connections`);
}

function unreached(proxy: NamedProxy, { code, message }: ProbeFailure): Check {
  const { host } = proxy.url;
  const reason =
    code === 'ENOTFOUND' || code === 'EAI_AGAIN'
      ? `the name ${proxy.url.hostname} was not found`
      : code === 'ECONNREFUSED'
        ? `${host} refused the connection`
        : code === 'ETIMEDOUT'
          ? `${host} did not respond in time`
          : message;
  return failed(
    'proxy',
    'unavailable',
    `${shown(proxy)} cannot be used: ${reason}`,
    `Correct ${proxy.variable}, or use no proxy: unset ${proxy.variable}, or add the host to NO_PROXY`,
  );
}

/** The check for a proxy that does not connect to `url`. A 407 is about its user name and password. */
export function refused(url: URL, proxy: NamedProxy, status: number): Check {
  return failed(
    'proxy',
    'unavailable',
    `${shown(proxy)} rejected the connection to ${url.host}: it responded with ${status}`,
    status === 407
      ? `Add user name and password: ${proxy.variable}=http://user:password@${proxy.url.host}`
      : `Allow ${url.host} on the proxy, or add it to NO_PROXY if it can be reached directly`,
  );
}

/** The variable and its value, without user name and password. */
function shown({ variable, url }: NamedProxy): string {
  const credentials = url.username === '' && url.password === '' ? '' : '***@';
  return `${variable}=${url.protocol}//${credentials}${url.host}`;
}
