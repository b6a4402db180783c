import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf, fileIn, key } from '../../../support/connected.ts';
import { createWorld } from '../../../support/run.ts';

const accepted = { body: { data: [{ emailId: 'em_1' }, { emailId: 'em_2' }] } };
const rows = [
  { to: 'ana@example.org', from: 'hello@example.com', subject: 'One', text: '1' },
  {
    to: ['ben@example.org', '"C, D" <cd@example.org>'],
    from: 'Shop <hello@example.com>',
    subject: 'Two',
    html: '<p>2</p>',
    headers: { 'X-A': 'b' },
    attachments: [{ filename: 'n.txt', content: 'bg==' }],
  },
];

/** The error for a wrong file. Nothing may be sent. */
async function refusal(
  words: readonly string[],
  prepare: (setup: Connected) => unknown = () => undefined,
  stdin?: string | Uint8Array,
): Promise<string> {
  const setup = await connected();
  prepare(setup);
  const options = stdin === undefined ? {} : { stdin };
  const outcome = await setup.run(['email', 'batch', ...words, '--yes', '--json'], options);
  expect(setup.service.requests).toEqual([]);
  expect(outcome.exitCode).toBe(2);
  const { code, message } = errorOf(outcome);
  expect(code).toBe('usage');
  return message;
}

describe('the request', () => {
  test('is one POST to /v1/emails/batch with the rows as they are', async () => {
    const { run, service, sent, file } = await connected(accepted);
    file('emails.json', rows);
    const { exitCode, stdout, stderr } = await run('email batch emails.json --yes');
    expect(exitCode).toBe(0);
    expect(stdout).toBe(
      'row\tto\temailId\terror.code\terror.message\n1\tana@example.org\tem_1\t\t\n2\tben@example.org, "C, D" <cd@example.org>\tem_2\t\t\n',
    );
    expect(stderr).toBe('Accepted 2 of 2 emails.\n');
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/api/v1/emails/batch');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^mailer-[0-9a-f]{32}-1$/),
    });
    expect(sent(0)).toEqual(rows);
  });

  test('reads stdin for -', async () => {
    const { run, sent } = await connected(accepted);
    const { exitCode } = await run('email batch - --yes', { stdin: JSON.stringify(rows) });
    expect(exitCode).toBe(0);
    expect(sent(0)).toEqual(rows);
  });

  test('--idempotency-key is sent as it is given, and further requests begin with it', async () => {
    const many = Array.from({ length: 101 }, (_, index) => ({
      ...rows[0],
      to: `p${index}@example.org`,
    }));
    const answer = (count: number) => ({
      body: { data: Array.from({ length: count }, (_, index) => ({ emailId: `em_${index}` })) },
    });
    const { run, service } = await connected(answer(100), answer(1));
    const stdin = JSON.stringify(many);
    await run('email batch - --yes --concurrency 1 --idempotency-key run-7', { stdin });
    const keys = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(keys).toEqual(['run-7', 'run-7-2']);
  });

  test('English times are made exact, in the zone of --timezone', async () => {
    const { run, sent } = await connected(accepted);
    const scheduled = rows.map((row) => ({ ...row, scheduledAt: 'tomorrow 9am' }));
    const stdin = JSON.stringify(scheduled);
    await run(['email', 'batch', '-', '--yes', '--timezone', 'Europe/Berlin'], { stdin });
    expect(sent(0)).toEqual(rows.map((row) => ({ ...row, scheduledAt: '2026-01-16T08:00:00Z' })));
  });

  test('sender and reply address come from the settings where a row names none', async () => {
    const { run, sent } = await connected(accepted);
    await run(['config', 'set', 'from', 'set@example.com']);
    await run(['config', 'set', 'reply-to', 'a@example.com, b@example.com']);
    const first = { to: 'ana@example.org', subject: 'One', text: '1' };
    const own = { ...rows[1], replyTo: 'own@example.com' };
    await run('email batch - --yes', { stdin: JSON.stringify([first, own]) });
    const replyTo = ['a@example.com', 'b@example.com'];
    expect(sent(0)).toEqual([{ ...first, from: 'set@example.com', replyTo }, own]);
  });

  test('flags give what a row does not', async () => {
    const { run, sent } = await connected(accepted);
    const stdin = JSON.stringify([
      { to: 'ana@example.org' },
      { to: 'ben@example.org', from: 'own@example.com', subject: 'Own', text: 'Own' },
    ]);
    const words = 'email batch - --yes --from flag@example.com --subject Flag --text Flag';
    await run(`${words} --cc c@example.com --header X-A:b --allow-past`, { stdin });
    const common = { cc: 'c@example.com', headers: { 'X-A': 'b' } };
    expect(sent(0)).toEqual([
      { ...common, to: 'ana@example.org', from: 'flag@example.com', subject: 'Flag', text: 'Flag' },
      { ...common, to: 'ben@example.org', from: 'own@example.com', subject: 'Own', text: 'Own' },
    ]);
  });

  test('--dry-run sends nothing, keeps nothing, and shows the first request', async () => {
    const { run, service } = await connected(accepted);
    const stdin = JSON.stringify(rows);
    const shown = await run('email batch - --dry-run --json', { stdin });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: `${service.baseUrl}/v1/emails/batch`,
      headers: { 'idempotency-key': expect.stringMatching(/^mailer-/) },
      body: rows,
    });
    expect(service.requests).toEqual([]);
    const status = await run('run list');
    expect(status.stderr).toMatch(/^No runs\. /);
    const sent = await run('email batch - --yes', { stdin });
    expect(sent.exitCode).toBe(0);
    const key = JSON.parse(shown.stdout).headers['idempotency-key'];
    expect(service.requests[0]?.headers['idempotency-key']).toBe(key);
  });
});

