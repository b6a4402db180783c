import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isPublicAddress } from '../../../../shared/public-address.ts';
import { unlessAborted } from '../../../base/system/abort.ts';
import type { PageAnswer, Pages } from '../../../base/system/web-pages.ts';
import { version } from '../../../base/version.ts';
import { probeFailure } from './network-probes.ts';
import { hostAndPort, isAddress } from './proxies.ts';

/** What a test replaces, because it is outside its control. */
export interface PagesEnvironment {
  /** The addresses of a name, at least one. */
  lookUp(host: string): Promise<readonly string[]>;
  isPublic(address: string): boolean;
  /** Milliseconds that a server has to respond. */
  readonly patience: number;
}

const internet: PagesEnvironment = {
  lookUp: async (host) => {
    // A machine without IPv6 may wait long for it.
    const found = await lookup(host, { all: true, order: 'ipv4first' });
    return found.map(({ address }) => address);
  },
  isPublic: isPublicAddress,
  patience: 10_000,
};

/** Connection failures after which the next address of a name may work. */
const unreached = /^(ECONNREFUSED|ENETUNREACH|EHOSTUNREACH|EADDRNOTAVAIL|ETIMEDOUT)$/;

/** Opens requests to public pages. */
export function openPages({ lookUp, isPublic, patience }: PagesEnvironment = internet): Pages {
  return {
    async ask(method, url, outer) {
      const signal = AbortSignal.any([outer, AbortSignal.timeout(patience)]);
      try {
        const addresses = await unlessAborted(signal, lookUp(hostAndPort(url).host));
        // One address that is not public is enough: the owner of the name decides which one is
        // used.
        const address = addresses.find((one) => !isPublic(one));
        if (address !== undefined) return { kind: 'private', address };
        return await askOneOf(addresses, { method, url, signal });
      } catch (error) {
        return { kind: 'failed', failure: probeFailure(error, signal) };
      }
    },
  };
}

interface PageRequest {
  readonly method: string;
  readonly url: URL;
  readonly signal: AbortSignal;
}

async function askOneOf(addresses: readonly string[], asked: PageRequest): Promise<PageAnswer> {
  const [address = '', ...others] = addresses;
  try {
    return await askAt(address, asked);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (others.length === 0 || !unreached.test(code)) throw error;
    return await askOneOf(others, asked);
  }
}

/** Connects to the very address that was checked: a second look-up might return another one. */
function askAt(address: string, { method, url, signal }: PageRequest): Promise<PageAnswer> {
  return new Promise((resolve, reject) => {
    const { host, port } = hostAndPort(url);
    const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
    const sent = request(
      {
        method,
        host: address,
        port,
        path: `${url.pathname}${url.search}`,
        headers: { host: url.host, 'user-agent': `mailer/${version}`, accept: '*/*' },
        // The certificate must be for the name, without a final dot.
        servername: isAddress(url) ? '' : host.replace(/\.$/, ''),
        agent: false,
        rejectUnauthorized: true,
        signal,
      },
      ({ statusCode = 0, headers: { location } }) => {
        resolve({ kind: 'answered', status: statusCode, location });
        sent.destroy();
      },
    );
    sent.on('error', reject);
    const lost = Object.assign(new Error('The connection was lost.'), { code: 'ECONNRESET' });
    sent.on('close', () => reject(lost));
    sent.end();
  });
}
