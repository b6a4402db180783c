import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { startMailCounter } from '../../support/mail-counter.ts';
import { createWorld } from '../../support/run.ts';

// What else is sent while an entry waits: sending it looks once more, as its command did when it was prepared.

const batch = 'email batch people.csv --yes --from hello@example.com --subject Hi --text'.split(
  ' ',
);
const create = [
  ...'campaign create --from news@example.com --book book_1 --now --subject April'.split(' '),
  ...['--html', '<p>Hi {{usesend_unsubscribe_url}}</p>', '--name'],
];

async function machine() {
  const counter = await startMailCounter();
  const world = createWorld(counter.env);
  counter.service.now = () => world.clock.now;
  const file = join(world.home, 'people.csv');
  writeFileSync(file, 'to\nana@example.org\nben@example.org\ncleo@example.com\n');
  const sendEntry = async (id: string, env = {}) => {
    const words = ['outbox', 'send', id, '--json'];
    const { exitCode, stderr } = await world.run(words, { env });
    const { error = {} } = stderr.startsWith('{') ? JSON.parse(stderr) : {};
    return { exitCode, stderr, said: `${error.message}\n${error.hint}` };
  };
  return {
    ...{ world, counter, file, sendEntry },
    async approved(words: readonly string[], env = {}): Promise<string> {
      const prepared = await world.run([...words, '--for-approval', '--quiet'], { env });
      expect(prepared).toMatchObject({ exitCode: 0 });
      const id = prepared.stdout.trim();
      const steps = [['type the number', '3\r']] as const;
      const { exitCode } = await atTerminal(world.run, ['outbox', 'approve', id], steps, { env });
      expect(exitCode).toBe(0);
      return id;
    },
    async expectRefused(id: string, what: RegExp) {
      // Twice, because looking changes nothing of it.
      for (const _ of [1, 2]) {
        const { exitCode, stderr, said } = await sendEntry(id);
        expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
        expect(said).toContain(id);
        expect(said).toMatch(what);
      }
      const { stdout } = await world.run(['outbox', 'get', id, '--json']);
      expect(JSON.parse(stdout).state).toBe('approved');
    },
    counts: () => [...counter.mailed.values()],
    runs: async () => JSON.parse((await world.run('run list --all --json')).stdout).length,
  };
}

test('two entries of the same file: the second is a conflict, unless it was prepared with --again', async () => {
  const { approved, sendEntry, expectRefused, counts } = await machine();
  const one = await approved([...batch, 'Hello']);
  const other = await approved([...batch, 'Hello, with a link']);
  expect(await sendEntry(one)).toMatchObject({ exitCode: 0 });
  await expectRefused(
    other,
    /same subject but another text or other flags: run [0-9a-f]{8}, 3 of 3/,
  );
  expect(counts()).toEqual([1, 1, 1]);
  const again = await approved([...batch, 'Hello, with a link', '--again=2']);
  expect(await sendEntry(again)).toMatchObject({ exitCode: 0 });
  expect(counts()).toEqual([2, 2, 2]);
});

test('an entry of a file with an incomplete run is a conflict', async () => {
  const { world, counter, approved, expectRefused } = await machine();
  const id = await approved([...batch, 'Hello']);
  counter.interrupt = () => true;
  expect((await world.run([...batch, 'Other', '--retries', '0'])).exitCode).toBe(7);
  counter.interrupt = undefined;
  await expectRefused(id, /incomplete run[\s\S]*run resume [0-9a-f]{8}/);
  expect(counter.mailed.size).toBe(0);
});

test('an entry whose command was run without approval is a conflict that names the run, and can be rejected', async () => {
  const { world, approved, expectRefused, counts } = await machine();
  const id = await approved([...batch, 'Hello']);
  expect((await world.run([...batch, 'Hello'])).exitCode).toBe(0);
  await expectRefused(id, /^Run [0-9a-f]{8} .*3 of 3 emails/);
  expect(counts()).toEqual([1, 1, 1]);
  expect((await world.run(['outbox', 'reject', id])).exitCode).toBe(0);
});

