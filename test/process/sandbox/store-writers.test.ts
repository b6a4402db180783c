import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { campaign, day, startSandbox, temporaryDirectory } from '../../sandbox/harness.ts';

const writer = fileURLToPath(new URL('store-writer.ts', import.meta.url));

function startWriter(directory: string, count: number, name: string) {
  return execa(process.execPath, [writer, directory, String(count), name], { reject: false });
}

function acknowledged(stdout: string): string[] {
  const lines = stdout.split('\n').filter((line) => line.endsWith('}'));
  return lines.map((line) => {
    expect(line).toMatch(/^200 /);
    return String(JSON.parse(line.slice(4)).emailId);
  });
}

/** Everything in the database, read without the API and its clock. */
function readAll(path: string) {
  const database = new DatabaseSync(path, { readOnly: true });
  const emails = database.prepare('SELECT id, subject FROM emails').all();
  const keys = database.prepare('SELECT key, email_ids AS ids FROM idempotency').all();
  database.close();
  return { emails, keys };
}

test('processes that create a sandbox and write to it at once lose and repeat nothing', async () => {
  const directory = temporaryDirectory();
  const names = ['a', 'b', 'c'];
  const done = await Promise.all(names.map((name) => startWriter(directory, 15, name)));
  for (const { exitCode, stderr } of done)
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  const ids = done.flatMap(({ stdout }) => acknowledged(stdout));
  expect(new Set(ids).size).toBe(45);

  const { sandbox, clock, ok } = startSandbox({ directory });
  clock.now = Date.now() + day;
  expect((await ok('email.list', { query: {} })).count).toBe(47);
  expect(await ok('domain.list', {})).toHaveLength(3);
  const stored = readAll(sandbox.path).emails.map(({ id }) => id);
  expect(new Set(stored)).toEqual(new Set([...ids, 'email_welcome', 'email_receipt']));
});

test('two processes that send under the same keys send once', async () => {
  const directory = temporaryDirectory();
  const done = await Promise.all([1, 2].map(() => startWriter(directory, 20, 'same')));
  // The second process gets the same id, or a conflict while the first is still at work.
  const [one, two] = done.map(({ stdout }) => stdout.split('\n'));
  const pairs = one?.map((line, index) => [line, two?.[index]]) ?? [];
  for (const pair of pairs) {
    const answers = new Set(pair.filter((line) => line?.startsWith('200')));
    expect(answers.size, String(pair)).toBeLessThanOrEqual(1);
    for (const line of pair) expect(line).toMatch(/^(200 |409 .*NOT_UNIQUE|$)/);
  }
  const { sandbox } = startSandbox({ directory });
  expect(readAll(sandbox.path).emails).toHaveLength(22);
});

test('a killed process leaves each email either acknowledged and recorded, or to be sent again', async () => {
  const directory = temporaryDirectory();
  const child = startWriter(directory, 10_000, 'k');
  let lines = 0;
  child.stdout.on('data', (chunk) => {
    lines += String(chunk).split('\n').length - 1;
    if (lines > 20) child.kill('SIGKILL');
  });
  const { stdout, signal } = await child;
  expect(signal).toBe('SIGKILL');
  const ids = acknowledged(stdout);
  expect(ids.length).toBeGreaterThan(20);

  const { sandbox, clock, ok } = startSandbox({ directory });
  const { emails, keys } = readAll(sandbox.path);
  const stored = emails.map(({ id }) => id);
  expect(stored).toEqual(expect.arrayContaining(ids));
  const recorded = keys.filter(({ ids }) => ids !== null);
  expect(recorded).toHaveLength(emails.length - 2);

  // The killed process's claim expires, and then its key can be used.
  clock.now = Date.now() + 60_000;
  const again = await ok(
    'email.send',
    {
      body: { to: 'delivered@example.com', from: 'shop@example.com', subject: 'k-0', text: 'Hi' },
    },
    { 'Idempotency-Key': 'k-0' },
  );
  expect(again.emailId).toBe(ids[0]);
  await ok(
    'email.send',
    {
      body: { to: 'a@example.com', from: 'shop@example.com', subject: 'next', text: 'Hi' },
    },
    { 'Idempotency-Key': `k-${recorded.length}` },
  );
});

test('due jobs run once, however many processes have the sandbox open', async () => {
  const directory = temporaryDirectory();
  const several = [1, 2, 3].map(() => startSandbox({ directory }));
  const [first] = several;
  const created = await first?.ok('campaign.create', {
    body: campaign({ sendNow: true, batchSize: 2 }),
  });
  for (const { clock } of several) clock.now += day;
  await Promise.all(several.map(({ ok }) => ok('email.list', { query: {} })));
  const shown = await first?.request('GET', `/campaigns/${created?.id}`);
  expect(shown?.body).toMatchObject({ status: 'SENT', sent: 11, delivered: 10, bounced: 1 });
});
