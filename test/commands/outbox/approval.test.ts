import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atTerminal } from '../../support/at-terminal.ts';
import { startMailCounter } from '../../support/mail-counter.ts';
import { createWorld } from '../../support/run.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello'],
];
const batch =
  'email batch people.csv --yes --from hello@example.com --subject Hi --text Hello'.split(' ');
const schedule = 'campaign schedule cm_march --now --yes'.split(' ');

async function machine(env: Readonly<Record<string, string>> = {}) {
  const counter = await startMailCounter();
  const world = createWorld({ ...counter.env, ...env });
  counter.service.now = () => world.clock.now;
  writeFileSync(
    join(world.home, 'people.csv'),
    'to\nana@example.org\nben@example.org\ncleo@example.com\n',
  );
  return { world, counter };
}

test.each([
  ['always', send, true],
  ['always', batch, true],
  ['always', schedule, true],
  ['above 1', send, false],
  ['above 0', send, true],
  ['above 2', batch, true],
  ['above 3', batch, false],
  ['above 2', schedule, true],
  ['above 3', schedule, false],
  ['outside example.org', send, false],
  ['outside example.com', send, true],
  ['outside example.org', batch, true],
  ['outside example.org, EXAMPLE.com', batch, false],
  ['outside example.org', schedule, false],
  ['outside example.com', schedule, true],
] as const)('approval "%s" holds back %s: %s', async (rule, words, isHeld) => {
  const { world, counter } = await machine({ MAILER_APPROVAL: rule });
  const { exitCode, stderr } = await world.run([...words, '--json']);
  expect({ exitCode, stderr }).toMatchObject({ exitCode: isHeld ? 2 : 0 });
  expect(counter.mailed.size > 0).toBe(!isHeld);
  if (!isHeld) return;
  const { error } = JSON.parse(stderr);
  expect(error).toMatchObject({
    ...{ code: 'approval_needed', rule: 'approval', place: 'MAILER_APPROVAL' },
    outbox: expect.stringMatching(/^[0-9a-f]{16}$/),
  });
  const { stdout } = await world.run(['outbox', 'get', error.outbox, '--json']);
  const entry = JSON.parse(stdout);
  expect(entry).toMatchObject({ state: 'pending', why: error.message });

  const steps = [['type the number', `${entry.recipients}\r`]] as const;
  const approved = await atTerminal(world.run, ['outbox', 'approve', error.outbox], steps);
  expect(approved.exitCode).toBe(0);
  expect(await world.run(['outbox', 'send', error.outbox])).toMatchObject({ exitCode: 0 });
  expect([...counter.mailed.values()]).toEqual(Array(entry.recipients).fill(1));
  // The approval is of this entry, and of no other request.
  expect(await world.run([...words, '--json'])).toMatchObject({
    exitCode: words === batch ? 0 : 5,
  });
  expect([...counter.mailed.values()]).toEqual(Array(entry.recipients).fill(1));
});

test.each([[send], [batch], [schedule]])(
  'where a rule asks, --for-approval prints the entry as it does without the rule: %s',
  async (words) => {
    const { world, counter } = await machine({ MAILER_APPROVAL: 'always' });
    const { exitCode, stdout, stderr } = await world.run([...words, '--for-approval', '--json']);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(JSON.parse(stdout)).toMatchObject({
      state: 'pending',
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      why: expect.stringContaining('requires a person to approve'),
    });
    expect(counter.posts()).toEqual([]);
  },
);

/** Commands that mail and cannot be stored, with what they need. */
test.each([
  [
    'api',
    [
      'api',
      'POST',
      '/v1/emails',
      '-f',
      'to=ana@example.org',
      '-f',
      'from=a@example.com',
      '-f',
      'subject=Hi',
      '-f',
      'text=Hello',
    ],
    2,
  ],
  ['sendmail', ['sendmail', '-f', 'hello@example.com', 'ana@example.org'], 77],
  [
    'event send',
    ['event', 'send', 'signed-up', '--contact', 'ana@example.org', '--book', 'book_1'],
    2,
  ],
  [
    'campaign replace',
    ['campaign', 'replace', 'cm_march', '--subject', 'New', '--now', '--yes'],
    2,
  ],
  [
    'email reschedule',
    ['email', 'reschedule', 'em_1', '--scheduled-at', '2027-01-01T10:00:00Z'],
    2,
  ],
] as const)('%s is refused without being stored', async (_, words, code) => {
  const { world, counter } = await machine({ MAILER_APPROVAL: 'always' });
  const stdin = 'From: hello@example.com\nTo: ana@example.org\nSubject: Hi\n\nHello\n';
  const { exitCode, stderr } = await world.run(words, { stdin });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: code });
  expect(stderr).toContain('requires a person to approve');
  expect(counter.posts()).toEqual([]);
  expect((await world.run('outbox list --json')).stdout).toBe('[]\n');
});

test.each([
  ['email send', send, true],
  [
    'api',
    'api POST /v1/emails -f to=ana@example.org -f from=a@example.com -f subject=Hi -f text=a'.split(
      ' ',
    ),
    false,
  ],
] as const)('a dry run of %s says whether it would be stored', async (_, words, isStored) => {
  const { world } = await machine({ MAILER_APPROVAL: 'always' });
  const { stderr } = await world.run([...words, '--dry-run']);
  expect(stderr).toContain('requires a person to approve this.');
  expect(stderr.includes('It would be stored in the outbox.')).toBe(isStored);
  const { policy } = JSON.parse((await world.run([...words, '--dry-run', '--json'])).stdout);
  expect(policy).toMatchObject({
    ...{
      unchecked: null,
      approval: 'approval in MAILER_APPROVAL requires a person to approve this.',
    },
  });
});

