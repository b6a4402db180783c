import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { type MailCounter, startMailCounter } from '../../support/mail-counter.ts';
import { createWorld, type World } from '../../support/run.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello'],
];
const batch = 'email batch people.csv --from hello@example.com --subject Hi --text Hello'.split(
  ' ',
);
const schedule = 'campaign schedule cm_march --now'.split(' ');
const resume = 'campaign resume cm_march'.split(' ');
const create = [
  ...'campaign create --name April --from news@example.com --book book_1 --now'.split(' '),
  ...['--subject', 'April', '--html', '<p>Hi {{usesend_unsubscribe_url}}</p>'],
];

/** Each command that can be stored, with the recipients of what it sends. */
const storable = [
  ['email send', send, 1],
  ['email batch', batch, 250],
  ['campaign schedule', schedule, 3],
  ['campaign resume', resume, 3],
  ['campaign create', create, 3],
] as const;

const day = 24 * 60 * 60 * 1000;

interface Machine {
  readonly world: World;
  readonly counter: MailCounter;
  readonly directory: string;
  prepare(words: readonly string[]): Promise<Record<string, unknown> & { readonly id: string }>;
  approve(id: string, recipients: number, flags?: readonly string[]): Promise<string>;
  /** How often each address was mailed, at least once. */
  counts(): readonly number[];
}

async function machine(env: Readonly<Record<string, string>> = {}): Promise<Machine> {
  const counter = await startMailCounter();
  const world = createWorld({ ...counter.env, ...env });
  counter.service.now = () => world.clock.now;
  const people = Array.from({ length: 250 }, (_, index) => `p${index}@example.org`);
  writeFileSync(join(world.home, 'people.csv'), ['to', ...people, ''].join('\n'));
  return {
    ...{ world, counter, directory: join(world.home, '.local', 'state', 'mailer', 'outbox') },
    async prepare(words) {
      const { exitCode, stdout, stderr } = await world.run([...words, '--for-approval', '--json']);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
      return JSON.parse(stdout);
    },
    async approve(id, recipients, flags = []) {
      const steps = [['type the number', `${recipients}\r`]] as const;
      const words = ['outbox', 'approve', id, ...flags];
      const { exitCode, output } = await atTerminal(world.run, words, steps);
      expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
      return output;
    },
    counts: () => [...counter.mailed.values()],
  };
}

