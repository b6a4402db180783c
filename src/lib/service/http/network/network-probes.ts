import { lookup } from 'node:dns/promises';
import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';
import { unlessAborted } from '../../../base/system/abort.ts';
import type { Handshake, ProbeFailure, Probes } from '../../../base/system/probes.ts';
import { isLoopback } from './base-url.ts';
import { lookUpLoopback, loopbackAddresses } from './loopback.ts';
import { credentialsOf, hostAndPort, isAddress } from './proxies.ts';
import { speaksFirst } from './tls-codes.ts';

/** Opens network probes. */
export function openProbes(): Probes {
  return {
    async lookUp(host, signal) {
      if (isLoopback(host)) return { addresses: loopbackAddresses };
      try {
        const found = await unlessAborted(signal, lookup(host, { all: true }));
        return { addresses: found.map(({ address }) => address) };
      } catch (error) {
        return { failure: probeFailure(error, signal) };
      }
    },
    async reach(url, signal) {
      try {
        (await openTcp(url, signal)).destroy();
        return undefined;
      } catch (error) {
        return probeFailure(error, signal);
      }
    },
    async shakeHands(target, proxy, signal) {
      let opened: Opened;
      try {
        opened =
          proxy === undefined
            ? { socket: await openTcp(target, signal), status: 200, head: Buffer.alloc(0) }
            : await openTunnel(proxy, target, signal);
      } catch (error) {
        return { stage: 'connect', failure: probeFailure(error, signal) };
      }
      const { socket, status, head } = opened;
      try {
        if (status !== 200) return { stage: 'tunnel', status };
        if (head.length > 0) throw speaksFirst();
        return { stage: 'done', handshake: await shakeHands(socket, target, signal) };
      } catch (error) {
        return { stage: 'handshake', failure: probeFailure(error, signal) };
      } finally {
        socket.destroy();
      }
    },
  };
}

interface Opened {
  readonly socket: Socket;
  readonly status: number;
  /** What came before the handshake. */
  readonly head: Buffer;
}

function openTcp(url: URL, signal: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const lookup = isLoopback(url.hostname) ? { lookup: lookUpLoopback } : {};
    const socket = connectTcp({ ...hostAndPort(url), ...lookup });
    socket.once('connect', () => resolve(socket));
    rejectWhenClosed(socket, signal, reject);
  });
}

function openTunnel(proxy: URL, target: URL, signal: AbortSignal): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const { host, port } = hostAndPort(target);
    const authority = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
    const credentials = credentialsOf(proxy);
    const basic = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`;
    const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
      ...hostAndPort(proxy),
      method: 'CONNECT',
      path: authority,
      headers: { host: authority, ...(basic ? { 'proxy-authorization': basic } : {}) },
      agent: false,
      rejectUnauthorized: true,
      signal,
    });
    request.on('connect', ({ statusCode = 0 }, socket: Socket, head) => {
      rejectWhenClosed(socket, signal, reject);
      resolve({ socket, status: statusCode, head });
    });
    request.on('error', reject);
    request.end();
  });
}

function shakeHands(socket: Socket, target: URL, signal: AbortSignal): Promise<Handshake> {
  return new Promise((resolve, reject) => {
    const { host } = hostAndPort(target);
    const secure = connectTls({
      socket,
      host,
      ...(isAddress(target) ? {} : { servername: host }),
      ALPNProtocols: ['http/1.1'],
      // An untrusted certificate is the one most worth reading.
      rejectUnauthorized: false,
    });
    secure.once('secureConnect', () => {
      resolve(describe(secure));
      secure.destroy();
    });
    rejectWhenClosed(secure, signal, reject);
  });
}

function describe(socket: TLSSocket): Handshake {
  const certificate = socket.getPeerCertificate();
  const { O, CN } = certificate.issuer;
  const names = (certificate.subjectaltname ?? '').split(', ').filter((one) => one !== '');
  // Declared as an error, but it is an error code.
  const problem: unknown = socket.authorizationError;
  return {
    protocol: socket.getProtocol() ?? 'TLS',
    issuer: [O ?? CN ?? ''].flat().join(', '),
    validFrom: Date.parse(certificate.valid_from),
    validTo: Date.parse(certificate.valid_to),
    names:
      names.length > 0
        ? names.map((one) => one.replace(/^(DNS|IP Address):/, ''))
        : [certificate.subject.CN ?? []].flat(),
    problem: problem ? String(problem) : undefined,
  };
}

/** Rejects if the socket fails or closes first; an abort closes it. */
function rejectWhenClosed(
  socket: Socket,
  signal: AbortSignal,
  reject: (error: unknown) => void,
): void {
  const abort = () => socket.destroy();
  signal.addEventListener('abort', abort, { once: true });
  socket.on('error', reject);
  socket.once('close', () => {
    signal.removeEventListener('abort', abort);
    reject(Object.assign(new Error('The connection was lost.'), { code: 'ECONNRESET' }));
  });
}

/** A connection failure as a result. Throws the reason of an abort other than a timeout. */
export function probeFailure(error: unknown, signal: AbortSignal): ProbeFailure {
  if (signal.aborted) {
    const { reason } = signal;
    if (!(reason instanceof DOMException && reason.name === 'TimeoutError')) throw reason;
    return { code: 'ETIMEDOUT', message: 'It took too long.' };
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  // A name with several addresses has an error for each.
  const first: unknown = error instanceof AggregateError ? (error.errors[0] ?? error) : error;
  return { code, message: first instanceof Error ? first.message : String(first) };
}
