import { globSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { clientOf, type Sending } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';

/** Everything in the file, read without the API and its clock. */
function stored(place: Place) {
  const [name = ''] = globSync('*.sqlite', { cwd: place.sandboxDirectory });
  const database = new DatabaseSync(join(place.sandboxDirectory, name), { readOnly: true });
  const all = (sql: string) => database.prepare(sql).all();
  const found = {
    emails: all('SELECT id, subject FROM emails'),
    events: all('SELECT email_id AS id, status FROM events'),
    requests: all('SELECT method, path, status, request_body AS body FROM requests'),
    jobs: all('SELECT kind FROM jobs'),
    check: all('PRAGMA integrity_check'),
  };
  database.close();
  return found;
}

test('32 clients at once lose nothing', async () => {
  const place = createPlace();
  const served = await serveSandbox(place);
  const client = clientOf(served);
  const sendings = Array.from({ length: 32 }, (_, number) =>
    Array.from({ length: 5 }, (_, index): Sending => ({ key: `${number}-${index}` })),
  );
  const statuses = await Promise.all(
    sendings.map(async (mine) => {
      const statuses: number[] = [];
      for (const sending of mine) statuses.push(await client.send(sending));
      return statuses;
    }),
  );
  expect(new Set(statuses.flat())).toEqual(new Set([200]));

  const sent = sendings.flat();
  const subjects = await client.subjects();
  expect(subjects.size).toBe(162);
  for (const { key, id } of sent) expect(subjects.get(id ?? '')).toBe(key);
  const found = stored(place);
  const posts = found.requests.filter(({ method }) => method === 'POST');
  expect(posts).toHaveLength(160);
  for (const { status } of posts) expect(status).toBe(200);
  expect(new Set(posts.map(({ body }) => JSON.parse(String(body)).subject))).toEqual(
    new Set(sent.map(({ key }) => key)),
  );

  await runHere(place, 'sandbox advance 1m');
  const { events, jobs, check } = stored(place);
  const history = Map.groupBy(events, ({ id }) => id);
  for (const { id = '' } of sent) {
    expect(history.get(id)?.map(({ status }) => status)).toEqual(['DELIVERED', 'SENT']);
  }
  expect({ jobs, check }).toEqual({ jobs: [], check: [{ integrity_check: 'ok' }] });
});

test('a kill under load, four times, loses no accepted email', async () => {
  const place = createPlace();
  const sent: Sending[] = [];
  let random = 1;
  for (let round = 0; round < 4; round++) {
    // The same pseudo-random numbers every time (Park and Miller).
    random = (random * 48_271) % 2_147_483_647;
    const acknowledgedAtKill = 1 + (random % 60);
    const served = await serveSandbox(place);
    const client = clientOf(served);
    let acknowledged = 0;
    let killed = false;
    const worker = async (name: number) => {
      for (let index = 0; ; index++) {
        const sending: Sending = { key: `${round}-${name}-${index}` };
        sent.push(sending);
        try {
          expect(await client.send(sending)).toBe(200);
        } catch (error) {
          // The connection is gone, and the outcome is unknown.
          if (killed) return;
          throw error;
        }
        if (++acknowledged === acknowledgedAtKill) killed = served.process.kill('SIGKILL');
      }
    };
    await Promise.all([1, 2, 3, 4].map(worker));
    expect(await served.process).toMatchObject({ signal: 'SIGKILL' });
  }

  const after = await serveSandbox(place);
  const client = clientOf(after);
  const found = await client.subjects();
  const acknowledged = sent.filter(({ id }) => id !== undefined);
  expect(acknowledged.length).toBeGreaterThan(50);
  for (const { id, key } of acknowledged) expect(found.get(id ?? '')).toBe(key);
  // Each of the others can be sent again at once without creating a second one.
  for (const sending of sent) {
    if (sending.id === undefined) expect(await client.send(sending)).toBe(200);
  }
  const { emails, check } = stored(place);
  expect(emails.map(({ subject }) => subject).sort()).toEqual(
    ['Your receipt', 'Welcome, Ben!', ...sent.map(({ key }) => key)].sort(),
  );
  expect(check).toEqual([{ integrity_check: 'ok' }]);
}, 120_000);

describe('a signal under load', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)(
    '%s ends it with %d, closes every connection, and prints nothing',
    async (signal, code) => {
      const place = createPlace();
      const served = await serveSandbox(place);
      const { send } = clientOf(served);
      const idle = connect(served.port, '127.0.0.1');
      // Until it sends a byte, the system may not have passed the connection to the program.
      idle.write('GET / HTTP/1.1\r\n');
      const idleClosed = new Promise((resolve) =>
        idle.once('close', resolve).on('error', () => {}),
      );
      const load = sendUntilStopped(send);
      await load.begun;
      load.stop();
      served.process.kill(signal);
      const { exitCode, stderr } = await served.process;
      expect({ exitCode, stderr }).toEqual({
        exitCode: code,
        stderr: expect.stringMatching(
          /^The sandbox is running; .*\nInbox: .*\nCtrl-C stops it\.\n$/,
        ),
      });
      await Promise.all([idleClosed, load.gone]);
      const status = await runHere(place, 'sandbox status --quiet');
      expect(status.stdout).toBe('stopped\n');
    },
  );
});

/** Eight clients that send until there is no response, which is no error after `stop` is called. */
function sendUntilStopped(send: (sending: Sending) => Promise<number>) {
  let stopped = false;
  const begun = Promise.withResolvers<void>();
  const worker = async (_: unknown, name: number) => {
    for (let index = 0; ; index++) {
      try {
        await send({ key: `${name}-${index}` });
        if (index === 5) begun.resolve();
      } catch (error) {
        if (stopped) return;
        begun.reject(error);
        throw error;
      }
    }
  };
  return {
    begun: begun.promise,
    gone: Promise.all(Array.from({ length: 8 }, worker)),
    stop() {
      stopped = true;
    },
  };
}