test.each(storable)('%s --for-approval is sent once it is approved, and once', async (...given) => {
  const [command, words, recipients] = given;
  const { world, counter, prepare, approve, counts } = await machine();
  const entry = await prepare(words);
  expect(entry).toMatchObject({ state: 'pending', command, recipients, profile: null });
  expect(counter.posts()).toEqual([]);

  const early = await world.run(['outbox', 'send', entry.id, '--json']);
  expect(early.exitCode).toBe(2);
  expect(JSON.parse(early.stderr).error).toMatchObject({
    ...{ code: 'approval_needed', outbox: entry.id },
  });
  expect(counter.posts()).toEqual([]);

  await approve(entry.id, recipients);
  expect(counter.posts()).toEqual([]);
  for (const _ of [1, 2]) {
    const { exitCode, stderr } = await world.run(['outbox', 'send', entry.id]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(counts()).toEqual(Array(recipients).fill(1));
  }
  const { stdout } = await world.run(['outbox', 'get', entry.id, '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ id: entry.id, state: 'sent' });
});

test('an email is sent as it was prepared, under its digest', async () => {
  const { world, counter, prepare, approve } = await machine();
  const { id, digest } = await prepare(send);
  const dry = JSON.parse((await world.run([...send, '--dry-run', '--json'])).stdout);
  expect(digest).toBe(dry.digest);
  await approve(id, 1);
  await world.run(['outbox', 'send', id]);
  const [post] = counter.posts();
  expect(post?.headers['idempotency-key']).toBe(digest);
  expect(JSON.parse(post?.body ?? '')).toEqual(dry.body);
});

test('stores privately, and the same only once', async () => {
  const { world, directory, prepare } = await machine();
  const { id } = await prepare(send);
  expect((await prepare(send)).id).toBe(id);
  const mode = (path: string) => statSync(path).mode & 0o777;
  expect(mode(join(directory, id))).toBe(0o700);
  expect(mode(join(directory, id, 'entry.json'))).toBe(0o600);
  const { stdout } = await world.run('outbox list --quiet');
  expect(stdout).toBe(`${id}\n`);
});

test('the next preparation removes what killed ones left and what cannot be read, after two days', async () => {
  const { world, directory, prepare } = await machine();
  const [left, unreadable] = [`preparing-${'0'.repeat(16)}`, '1'.repeat(16)];
  const names = ['waits', left, unreadable];
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const make = () => {
    for (const name of names) {
      mkdirSync(join(directory, name));
      writeFileSync(join(directory, name, 'entry.json'), 'private');
    }
  };
  const age = (milliseconds: number) => {
    const at = (world.clock.now - milliseconds) / 1000;
    for (const name of names) utimesSync(join(directory, name), at, at);
  };
  make();
  age(2 * day - 60_000);
  const { id } = await prepare(send);
  expect(readdirSync(directory)).toEqual(expect.arrayContaining([...names, id]));
  age(2 * day + 60_000);
  await prepare(send);
  expect(readdirSync(directory).toSorted()).toEqual([id, `${id}.lock`, 'waits'].toSorted());
});

test('an entry names the run that it becomes', async () => {
  const { world, prepare, approve } = await machine();
  const { id, run } = await prepare(batch);
  await approve(id, 250);
  expect(await world.run(['outbox', 'send', id])).toMatchObject({ exitCode: 0 });
  const { exitCode, stdout } = await world.run(['run', 'get', String(run), '--json']);
  expect({ exitCode, stdout }).toMatchObject({ exitCode: 0 });
  expect((await prepare(send)).run).toBeNull();
});

test('what is an error for sending is an error here', async () => {
  const { world, directory } = await machine({ MAILER_ALLOW_TO: '*@example.com' });
  expect(await world.run([...send, '--for-approval'])).toMatchObject({ exitCode: 2 });
  const blank = [...send.slice(0, -1), ' ', '--for-approval'];
  expect(await world.run(blank, { env: { MAILER_ALLOW_TO: '*@*' } })).toMatchObject({
    exitCode: 2,
  });
  expect(() => readdirSync(directory)).toThrow('ENOENT');
});

const programs = ['AI_AGENT', 'CLAUDECODE', 'CODEX_SANDBOX', 'CURSOR_AGENT', 'GEMINI_CLI'];

test.each([...programs, 'CI'])('approve asks nobody where %s is set', async (name) => {
  const { world, prepare } = await machine();
  const { id } = await prepare(send);
  const words = ['outbox', 'approve', id, '--yes'];
  const { exitCode, output } = await atTerminal(world.run, words, [], { env: { [name]: '1' } });
  expect(exitCode).toBe(2);
  expect(output).toContain('Only a person at a terminal can approve this');
  const { stdout } = await world.run(['outbox', 'get', id, '--json']);
  expect(JSON.parse(stdout).state).toBe('pending');
});

test.each([
  ['CI is set', [], { CI: '1' }],
  ['--no-input', ['--no-input'], {}],
])('approve at a terminal says that it asks nobody: %s', async (said, flags, env) => {
  const { world, prepare } = await machine();
  const { id } = await prepare(send);
  const { text, exitCode } = await atTerminal(world.run, ['outbox', 'approve', id, ...flags], [], {
    ...{ env, columns: 200 },
  });
  expect({ text, exitCode }).toMatchObject({ exitCode: 2 });
  expect(text).toContain(said);
  expect(text).not.toContain('no terminal');
});

test('the number of recipients can be typed as it is shown, or as digits', async () => {
  const { world, counter, prepare } = await machine();
  const people = Array.from({ length: 1234 }, (_, index) => `p${index}@example.org`);
  writeFileSync(join(world.home, 'people.csv'), ['to', ...people, ''].join('\n'));
  for (const answer of ['1,234', '1234']) {
    const subject = `Number ${answer}`;
    const { id } = await prepare([...batch.slice(0, -3), subject, '--text', 'Hello']);
    const steps = [
      ['(1,234):', '1,23\r'],
      ['It goes to 1,234.', `\b\b\b\b${answer}\r`],
    ] as const;
    const { exitCode, output } = await atTerminal(world.run, ['outbox', 'approve', id], steps);
    expect({ exitCode, output }).toMatchObject({ exitCode: 0 });
  }
  expect(counter.posts()).toEqual([]);
});

const inAnHour = ['--scheduled-at', '2026-01-15T13:00:00Z'];

test.each([
  ['email send', [...send, ...inAnHour], 1],
  ['email batch', [...batch, ...inAnHour], 250],
  ['campaign schedule', [...schedule.slice(0, -1), ...inAnHour], 3],
  ['campaign create', [...create.filter((word) => word !== '--now'), ...inAnHour], 3],
] as const)('%s: what is approved or sent after its time is not sent at once', async (...given) => {
  const [, words, recipients] = given;
  const { world, counter, prepare, approve } = await machine();
  world.clock.now = Date.parse('2026-01-15T12:00:00Z');
  const { id } = await prepare(words);
  await approve(id, recipients);
  world.clock.now = Date.parse('2026-01-15T14:00:00Z');
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain('has passed');
  expect(counter.posts()).toEqual([]);
});

test.each(programs)(
  'no command asks anything where %s is set, as with --no-input',
  async (name) => {
    const { world } = await machine();
    for (const words of [['email', 'send'], batch, ['email', 'get']]) {
      const silent = await atTerminal(world.run, [...words, '--no-input']);
      const seen = await atTerminal(world.run, words, [], { env: { [name]: '1' } });
      expect(seen.text).toBe(silent.text.replaceAll(' --no-input', ''));
      expect(seen.exitCode).toBe(2);
    }
  },
);

test('approve needs a terminal, whatever the flags', async () => {
  const { world, prepare } = await machine();
  const { id } = await prepare(send);
  const { exitCode, stderr } = await world.run(['outbox', 'approve', id, '--yes'], {
    stdin: '1\n',
  });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Only a person at a terminal can approve this');
});

test('approve shows who gets what, and what changed since the last one', async () => {
  const { world, prepare, approve } = await machine();
  const first = await prepare(send);
  const output = await approve(first.id, 1);
  for (const shown of ['MAILER_API_KEY at 127.0.0.1', 'ana@example.org', 'example.org (1)', 'Hi']) {
    expect(output).toContain(shown);
  }
  const words = send.map((word) => (word === 'Hi' ? 'Hello again' : word));
  const second = await prepare(words);
  expect(await approve(second.id, 1)).toContain('subject: Hi → Hello again');
  const wrong = await prepare([...send, '--cc', 'ben@example.net']);
  const steps = [
    ['type the number', '1\r'],
    ['It goes to 2', '\u0003'],
  ] as const;
  const seen = await atTerminal(world.run, ['outbox', 'approve', wrong.id], steps);
  expect(seen.exitCode).toBe(130);
  const { stdout } = await world.run(['outbox', 'get', wrong.id, '--json']);
  expect(JSON.parse(stdout).state).toBe('pending');
});

test('a rejected entry is never sent', async () => {
  const { world, counter, prepare, approve } = await machine();
  const { id } = await prepare(send);
  await approve(id, 1);
  expect(await world.run(['outbox', 'reject', id])).toMatchObject({ exitCode: 0 });
  expect(await world.run(['outbox', 'send', id])).toMatchObject({ exitCode: 2 });
  expect(counter.posts()).toEqual([]);
});

test('an entry expires after a day, approved or not', async () => {
  const { world, counter, prepare, approve } = await machine();
  const { id } = await prepare(send);
  await approve(id, 1);
  world.clock.advance(day);
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain('has expired');
  expect(counter.posts()).toEqual([]);
});

test('a run that began to be sent does not expire: what is left is sent', async () => {
  const { world, counter, prepare, approve, counts } = await machine();
  const people = Array.from({ length: 2000 }, (_, index) => `p${index}@example.org`);
  writeFileSync(join(world.home, 'people.csv'), ['to', ...people, ''].join('\n'));
  const { id } = await prepare(batch);
  await approve(id, 2000);
  counter.interrupt = () => true;
  expect((await world.run(['outbox', 'send', id, '--retries', '0'])).exitCode).toBe(7);
  counter.interrupt = undefined;
  world.clock.advance(3 * day);
  // Preparing another one removes what has expired.
  await prepare(send);
  const { stdout } = await world.run(['outbox', 'get', id, '--json']);
  expect(JSON.parse(stdout).state).toBe('begun');
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  // The service no longer knows the keys of those that had begun.
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 11 });
  expect(counts().length).toBeGreaterThan(1000);
  expect(counts().every((times) => times === 1)).toBe(true);
});

test.each(storable)(
  '%s: an entry that was changed on disk is not sent',
  async (_, words, count) => {
    const { world, counter, directory, prepare, approve } = await machine();
    const { id } = await prepare(words);
    await approve(id, count);
    const [path, change] =
      words === batch
        ? [
            join(directory, id, 'run', 'journal.sqlite'),
            (text: string) => text.replace('Hello', 'Jello'),
          ]
        : [
            join(directory, id, 'entry.json'),
            (text: string) => text.replace('"findings": []', '"findings": [ ]'),
          ];
    const before = readFileSync(path, 'latin1');
    writeFileSync(path, change(before), 'latin1');
    expect(readFileSync(path, 'latin1')).not.toBe(before);
    const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('was changed');
    expect(counter.posts()).toEqual([]);
  },
);

test.each([
  ['its subject', '"subject": "', '"subject": "Other '],
  ['its recipients', 'ana@example.org', 'eva@example.org'],
])('an entry is not shown if %s was changed on disk', async (_, from, to) => {
  const { world, directory, prepare } = await machine();
  const { id } = await prepare(send);
  const path = join(directory, id, 'entry.json');
  const before = readFileSync(path, 'utf8');
  expect(before).toContain(from);
  writeFileSync(path, before.replace(from, to));
  const { exitCode, stdout, stderr } = await world.run(['outbox', 'get', id, '--json']);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain('was changed on disk');
});

test.each([
  ['another key', { MAILER_API_KEY: 'us_other_1234567890' }, 'API key'],
  ['another URL', { MAILER_BASE_URL: 'http://127.0.0.1:1/api' }, 'base URL'],
])('an entry of %s is not sent', async (_, env, what) => {
  const { world, counter, prepare, approve } = await machine();
  const { id } = await prepare(send);
  await approve(id, 1);
  const { exitCode, stderr } = await world.run(['outbox', 'send', id], { env });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain(what);
  expect(counter.posts()).toEqual([]);
});

test.each(['..', '../log', '/etc', 'x', 'last-approved.json', `../outbox/${'0'.repeat(16)}`])(
  'takes no path for an id: %s',
  async (id) => {
    const { world } = await machine();
    for (const verb of ['get', 'approve', 'reject', 'send']) {
      const { exitCode, stderr } = await world.run(['outbox', verb, '--', id]);
      expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
      expect(stderr).toContain('is not the id of an outbox entry');
    }
  },
);

test.each([
  ['its subject', (of: MailCounter) => Object.assign(of.campaign, { subject: 'Other' })],
  ['its status', (of: MailCounter) => Object.assign(of.campaign, { status: 'PAUSED' })],
  ['its book', (of: MailCounter) => of.contacts.pop()],
])('a campaign is not started once %s has changed', async (_, change) => {
  const { world, counter, prepare, approve } = await machine();
  const { id } = await prepare(schedule);
  await approve(id, 3);
  change(counter);
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
  expect(stderr).toContain('The campaign has changed');
  expect(counter.posts()).toEqual([]);
});

test('a campaign is not started once others of the same domain would get it', async () => {
  const { world, counter, prepare, approve } = await machine();
  const people = Array.from({ length: 8 }, (_, index) => `p${index}@example.org`);
  const book = (addresses: readonly string[]) => {
    const contacts = addresses.map((email) => ({ id: `ct_${email}`, email, subscribed: true }));
    counter.contacts.splice(0, counter.contacts.length, ...contacts);
  };
  book(people);
  const { id } = await prepare(schedule);
  await approve(id, 8);
  book([...people.slice(0, 6), 'eve@example.org', 'mallory@example.org']);
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
  expect(stderr).toContain('who gets it');
  expect(counter.posts()).toEqual([]);
  // Their order does not matter.
  book([...people.slice(0, 5), ...people.slice(5).reverse()]);
  expect(await world.run(['outbox', 'send', id])).toMatchObject({ exitCode: 0 });
});

test('the log has who prepared, approved, rejected and sent', async () => {
  const { world, prepare, approve } = await machine();
  const { id } = await prepare(send);
  await approve(id, 1);
  await world.run(['outbox', 'send', id]);
  const other = await prepare(batch);
  await world.run(['outbox', 'reject', other.id]);
  const { stdout } = await world.run('log list --json');
  const entries: { command: string; ids: string[]; state: string }[] = JSON.parse(stdout);
  expect(entries.map(({ command, state }) => `${command}: ${state}`)).toEqual([
    'outbox reject: done',
    'email batch: done',
    'outbox send: done',
    'outbox approve: done',
    'email send: done',
  ]);
  expect(entries[4]?.ids).toEqual([id]);
});

test('nobody approves what is too late, and an email that was meant for a past time is sent', async () => {
  const { world, counter, prepare, approve } = await machine();
  world.clock.now = Date.parse('2026-01-15T12:00:00Z');
  const waiting = await prepare([...send, ...inAnHour]);
  const past = ['--scheduled-at', '2026-01-15T11:00:00Z', '--allow-past'];
  const { id } = await prepare([...send, ...past]);
  world.clock.now = Date.parse('2026-01-15T14:00:00Z');
  const late = await atTerminal(world.run, ['outbox', 'approve', waiting.id]);
  expect(late.exitCode).toBe(2);
  expect(late.output).toContain('has passed');
  await approve(id, 1);
  expect(await world.run(['outbox', 'send', id])).toMatchObject({ exitCode: 0 });
  expect(counter.posts()).toHaveLength(1);
});

test('what is too late by the clock of the service is not sent, although this machine is behind', async () => {
  const { world, counter, prepare, approve } = await machine();
  world.clock.now = Date.parse('2026-01-15T12:00:00Z');
  const { id } = await prepare([...send, ...inAnHour]);
  await approve(id, 1);
  counter.service.now = () => world.clock.now + 2 * 60 * 60 * 1000;
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
  expect(stderr).toContain('has passed');
  expect(counter.posts()).toEqual([]);
});

test.each([
  ['once its key is forgotten', [], day],
  ['after its time', inAnHour, 2 * 60 * 60 * 1000],
])('an email whose outcome is unknown is not repeated %s', async (_, flags, later) => {
  const { world, counter, prepare, approve } = await machine();
  world.clock.now = Date.parse('2026-01-15T12:00:00Z');
  const { id } = await prepare([...send, ...flags]);
  await approve(id, 1);
  counter.interrupt = () => true;
  expect((await world.run(['outbox', 'send', id, '--retries', '0'])).exitCode).toBe(7);
  counter.interrupt = undefined;
  const before = counter.posts().length;
  world.clock.advance(later - 60_000);
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
  expect(stderr).toContain('mailer email list');
  expect(counter.posts()).toHaveLength(before);
});

test('a start whose outcome is unknown is not repeated, and can be prepared again', async () => {
  const { world, counter, prepare, approve, counts } = await machine();
  const { id } = await prepare(schedule);
  await approve(id, 3);
  counter.interrupt = () => true;
  expect((await world.run(['outbox', 'send', id])).exitCode).toBe(7);
  counter.interrupt = undefined;
  const { exitCode, stderr } = await world.run(['outbox', 'send', id]);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
  expect(stderr).toContain('may have been sent');
  expect(counts()).toEqual([]);

  const again = await prepare(schedule);
  expect(again.state).toBe('pending');
  await approve(again.id, 3);
  expect((await world.run(['outbox', 'send', again.id])).exitCode).toBe(0);
  expect(counts()).toEqual([1, 1, 1]);
});

test('a campaign that has changed is another entry, and the same email in the last day a conflict', async () => {
  const { world, counter, prepare, approve } = await machine();
  const before = await prepare(schedule);
  Object.assign(counter.campaign, { subject: 'Other' });
  const after = await prepare(schedule);
  expect(after).toMatchObject({ state: 'pending', subject: 'Other' });
  expect(after.id).not.toBe(before.id);

  const { id } = await prepare(send);
  world.clock.advance(day - 1000);
  await approve(id, 1);
  await world.run(['outbox', 'send', id]);
  world.clock.advance(day - 1000);
  expect((await world.run([...send, '--for-approval'])).exitCode).toBe(5);
  world.clock.advance(1000);
  expect((await prepare(send)).state).toBe('pending');
});

test('the lines of hints work as they stand, with the sandbox, too', async () => {
  const world = createWorld();
  const prepared = await world.run([...send, '--for-approval', '--json', '--sandbox']);
  const { id } = JSON.parse(prepared.stdout);
  await world.run(['outbox', 'reject', id, '--sandbox']);
  const hinted = async (words: readonly string[], exit: number) => {
    const { exitCode, stderr } = await world.run([...words, '--sandbox']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: exit });
    const [, line = ''] = /: mailer (outbox .*)$/m.exec(stderr) ?? [];
    return await world.run(line);
  };
  expect(await hinted(['outbox', 'reject', id], 2)).toMatchObject({ exitCode: 0 });
  expect(await hinted(['outbox', 'get', '0000000000000000'], 4)).toMatchObject({ exitCode: 0 });
});
