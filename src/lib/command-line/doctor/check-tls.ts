import { accessSync, constants } from 'node:fs';
import { attempt } from '../../../shared/attempt.ts';
import type { Handshake, ProbeFailure, TlsProbe } from '../../base/system/probes.ts';
import type { System } from '../../base/system/system.ts';
import { shellQuote } from '../../base/text/shell-quote.ts';
import { hostAndPort, isAddress } from '../../service/http/network/proxies.ts';
import { tlsFailure } from '../../service/http/network/tls-failure.ts';
import { type Check, failed, ok, skipped, warning } from './check.ts';

const day = 24 * 60 * 60_000;
/** A certificate that expires within this many days is reported. */
const short = 14;

/** Checks TLS if `url` is https. If there is no connection at all, the check of the URL reports it. */
export function checkTls(system: System, url: URL, probe: TlsProbe | undefined): Check {
  if (probe === undefined) return skipped('tls', 'Not used: the URL is plain http');
  switch (probe.stage) {
    case 'connect':
    case 'tunnel':
      return skipped('tls', 'Not tried, as there was no connection');
    case 'handshake':
      return noHandshake(system, url, probe.failure);
    case 'done':
      return probe.handshake.problem === undefined
        ? trusted(system, probe.handshake)
        : untrusted(system, url, probe.handshake, probe.handshake.problem);
  }
}

function trusted({ now }: System, { protocol, issuer, validTo }: Handshake): Check {
  const days = Math.floor((validTo - now()) / day);
  const until = `${days} ${days === 1 ? 'day' : 'days'} left (until ${dateOf(validTo)})`;
  const detail = `${protocol}, certificate by ${issuer || 'an unnamed issuer'}, ${until}`;
  return days < short
    ? warning('tls', detail, 'Renew the certificate before it expires.')
    : ok('tls', detail);
}

function noHandshake(system: System, url: URL, { code, message }: ProbeFailure): Check {
  const fail = (detail: string, remedy: string) => failed('tls', 'unavailable', detail, remedy);
  if (code === 'ETIMEDOUT') {
    return fail(
      `${url.host} did not finish the handshake in time`,
      'Run the command again with more time, such as --timeout 60, or check for a firewall in between.',
    );
  }
  if (code === 'ECONNRESET') {
    return fail(
      `${url.host} closed the connection during the handshake`,
      'Check the port in the base URL, and check for a firewall in between.',
    );
  }
  const { subject, predicate, remedy } = tlsFailure(code, message, system);
  const whose = subject === 'host' ? url.host : 'The certificate';
  return fail(`${whose} ${predicate}`, remedy === undefined ? more(system, url) : `${remedy}.`);
}

function untrusted(system: System, url: URL, handshake: Handshake, problem: string): Check {
  const { issuer, validFrom, validTo, names } = handshake;
  const by = issuer === '' ? '' : ` (issuer: ${issuer})`;
  const fail = (detail: string, remedy: string) => failed('tls', 'unavailable', detail, remedy);
  const today = `this machine's date, ${dateOf(system.now())}, is right`;
  switch (problem) {
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return fail(
        `The certificate is for ${names.join(', ') || 'no name at all'}, not for ${hostAndPort(url).host}`,
        'Use one of its names in the base URL, or check what the name resolves to.',
      );
    case 'CERT_HAS_EXPIRED':
      return fail(`The certificate expired on ${dateOf(validTo)}${by}`, `Renew it, if ${today}.`);
    case 'CERT_NOT_YET_VALID':
      return fail(
        `The certificate is not valid until ${dateOf(validFrom)}${by}`,
        `Check that ${today}.`,
      );
    default: {
      const { predicate, remedy = '' } = tlsFailure(problem, '', system);
      return fail(
        `The certificate ${predicate}${by}`,
        `${extraCas(system)}${remedy}` || more(system, url),
      );
    }
  }
}

function more(system: System, url: URL): string {
  const { port } = hostAndPort(url);
  const name = isAddress(url) ? [] : ['-servername', url.hostname];
  const line = ['openssl', 's_client', '-connect', `${url.hostname}:${port}`, ...name];
  return `For details, run: ${shellQuote(line, system)}`;
}

/** Node ignores a file that it cannot read. */
function extraCas({ env }: System): string {
  const path = env.NODE_EXTRA_CA_CERTS;
  if (!path) return '';
  const unreadable = `NODE_EXTRA_CA_CERTS names ${path}, which cannot be read. `;
  return attempt(() => accessSync(path, constants.R_OK), unreadable) ?? '';
}

function dateOf(ms: number): string {
  return Number.isNaN(ms) ? 'an unknown date' : new Date(ms).toISOString().slice(0, 10);
}
