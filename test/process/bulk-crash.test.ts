import { writeFileSync } from 'node:fs';
import { createServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createPlace, finished, type Place, type Started } from '../support/process.ts';
import { serveSandbox } from '../support/served.ts';

/** Where in the life of a request its sender is killed. */
const moments = ['before', 'accepted', 'answered'] as const;

interface Killer {
  readonly baseUrl: string;
  /** Kills this process at the `after`-th request from now. */
  aim(target: Started, after: number, moment: (typeof moments)[number]): void;
}

/** Passes requests on to a service, and kills the sender in the middle of one. */
async function startKiller(service: string): Promise<Killer> {
  let kill: { target: Started; after: number; moment: (typeof moments)[number] } | undefined;
  const strike = (moment: string): boolean => {
    if (kill === undefined || kill.after > 0 || kill.moment !== moment) return false;
    kill.target.kill('SIGKILL');
    kill = undefined;
    return true;
  };
  const server = createServer((incoming, outgoing) => {
    if (kill !== undefined) kill.after--;
    if (strike('before')) {
      incoming.socket.destroy();
      return;
    }
    const { method, url = '', headers } = incoming;
    const forward = httpRequest(service + url, { method, headers }, (reply) => {
      if (strike('accepted')) {
        incoming.socket.destroy();
        return;
      }
      outgoing.writeHead(reply.statusCode ?? 502, reply.headers);
      reply.pipe(outgoing).on('finish', () => strike('answered'));
    });
    // The sender has just been killed.
    forward.on('error', () => outgoing.destroy());
    incoming.on('error', () => forward.destroy());
    incoming.pipe(forward);
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // Listening on a port.
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/api`,
    aim: (target, after, moment) => {
      kill = { target, after, moment };
    },
  };
}

function writePeople(place: Place, rows: number): void {
  const lines = Array.from(
    { length: rows },
    (_, index) => `p${index + 1}@example.org,Name ${index + 1}`,
  );
  writeFileSync(join(place.home, 'people.csv'), `to,name\n${lines.join('\n')}\n`);
}

const line = [
  'email',
  'batch',
  'people.csv',
  '--from',
  'hello@example.com',
  '--subject',
  'Hi {{ name }}',
  '--text',
  'Hello',
  '--yes',
  '--results',
  'results.jsonl',
  '--concurrency',
  '3',
];

test('killed 50 times and gone on with, a run of 5,000 rows sends each once', async () => {
  const place = createPlace();
  const served = await serveSandbox(place);
  const killer = await startKiller(served.url);
  writePeople(place, 5000);
  const env = { ...served.env, MAILER_BASE_URL: killer.baseUrl };
  let kills = 0;
  for (let turn = 0; turn < 50; turn++) {
    const run = place.start(line, { env });
    killer.aim(run, 1 + (turn % 3), moments[turn % moments.length] ?? 'before');
    const { signal } = await finished(run);
    if (signal === 'SIGKILL') kills++;
  }
  const last = await place.run(line, { env });
  expect({ kills, exitCode: last.exitCode, stderr: last.stderr }).toMatchObject({ exitCode: 0 });
  const listed = await place.run('email list --all --jsonl --fields to', { env: served.env });
  const to = listed.stdout.trimEnd().split('\n');
  expect(to.filter((one) => one.includes('"p'))).toHaveLength(5000);
});