test('without a terminal it needs --yes, and says what it would send', async () => {
  const { run, service } = await connected();
  const stdin = JSON.stringify(rows);
  const { exitCode, stderr } = await run('email batch -', { stdin });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/Send 2 emails in 1 request\?.*\n.*--yes/);
  expect(service.requests).toEqual([]);
});

test('3 ids for 2 rows: 8, and the same line resumes safely', async () => {
  const data = Array.from({ length: 3 }, (_, index) => ({ emailId: `em_${index}` }));
  const { run, service, file } = await connected({ body: { data } }, accepted);
  file('emails.json', rows);
  const outcome = await run('email batch emails.json --yes --json');
  expect(outcome.exitCode).toBe(8);
  const error = errorOf(outcome);
  expect(error.code).toBe('bad_reply');
  expect(error.message).toContain('3 for 2');
  expect(error.hint).toContain(
    '0 of 2 emails are accepted so far, 2 have no response yet. To resume without sending anything twice',
  );
  expect(await run('email batch emails.json --yes')).toMatchObject({ exitCode: 0 });
  const [first, second] = service.requests;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  expect(second?.body).toBe(first?.body);
});

test('409 until the end: 5, and nothing is given up', async () => {
  const conflict = { status: 409, body: { error: { code: 'NOT_UNIQUE', message: 'Not unique' } } };
  const { run, file } = await connected(...Array(5).fill(conflict), accepted);
  file('emails.json', rows);
  const outcome = await run('email batch emails.json --yes --json');
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome)).toMatchObject({ code: 'conflict', status: 409 });
  expect(await run('email batch emails.json --yes')).toMatchObject({ exitCode: 0 });
});

describe('with the sandbox', () => {
  test('ids come back in the order of the rows', async () => {
    const world = createWorld();
    fileIn(world, 'emails.json', rows);
    const sent = await world.run('email batch emails.json --sandbox --yes --quiet');
    const ids = sent.stdout.trimEnd().split('\n');
    const subjects = await Promise.all(
      ids.map(async (id) => {
        const got = await world.run(`email get ${id} --sandbox --json`);
        return JSON.parse(got.stdout).subject;
      }),
    );
    expect(subjects).toEqual(['One', 'Two']);
  });

  test('the same key for other emails is a conflict', async () => {
    const world = createWorld();
    fileIn(world, 'emails.json', rows);
    const line = 'email batch emails.json --sandbox --yes --quiet --idempotency-key k1';
    const [first, second] = [await world.run(line), await world.run(line)];
    expect(first.exitCode).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    fileIn(world, 'emails.json', rows.slice(0, 1));
    expect((await world.run(line)).exitCode).toBe(5);
  });
});

