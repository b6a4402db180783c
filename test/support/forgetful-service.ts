import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { emailsIn } from './batch-service.ts';
import { key as apiKey, fileIn } from './connected.ts';
import { peopleCsv } from './people.ts';
import { createWorld, type World } from './run.ts';

const hour = 3_600_000;

/** What happens to a request, and to the clocks before its response arrives. */
export interface Fate {
  /** `lost`: carried out, but without a response. `missed`: does not arrive. `page`: a 502 of a proxy. */
  readonly kind: 'answered' | 'lost' | 'missed' | 'busy' | 'limited' | 'page';
  readonly after?: () => void;
}

export interface ForgetfulService {
  readonly world: World;
  /** Number of emails per recipient. */
  readonly delivered: ReadonlyMap<string, number>;
  /** Idempotency keys, in the order of the requests. */
  readonly keys: readonly unknown[];
  /** Lets time pass while the machine is off or asleep: only its wall clock advances. */
  sleep(ms: number): void;
  /** The headers of each response, from the service's time. */
  headers: (date: Date) => Readonly<Record<string, string>>;
  /** Decides what happens to the next request. */
  fate: (method: string, path: string) => Fate;
}

/**
 * A service that sends emails once per idempotency key, and forgets a key after 24 hours by its own clock,
 * which nobody sets. Its `Date` headers show that clock.
 */
export async function forgetfulService(rows: number): Promise<ForgetfulService> {
  const begin = Date.parse('2026-01-15T10:00:00Z');
  let slept = 0;
  const delivered = new Map<string, number>();
  const keys: unknown[] = [];
  const known = new Map<string, { readonly at: number; readonly ids: readonly string[] }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { kind, after } = service.fate(request.method ?? '', request.url ?? '');
      const body = Buffer.concat(chunks).toString('utf8');
      respond(response, request.method ?? '', kind, () => {
        const key = String(request.headers['idempotency-key']);
        keys.push(key);
        return carriedOut(key, body);
      });
      after?.();
    });
  });
  const now = () => begin + world.clock.elapsed + slept;

  const carriedOut = (key: string, body: string) => {
    const record = known.get(key);
    if (record !== undefined && now() - record.at < 24 * hour) return record.ids;
    const ids = emailsIn({ body }).map(({ to }) => {
      delivered.set(to, (delivered.get(to) ?? 0) + 1);
      return `em_${to}_${delivered.get(to)}`;
    });
    known.set(key, { at: now(), ids });
    return ids;
  };

  const respond = (
    response: ServerResponse,
    method: string,
    kind: Fate['kind'],
    carryOut: () => readonly string[],
  ) => {
    response.sendDate = false;
    const answer = (status: number, json: unknown) => {
      const headers = service.headers(new Date(now()));
      response.writeHead(status, { 'content-type': 'application/json', ...headers });
      response.end(JSON.stringify(json));
    };
    if (kind === 'page') {
      // The proxy's clock is days behind.
      const date = new Date(now() - 60 * hour).toUTCString();
      response.writeHead(502, { 'content-type': 'text/html', date });
      return void response.end('<html>Bad Gateway</html>');
    }
    if (kind === 'missed') return void response.destroy();
    if (kind === 'busy') return answer(503, { error: { code: 'X', message: 'Busy' } });
    if (kind === 'limited') return answer(429, { error: { code: 'RATE_LIMITED', message: 'No' } });
    const ids = method === 'POST' ? carryOut() : [];
    if (kind === 'lost') return void response.destroy();
    answer(200, { data: ids.map((emailId) => ({ emailId })) });
  };

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const world = createWorld({
    MAILER_API_KEY: apiKey,
    MAILER_BASE_URL: `http://127.0.0.1:${port}/api`,
  });
  fileIn(world, 'people.csv', peopleCsv(rows));
  const service: ForgetfulService = {
    world,
    delivered,
    keys,
    sleep(ms) {
      slept += ms;
      world.clock.now += ms;
    },
    headers: (date) => ({ date: date.toUTCString() }),
    fate: () => ({ kind: 'answered' }),
  };
  return service;
}
