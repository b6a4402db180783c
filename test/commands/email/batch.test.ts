import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf, fileIn, key } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

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

/** What the error says of a batch that is refused; nothing may have been sent. */
async function refusal(
  words: readonly string[],
  prepare: (setup: Connected) => unknown = () => undefined,
  stdin?: string | Uint8Array,
): Promise<string> {
  const setup = await connected();
  prepare(setup);
  const options = stdin === undefined ? {} : { stdin };
  const outcome = await setup.run(['email', 'batch', ...words, '--json'], options);
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
    const { exitCode, stdout } = await run('email batch emails.json');
    expect(exitCode).toBe(0);
    expect(stdout).toBe('em_1\nem_2\n');
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/api/v1/emails/batch');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'idempotency-key': expect.stringMatching(/^.{1,256}$/),
    });
    expect(sent(0)).toEqual(rows);
  });

  test('reads stdin for -', async () => {
    const { run, sent } = await connected(accepted);
    const { exitCode } = await run('email batch -', { stdin: JSON.stringify(rows) });
    expect(exitCode).toBe(0);
    expect(sent(0)).toEqual(rows);
  });

  test('--idempotency-key is sent as it is given', async () => {
    const { run, service } = await connected(accepted);
    await run('email batch - --idempotency-key run-7', { stdin: JSON.stringify(rows) });
    expect(service.requests[0]?.headers['idempotency-key']).toBe('run-7');
  });

  test('English times are made exact, in the zone of --timezone', async () => {
    const { run, sent } = await connected(accepted);
    const scheduled = rows.map((row) => ({ ...row, scheduledAt: 'tomorrow 9am' }));
    const stdin = JSON.stringify(scheduled);
    await run(['email', 'batch', '-', '--timezone', 'Europe/Berlin'], { stdin });
    expect(sent(0)).toEqual(rows.map((row) => ({ ...row, scheduledAt: '2026-01-16T08:00:00Z' })));
  });

  test('a hundred rows go out in one request', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => ({ emailId: `em_${index}` }));
    const { run, service, sent } = await connected({ body: { data: ids } });
    const stdin = JSON.stringify(Array(100).fill(rows[0]));
    const { stdout } = await run('email batch - --quiet', { stdin });
    expect(stdout).toBe(ids.map(({ emailId }) => `${emailId}\n`).join(''));
    expect(service.requests).toHaveLength(1);
    expect(sent(0)).toHaveLength(100);
  });

  test('sender and reply address come from the settings where a row names none', async () => {
    const { run, sent } = await connected(accepted);
    await run(['config', 'set', 'from', 'set@example.com']);
    await run(['config', 'set', 'reply-to', 'a@example.com, b@example.com']);
    const first = { to: 'ana@example.org', subject: 'One', text: '1' };
    const own = { ...rows[1], replyTo: 'own@example.com' };
    await run('email batch -', { stdin: JSON.stringify([first, own]) });
    const replyTo = ['a@example.com', 'b@example.com'];
    expect(sent(0)).toEqual([{ ...first, from: 'set@example.com', replyTo }, own]);
  });

  test('--dry-run sends nothing and shows the request', async () => {
    const { run, service } = await connected();
    const shown = await run('email batch - --dry-run --json', { stdin: JSON.stringify(rows) });
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: `${service.baseUrl}/v1/emails/batch`,
      body: rows,
    });
    expect(service.requests).toEqual([]);
  });
});

describe('an answer without one id for each row', () => {
  test.each([0, 1, 3])('%i ids for 2 rows: 8, and how to repeat it safely', async (count) => {
    const data = Array.from({ length: count }, (_, index) => ({ emailId: `em_${index}` }));
    const { run, service, file } = await connected({ body: { data } }, accepted);
    file('emails.json', rows);
    const outcome = await run('email batch emails.json --json');
    expect(outcome.exitCode).toBe(8);
    const error = errorOf(outcome);
    const [request] = service.requests;
    expect(error).toMatchObject({
      code: 'bad_reply',
      idempotencyKey: request?.headers['idempotency-key'],
    });
    expect(error.message).toContain(`${count} for 2`);
    const [, again = ''] = (error.hint ?? '').split('\nmailer ');
    expect(await run(again)).toMatchObject({ exitCode: 0 });
    expect(service.requests[1]?.headers['idempotency-key']).toBe(error.idempotencyKey);
    expect(service.requests[1]?.body).toBe(request?.body);
  });
});