describe('bad input', () => {
  const good = { to: 'a@example.org', from: 'b@example.com', subject: 'S', text: 'T' };

  test.each([
    ['a row with a malformed address', [good, { ...good, to: 'nope' }], /row 2: to.*"nope"/],
    [
      'a bad address in a list',
      [{ ...good, cc: ['ok@b.example', 'no pe'] }],
      /row 1: cc\[1\].*"no pe"/,
    ],
    ['an unknown field', [good, good, { ...good, subjct: 'S' }], /row 3: .*"subjct"/],
    [
      'a missing field',
      [{ to: 'a@b.example', subject: 'S', text: 'T' }],
      /row 1: from: is missing/,
    ],
    ['a row that is no object', [good, 'hello'], /row 2: is not a JSON object/],
    ['a row that is null', [good, null], /row 2: is not a JSON object/],
    [
      'a time in the past',
      [good, { ...good, scheduledAt: '2020-01-01T00:00:00Z' }],
      /row 2: scheduledAt.*2020-01-01T00:00:00Z/,
    ],
    ['a time that is none', [{ ...good, scheduledAt: 'soonish' }], /row 1: scheduledAt.*"soonish"/],
    [
      'eleven attachments',
      [{ ...good, attachments: Array(11).fill({ filename: 'a', content: 'YQ==' }) }],
      /row 1: attachments.*10/,
    ],
    ['a subject with a line break', [{ ...good, subject: 'a\nb' }], /row 1: subject.*line break/],
    ['a NUL character', [good, { ...good, text: 'a\0' }], /row 2: text.*NUL/],
    ['no rows', [], /no emails/],
    [
      'no body',
      [{ to: 'a@b.example', from: 'b@c.example', subject: 'S' }],
      /row 1: there is no text/,
    ],
  ])('%s', async (_, content, said) => {
    expect(await refusal(['b.json'], ({ file }) => file('b.json', content))).toMatch(said);
    expect(await refusal(['-'], undefined, JSON.stringify(content))).toMatch(said);
  });

  test('all bad rows are named at once', async () => {
    const content = [{ ...good, to: 'x' }, good, { ...good, from: 'y' }];
    const message = await refusal(['b.json'], ({ file }) => file('b.json', content));
    expect(message).toMatch(/row 1: to.*\nrow 3: from/);
  });

  test('what is neither JSON nor CSV', async () => {
    const message = await refusal(['b.txt'], ({ file }) => file('b.txt', 'to=x'));
    expect(message).toContain('b.txt: there is no column "to" in the header: to=x');
  });

  test('invalid UTF-8, in a file and on stdin', async () => {
    const bytes = Uint8Array.from([0x5b, 0x22, 0xe4, 0x22, 0x5d]);
    const message = await refusal(['b.json'], ({ file }) => file('b.json', bytes));
    expect(message).toContain('b.json is not valid UTF-8');
    expect(await refusal(['-'], undefined, bytes)).toContain('stdin is not valid UTF-8');
  });

  test('a missing file, and a directory', async () => {
    expect(await refusal(['none.json'])).toBe('none.json does not exist');
    expect(await refusal(['.'])).toContain('. is a directory');
    expect(await refusal([''])).toBe('The name of the file is empty');
  });

  test('no file, and two', async () => {
    expect(await refusal([])).toContain('Missing FILE');
    expect(await refusal(['a.json', 'b.json'])).toMatch(/too many arguments/);
  });

  test.each([['k'.repeat(257)], ['a b'], ['a\nb']])('an idempotency key %j', async (bad) => {
    const content = JSON.stringify([good]);
    const message = await refusal(['-', '--idempotency-key', bad], undefined, content);
    expect(message).toContain('--idempotency-key');
  });
});
