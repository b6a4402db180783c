import { globSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import { worldOf } from '../../support/here.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, type Place } from '../../support/process.ts';
import { clientOf, type Sending } from '../../support/senders.ts';
import { serveSandbox } from '../../support/served.ts';
import { serveIn } from '../../support/serving.ts';
import { type Received, startCatcher } from '../../support/smtp.ts';

const examples = ['Your receipt', 'Welcome, Ben!'];

/** What is stored of emails, read without the API and its clock. */
function stored(place: Place) {
  const [path = ''] = globSync(join(place.sandboxDirectory, '*.sqlite'));
  const database = new DatabaseSync(path, { readOnly: true });
  const subjects = database
    .prepare('SELECT subject FROM emails')
    .all()
    .map(({ subject }) => String(subject));
  const check = database.prepare('PRAGMA integrity_check').all();
  database.close();
  return { subjects: subjects.sort(), check };
}

test('a kill under load, with mail in transit, loses nothing that was accepted', async () => {
  const place = createPlace();
  const arrived: Received[] = [];
  let onArrival = () => {};
  const catcher = await startCatcher({
    onMessage: (message) => {
      arrived.push(message);
      onArrival();
      return null;
    },
  });
  const flags = ['--port', '0', '--smtp', catcher.url];
  const sent: Sending[] = [];
  // Once after so many emails are accepted, once while so many are on their way.
  for (const killAfter of [{ accepted: 25 }, { arrivals: 5 }]) {
    const served = await serveSandbox(place, flags);
    const client = clientOf(served);
    const before = arrived.length;
    let accepted = 0;
    let killed = false;
    const killAt = (count: number, last: number | undefined) => {
      if (count === last) killed = served.process.kill('SIGKILL');
    };
    onArrival = () => killAt(arrived.length - before, killAfter.arrivals);
    const worker = async (name: number) => {
      for (let index = 0; ; index++) {
        const sending: Sending = { key: `${killAfter.arrivals ?? 0}-${name}-${index}` };
        sent.push(sending);
        try {
          expect(await client.send(sending)).toBe(200);
        } catch (error) {
          // The connection is gone, and the outcome is unknown.
          if (killed) return;
          throw error;
        }
        killAt(++accepted, killAfter.accepted);
      }
    };
    await Promise.all([1, 2, 3, 4].map(worker));
    expect(await served.process).toMatchObject({ signal: 'SIGKILL' });
  }
  onArrival = () => {};

  const client = clientOf(await serveIn(worldOf(place), flags));
  const found = await client.subjects();
  const acknowledged = sent.filter(({ id }) => id !== undefined);
  expect(acknowledged.length).toBeGreaterThanOrEqual(25);
  for (const { id, key } of acknowledged) expect(found.get(id ?? '')).toBe(key);
  // Each of the others can be sent again at once without creating a second one.
  for (const sending of sent) {
    if (sending.id === undefined) expect(await client.send(sending)).toBe(200);
  }
  const keys = sent.map(({ key }) => key);
  expect(stored(place)).toEqual({
    subjects: [...examples, ...keys].sort(),
    check: [{ integrity_check: 'ok' }],
  });
  await vi.waitFor(() => {
    const ids = arrived.map(({ source }) => /^Message-ID:\s+<([^@]+)@/m.exec(source)?.[1]);
    expect(sent.filter(({ id }) => !ids.includes(id))).toEqual([]);
  }, patience);
});

test('after a kill, status and the next server know that it is gone, and links lead to where it was', async () => {
  const place = createPlace();
  const world = worldOf(place);
  const catcher = await startCatcher();
  await catcher.close();
  const served = await serveSandbox(place, ['--port', '0', '--smtp', catcher.url]);
  const status = async () => JSON.parse((await world.run('sandbox status --json')).stdout);
  expect(await status()).toMatchObject({ running: true, url: served.url, waiting: 0 });
  served.process.kill('SIGKILL');
  await served.process;
  // It has left its note behind, and does not send the mail of commands.
  const html = '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>';
  const campaign = ['campaign', 'create', '--name', 'Spring', '--from', 'shop@example.com'];
  const words = ['--subject', 'News', '--book', 'book_customers', '--html', html, '--now', '--yes'];
  expect(await place.run([...campaign, ...words, '--sandbox'])).toMatchObject({ exitCode: 0 });
  const list = await place.run('email list --sandbox --fields html --jsonl');
  expect(list.stdout).toContain(`${served.url}/unsubscribe/`);
  expect(await status()).toMatchObject({ running: false });
  expect((await status()).waiting).toBeGreaterThan(0);

  for (const port of [0, served.port]) {
    const next = await serveIn(world, ['--port', String(port)]);
    expect((await next.stop()).stderr).not.toContain('The same data is being served');
    expect(await status()).toMatchObject({ running: false });
  }
});