test('an entry that was marked as begun, and then cannot be sent, is approved again', async () => {
  const { world, approved, expectRefused } = await machine();
  const id = await approved([...batch, 'Hello']);
  expect((await world.run([...batch, 'Hello'])).exitCode).toBe(0);
  // As a kill right after that leaves it.
  const path = join(world.home, '.local', 'state', 'mailer', 'outbox', id, 'state.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"approved"', '"begun"'));
  await expectRefused(id, /^Run [0-9a-f]{8} /);
});

test('two accounts that prepared the same file both send it', async () => {
  const { world, counter, approved, sendEntry, counts } = await machine();
  const second = await startMailCounter();
  second.service.now = counter.service.now;
  const env = { ...second.env, MAILER_API_KEY: 'us_second_1234567890' };
  const one = await approved([...batch, 'Hello']);
  const other = await approved([...batch, 'Hello'], env);
  expect(await sendEntry(one)).toMatchObject({ exitCode: 0 });
  expect(await sendEntry(other, env)).toMatchObject({ exitCode: 0 });
  expect(await sendEntry(other, env)).toMatchObject({ exitCode: 0 });
  expect(counts()).toEqual([1, 1, 1]);
  expect([...second.mailed.values()]).toEqual([1, 1, 1]);
  const { stdout } = await world.run(['outbox', 'get', other, '--json']);
  expect(JSON.parse(stdout).run).toMatch(/^[0-9a-f]{32}-a2$/);
});

test('a rejected run that an entry replaces is there until the entry is sent', async () => {
  const { world, counter, file, approved, sendEntry, counts, runs } = await machine();
  counter.refuses = true;
  expect((await world.run([...batch, 'Hello'])).exitCode).not.toBe(0);
  counter.refuses = false;
  expect(await runs()).toBe(1);
  writeFileSync(file, readFileSync(file, 'utf8').replace('ana@', 'anna@'));
  const rejected = await approved([...batch, 'Hello']);
  expect((await world.run(['outbox', 'reject', rejected])).exitCode).toBe(0);
  expect(await runs()).toBe(1);
  const id = await approved([...batch, 'Hello again']);
  expect(await runs()).toBe(1);
  expect(await sendEntry(id)).toMatchObject({ exitCode: 0 });
  expect(await runs()).toBe(1);
  expect((await world.run('run list --all --json')).stdout).toContain('"complete"');
  expect(counts()).toEqual([1, 1, 1]);
});

test('a campaign that sends the same as one that was started meanwhile is a conflict', async () => {
  const { approved, sendEntry, expectRefused, counts } = await machine();
  const schedule = ['campaign', 'schedule', 'cm_march', '--now'];
  const one = await approved([...create, 'April']);
  const other = await approved([...create, 'April, corrected']);
  expect(await sendEntry(one)).toMatchObject({ exitCode: 0 });
  await expectRefused(other, /the same content[\s\S]*--allow-duplicate/);
  expect(counts()).toEqual([1, 1, 1]);
  const wanted = await approved([...create, 'April, corrected', '--allow-duplicate']);
  expect(await sendEntry(wanted)).toMatchObject({ exitCode: 0 });
  expect(counts()).toEqual([2, 2, 2]);
  expect(await sendEntry(await approved(schedule))).toMatchObject({ exitCode: 0 });
});

test('a draft that sends the same as a campaign that was started meanwhile is a conflict', async () => {
  const { world, counter, approved, expectRefused } = await machine();
  const same = [...create, 'Another'].map((word) =>
    word === 'April' ? String(counter.campaign.subject) : word,
  );
  const id = await approved(['campaign', 'schedule', 'cm_march', '--now']);
  expect((await world.run([...same, '--yes'])).exitCode).toBe(0);
  await expectRefused(id, /same subject and sender[\s\S]*--again/);
});
