import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { parseFault } from '../../src/sandbox/http/faults/fault.ts';
import type { Language } from '../../src/sandbox/http/language.ts';
import { serve } from '../../src/sandbox/http/serve.ts';
import { openSandbox } from '../../src/sandbox/open.ts';
import { openDatabase } from '../../src/sandbox/store/sqlite.ts';
import { putExampleData } from './example-data.ts';
import { createWorld, type World } from './run.ts';

/** A request as recorded by the service. */
export interface KnownRequest {
  readonly method: string;
  readonly path: string;
  /** 0 if there was no response. */
  readonly status: number;
  readonly key: string | null;
}

/** A machine with an account on a service that fails on purpose, over HTTP. */
export interface FaultyService {
  readonly world: World;
  /** The requests recorded by the service, in order. */
  requests(): KnownRequest[];
  /** Recipients of the emails stored by the service. */
  recipients(): string[];
}

export async function faultyService(
  faults: readonly string[],
  rateLimit?: number,
  language?: Language,
): Promise<FaultyService> {
  const world = createWorld();
  const directory = join(world.home, 'service');
  putExampleData(directory, world.clock.now);
  const sandbox = openSandbox({
    directory,
    now: () => world.clock.now,
    faults: faults.map(parseFault),
    rateLimit,
    language,
  });
  const server = await serve({ fetch: sandbox.fetch, port: 0 });
  const database = openDatabase(sandbox.path);
  onTestFinished(async () => {
    await server.close();
    database.close();
    sandbox.close();
  });
  Object.assign(world.env, { MAILER_BASE_URL: server.url, MAILER_API_KEY: sandbox.apiKey });
  return {
    world,
    requests: () =>
      database
        .prepare('SELECT method, path, status, request_headers FROM requests ORDER BY seq')
        .all()
        .map(({ method, path, status, request_headers: headers }) => ({
          method: String(method),
          path: String(path),
          status: Number(status),
          key: new Headers(JSON.parse(String(headers))).get('Idempotency-Key'),
        })),
    recipients: () =>
      database
        .prepare("SELECT recipients FROM emails WHERE id NOT LIKE 'email\\_%' ESCAPE '\\'")
        .all()
        .flatMap(({ recipients }): string[] => JSON.parse(String(recipients))),
  };
}