test.each([
  ['', 7, 'unavailable'],
  ['--idempotency-key k1', 5, 'conflict'],
])('409 until the end, with "%s": %i', async (flags, exitCode, code) => {
  const conflict = { status: 409, body: { error: { code: 'NOT_UNIQUE', message: 'Not unique' } } };
  const { run, service, file } = await connected({ status: 503 }, ...Array(20).fill(conflict));
  file('emails.json', rows);
  const outcome = await run(`email batch emails.json --json ${flags}`);
  expect(outcome.exitCode).toBe(exitCode);
  const error = errorOf(outcome);
  const key = service.requests[0]?.headers['idempotency-key'];
  expect(error).toMatchObject({ code, status: 409, idempotencyKey: key });
  expect(error.hint).toContain(`--idempotency-key ${key}`);
});

describe('with the sandbox', () => {
  test('ids come back in the order of the rows', async () => {
    const world = createWorld();
    fileIn(world, 'emails.json', rows);
    const sent = await world.run('email batch emails.json --sandbox');
    expect(sent.stderr).toBe('Accepted 2 of 2 emails.\n');
    const ids = sent.stdout.trimEnd().split('\n');
    const subjects = await Promise.all(
      ids.map(async (id) => {
        const got = await world.run(`email get ${id} --sandbox --json`);
        return JSON.parse(got.stdout).subject;
      }),
    );
    expect(subjects).toEqual(['One', 'Two']);
  });

  test('the same key sends once', async () => {
    const world = createWorld();
    fileIn(world, 'emails.json', rows);
    const line = 'email batch emails.json --sandbox --quiet --idempotency-key k1';
    const [first, second] = [await world.run(line), await world.run(line)];
    expect(first.exitCode).toBe(0);
    expect(second.stdout).toBe(first.stdout);
    fileIn(world, 'emails.json', rows.slice(0, 1));
    expect((await world.run(line)).exitCode).toBe(5);
  });

  test('one item that the service refuses fails all, and the error names the row', async () => {
    const world = createWorld();
    const before = await world.run('email list --sandbox --quiet');
    const noBody = { to: 'a@example.org', from: 'hello@example.com', subject: 'No body' };
    const stdin = JSON.stringify([...rows, noBody]);
    const refused = await world.run('email batch - --sandbox --json', { stdin });
    expect(refused.exitCode).toBe(1);
    const { code, status, message } = errorOf(refused);
    expect({ code, status }).toEqual({ code: 'rejected', status: 400 });
    expect(message).toContain('[2]');
    expect(await world.run('email list --sandbox --quiet')).toEqual(before);
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
    ['a row that is no object', [good, 'hello'], /row 2: must be an object/],
    ['a row that is null', [good, null], /row 2: must be an object/],
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
    ['101 rows', Array(101).fill(good), /101.*100/],
    ['no rows', [], /no emails/],
    ['an object', good, /does not hold a JSON array/],
  ])('%s', async (_, content, said) => {
    expect(await refusal(['b.json'], ({ file }) => file('b.json', content))).toMatch(said);
    expect(await refusal(['-'], undefined, JSON.stringify(content))).toMatch(said);
  });

  test('all bad rows are named at once', async () => {
    const content = [{ ...good, to: 'x' }, good, { ...good, from: 'y' }];
    const message = await refusal(['b.json'], ({ file }) => file('b.json', content));
    expect(message).toMatch(/row 1: to.*\nrow 3: from/);
  });

  test('what is not JSON', async () => {
    const message = await refusal(['b.txt'], ({ file }) => file('b.txt', 'to=x'));
    expect(message).toContain('b.txt is not JSON');
  });

  test('invalid UTF-8, in a file and on stdin', async () => {
    const bytes = Uint8Array.from([0x5b, 0x22, 0xe4, 0x22, 0x5d]);
    const message = await refusal(['b.json'], ({ file }) => file('b.json', bytes));
    expect(message).toContain('b.json is not valid UTF-8');
    expect(await refusal(['-'], undefined, bytes)).toContain('stdin is not valid UTF-8');
  });

  test('a file that is not there, and a directory', async () => {
    expect(await refusal(['none.json'])).toContain('none.json does not exist');
    expect(await refusal(['.'])).toContain('. is a directory');
  });

  test('no file, and two', async () => {
    expect(await refusal([])).toContain("'file'");
    expect(await refusal(['a.json', 'b.json'])).toMatch(/too many arguments/);
  });

  test.each([['k'.repeat(257)], ['a b'], ['a\nb']])('an idempotency key %j', async (bad) => {
    const content = JSON.stringify([good]);
    const message = await refusal(['-', '--idempotency-key', bad], undefined, content);
    expect(message).toContain('--idempotency-key');
  });
});
