import type { ProbeFailure, Probes } from '../../base/system/probes.ts';
import type { System } from '../../base/system/system.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { hostAndPort, isAddress } from '../../service/http/network/proxies.ts';
import { type Check, failed, ok, skipped } from './check.ts';

/** Checks that the service's name resolves to an address, and reports how long that took. */
export async function checkDns(
  system: Pick<System, 'env' | 'monotonic' | 'platform'>,
  probes: Probes,
  url: URL,
  signal: AbortSignal,
): Promise<Check> {
  const { host } = hostAndPort(url);
  if (isAddress(url)) return skipped('dns', `${host} is an address`);
  const started = system.monotonic();
  const result = await probes.lookUp(host, signal);
  const ms = Math.round(system.monotonic() - started);
  if ('addresses' in result) {
    return ok('dns', `${host} is ${result.addresses.join(', ')} (${ms} ms)`);
  }
  const { detail, remedy } = explain(host, result.failure, shellQuote(['nslookup', host], system));
  return failed('dns', 'unavailable', `${detail} (${ms} ms)`, remedy);
}

/** `look` is a command that shows more details. */
function explain(host: string, { code, message }: ProbeFailure, look: string) {
  switch (code) {
    case 'ENOTFOUND':
      return {
        detail: `The name ${host} was not found`,
        remedy: `Check its spelling in the base URL, and whether it needs a VPN: ${look}`,
      };
    case 'EAI_AGAIN':
    case 'ETIMEDOUT':
      return {
        detail: `No DNS server responded for ${host}`,
        remedy: `Check the network and the DNS servers of this machine: ${look}`,
      };
    default:
      return {
        detail: `${host} could not be looked up: ${message}`,
        remedy: `Check the base URL and the network: ${look}`,
      };
  }
}