test('the log has the entry of a command that needed approval, and to how many a campaign went', async () => {
  const { world } = await machine({ MAILER_APPROVAL: 'always' });
  const { outbox } = JSON.parse((await world.run([...schedule, '--json'])).stderr).error;
  await atTerminal(world.run, ['outbox', 'approve', outbox], [['type the number', '3\r']]);
  expect(await world.run(['outbox', 'send', outbox])).toMatchObject({ exitCode: 0 });
  const { stdout } = await world.run('log list --json');
  expect(JSON.parse(stdout)).toMatchObject([
    { command: 'outbox send', recipients: 3 },
    { command: 'outbox approve', ids: [outbox] },
    { command: 'campaign schedule', ids: [outbox], exitCode: 2 },
  ]);
});

test('a run that began before the rule is not resumed', async () => {
  const { world, counter } = await machine();
  counter.interrupt = () => true;
  expect((await world.run([...batch, '--retries', '0'])).exitCode).toBe(7);
  counter.interrupt = undefined;
  const env = { MAILER_APPROVAL: 'always' };
  for (const words of [batch, ['run', 'resume', '@last', '--yes']]) {
    const { exitCode, stderr } = await world.run(words, { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('requires a person to approve');
  }
  expect(counter.mailed.size).toBe(0);
});

test('emails that are sent again count for the rule, and no part of a run is stored', async () => {
  const { world, counter } = await machine();
  counter.interrupt = () => true;
  expect((await world.run([...batch, '--retries', '0'])).exitCode).toBe(7);
  counter.interrupt = undefined;
  world.clock.advance(2 * 24 * 60 * 60 * 1000);
  expect((await world.run(batch)).exitCode).toBe(11);
  const left = counter.posts().length;
  const env = { MAILER_APPROVAL: 'above 2' };
  for (const words of [batch, ['run', 'resume', '@last', '--yes']]) {
    const { exitCode, stderr } = await world.run([...words, '--resend-unknown'], { env });
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('requires a person to approve');
    expect(stderr).toContain('cannot be stored');
    expect((await world.run('outbox list --json')).stdout).toBe('[]\n');
  }
  expect(counter.posts()).toHaveLength(left);
  // The journal is as it was.
  expect((await world.run(batch)).exitCode).toBe(11);
  expect(counter.posts()).toHaveLength(left);
});

test('drafts and what stops mail need no approval', async () => {
  const { world, counter } = await machine({ MAILER_APPROVAL: 'always' });
  const draft = [
    ...'campaign create --name April --from news@example.com --book book_1 --subject April'.split(
      ' ',
    ),
    ...['--html', '<p>Hi {{usesend_unsubscribe_url}}</p>'],
  ];
  expect(await world.run(draft)).toMatchObject({ exitCode: 0 });
  expect(counter.mailed.size).toBe(0);
});

test('every place asks: the strictest wins', async () => {
  const { world, counter } = await machine({ MAILER_APPROVAL: 'above 100' });
  writeFileSync(
    join(world.home, '.mailer.json'),
    JSON.stringify({ policy: { approval: 'outside example.com' } }),
  );
  const { exitCode, stderr } = await world.run([...send, '--json']);
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error).toMatchObject({
    ...{ code: 'approval_needed', place: join(world.home, '.mailer.json') },
    addresses: ['ana@example.org'],
  });
  expect(counter.posts()).toEqual([]);
});

test.each(['sometimes', 'above', 'above -1', 'outside', 'outside a b@c', 'always 3'])(
  'a rule "%s" is an error, and nothing is sent',
  async (rule) => {
    const { world, counter } = await machine({ MAILER_APPROVAL: rule });
    const { exitCode, stderr } = await world.run(send);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('MAILER_APPROVAL');
    expect(counter.posts()).toEqual([]);
  },
);

test.each([
  ['always', 'above 3', true],
  ['above 3', 'above 4', true],
  ['above 4', 'above 3', false],
  ['above 4', 'always', false],
  ['outside a.example b.example', 'outside a.example', false],
  ['outside a.example', 'outside a.example b.example', true],
  ['outside a.example', 'above 3', true],
])('a rule of a profile from "%s" to "%s" asks if that is looser: %s', async (one, other, asks) => {
  const { world } = await machine();
  expect((await world.run(['policy', 'set', '--approval', one])).exitCode).toBe(0);
  const { exitCode } = await world.run(['policy', 'set', '--approval', other]);
  expect(exitCode).toBe(asks ? 2 : 0);
  expect((await world.run('policy unset approval')).exitCode).toBe(2);
});

test('policy show, policy check and doctor name it', async () => {
  const { world } = await machine({ MAILER_APPROVAL: 'outside example.com' });
  const show = JSON.parse((await world.run('policy show --json')).stdout);
  expect(show.effective.approval).toEqual(['outside example.com']);
  const words = 'policy check ana@example.org ana@example.com --json';
  const { exitCode, stdout } = await world.run(words);
  expect({ exitCode, rows: JSON.parse(stdout) }).toMatchObject({
    exitCode: 0,
    rows: [
      { allowed: true, approval: 'MAILER_APPROVAL' },
      { allowed: true, approval: null },
    ],
  });
  expect((await world.run('doctor')).stdout).toContain('approval');
});
