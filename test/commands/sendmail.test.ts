import { describe, expect, test } from 'vitest';
import { connected } from '../support/connected.ts';
import { createWorld, type RunOptions } from '../support/run.ts';

const accepted = { body: { emailId: 'email_1' } };
const from = 'From: hello@example.com';

/** A message with a sender, these headers, and a text. */
function message(...headers: readonly string[]): string {
  return [from, 'Subject: Hi', ...headers, '', 'Hello', ''].join('\n');
}

/** The body that is sent for a message, without the fields that all have. */
async function sent(line: string | readonly string[], stdin: string, settings: object = {}) {
  const { run, service, world } = await connected(accepted, accepted, accepted);
  for (const [name, value] of Object.entries(settings)) {
    await world.run(['config', 'set', name, value]);
  }
  const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
  const outcome = await run(['sendmail', ...words], { stdin });
  expect(outcome).toEqual({ exitCode: 0, stdout: '', stderr: '' });
  return service.requests.map(({ body }) => JSON.parse(body));
}

/** The error for a message, and the exit code. Nothing may be sent. */
async function refused(
  line: string | readonly string[],
  stdin = message(),
  options: RunOptions = {},
) {
  const { run, service } = await connected();
  const words = typeof line === 'string' ? line.split(' ').filter(Boolean) : line;
  const { exitCode, stdout, stderr } = await run(['sendmail', ...words], { stdin, ...options });
  expect([stdout, service.requests]).toEqual(['', []]);
  return { exitCode, stderr };
}

describe('who gets it', () => {
  const people = [
    'To: Ana <ana@example.org>, b@example.org',
    'Cc: c@example.org',
    'Bcc: d@example.org',
  ];

  test('with -t, everybody in the headers, and no header Bcc remains', async () => {
    expect(await sent('-t', message(...people))).toEqual([
      {
        from: 'hello@example.com',
        to: ['Ana <ana@example.org>', 'b@example.org'],
        cc: 'c@example.org',
        bcc: 'd@example.org',
        subject: 'Hi',
        text: 'Hello\n',
      },
    ]);
  });

  test('with -t, those a message is sent on to', async () => {
    const [body] = await sent('-t', message(...people, 'Resent-To: e@example.org'));
    expect(body).toMatchObject({ to: 'e@example.org' });
    expect(JSON.stringify(body)).not.toMatch(/ana@|c@|d@|Resent/);
  });

  test('with arguments, only these: in the fields of the headers, else as blind copies', async () => {
    const [body, ...others] = await sent('ANA@example.org x@example.org', message(...people));
    expect(body).toMatchObject({ to: 'Ana <ana@example.org>', bcc: 'x@example.org' });
    expect(JSON.stringify(body)).not.toMatch(/b@|c@|d@/);
    expect(others).toEqual([]);
  });

  test('with a Cc only, those are to', async () => {
    const [body] = await sent('c@example.org x@example.org', message(...people));
    expect(body).toMatchObject({ to: 'c@example.org', bcc: 'x@example.org' });
  });

  test('recipients that no header names do not see each other: each gets an email', async () => {
    const bodies = await sent('x@example.org -- y@example.org x@example.org', message(...people));
    expect(bodies.map(({ to, cc, bcc }) => [to, cc, bcc])).toEqual([
      ['x@example.org', undefined, undefined],
      ['y@example.org', undefined, undefined],
    ]);
  });

  test('an argument may be a list, with names', async () => {
    const bodies = await sent(['Ana <a@example.org>, b@example.org'], message());
    expect(bodies.map(({ to }) => to)).toEqual(['Ana <a@example.org>', 'b@example.org']);
  });

  test.each(['root', 'root@localhost', 'root@web1', 'root@web1.local'])(
    'mail to %s goes to local-mail-to, or is an error',
    async (user) => {
      const text = message(`To: ${user}`);
      const settings = { 'local-mail-to': 'Ops <ops@example.com>, ana@example.org' };
      const both = ['Ops <ops@example.com>', 'ana@example.org'];
      for (const line of [user, '-t']) {
        expect(await sent(line, text, settings)).toMatchObject([{ to: both }]);
      }
      const flag = ['--local-mail-to', 'me@example.com', user];
      expect(await sent(flag, text, settings)).toMatchObject([{ to: 'me@example.com' }]);
      const { exitCode, stderr } = await refused(user);
      expect(exitCode).toBe(67);
      expect(stderr).toContain(`Error: ${user} is a local user`);
      expect(stderr).toContain('mailer config set local-mail-to');
    },
  );

  test.each([
    ['root@web1.example.com', 'web1', 'ops@example.org'],
    ['ana@Web1.example.com', 'web1.example.com', 'ops@example.org'],
    ['bea@web1.example.com', 'web1', 'bea@web1.example.com'],
    ['ana@web2.example.com', 'web1', 'ana@web2.example.com'],
    ['ana@web10.example.com', 'web1', 'ana@web10.example.com'],
    ['ana@acme.com', 'acme', 'ana@acme.com'],
    ['ana@example.com', 'example.com', 'ana@example.com'],
  ])('mail to %s on the machine %s is for %s', async (user, hostName, to) => {
    const { run, sent, world } = await connected(accepted);
    await world.run('config set from acme@example.com');
    await world.run('config set local-mail-to ops@example.org');
    const stdin = message(`To: ${user}`);
    expect(await run('sendmail -t', { stdin, hostName })).toMatchObject({ exitCode: 0 });
    expect(sent()).toMatchObject({ to });
  });

  test.each([
    ['news@acme.com', 0],
    ['news@example.com', 67],
  ])('--from %s tells whether the machine has the name of a domain', async (from, exitCode) => {
    const { run } = await connected(accepted);
    const stdin = message('To: root@acme.com, bob@acme.com');
    const line = `sendmail --from ${from} -t`;
    expect((await run(line, { stdin, hostName: 'acme.com' })).exitCode).toBe(exitCode);
  });

  test('a person with two names gets it once', async () => {
    const settings = { 'local-mail-to': 'ana@example.org' };
    const [body] = await sent(
      '-t',
      message('To: root, ana@example.org', 'Cc: ana@example.org'),
      settings,
    );
    expect([body.to, body.cc]).toEqual(['ana@example.org', undefined]);
  });

  test.each([
    ['-t', 'no recipients', 65],
    ['-t ana@example.org', '-t cannot be used together with recipients', 64],
    ['', 'Give recipients, or -t', 64],
    [['-F', 'Ana', 'Ana Example'], '"Ana Example" is not an email address', 65],
    ['not@an@address', '"not@an@address" is not an email address', 65],
    ['a@b\u0007.example', '"a@b\\u0007.example" contains a control character', 65],
  ])('%j is an error', async (line, reason, code) => {
    const { exitCode, stderr } = await refused(line);
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(reason)]);
    expect(stderr).not.toContain('\u0007');
  });
});

describe('who it is from', () => {
  const text = (author: string) => message().replace(from, author);

  test.each([
    ['the author', 'From: Ana <ana@example.com>', '-f b@example.com -F B', 'Ana <ana@example.com>'],
    ['-f, if there is none', 'X-A: 1', '-f b@example.com -F B', 'B <b@example.com>'],
    ['-r, joined', 'X-A: 1', '-rb@example.com', 'b@example.com'],
    ['the last -f', 'X-A: 1', '-fa@example.com -f b@example.com', 'b@example.com'],
    [
      '-f, if the author is local',
      'From: Ana <ana@web1>',
      '-f b@example.com',
      'Ana <b@example.com>',
    ],
    ['the setting', 'X-A: 1', '', 'Acme <acme@example.com>'],
    [
      'the setting, if both are local',
      'From: root@web1',
      '-f root@web1',
      'Acme <acme@example.com>',
    ],
    [
      'the setting, with the name of cron',
      'From: root (Cron Daemon)',
      '-FX',
      'Cron Daemon <acme@example.com>',
    ],
    ['the setting, with -F', 'X-A: 1', '-FCronDaemon', 'CronDaemon <acme@example.com>'],
    ['--from', 'From: Ana <ana@example.com>', '--from me@example.com', 'me@example.com'],
    ['the setting, without a return path', 'X-A: 1', '-f <>', 'Acme <acme@example.com>'],
  ])('is %s', async (_, author, flags, expected) => {
    const settings = { from: 'Acme <acme@example.com>' };
    const [body] = await sent(`${flags} ana@example.org`, text(author), settings);
    expect(body.from).toBe(expected);
  });

  test('is the setting, if the sender is this user under the full name of the machine', async () => {
    const { run, sent, world } = await connected(accepted, accepted);
    await world.run('config set from Acme<acme@example.com>');
    const options = { hostName: 'web1' };
    await run('sendmail -f ana@web1.example.com ana@example.org', {
      stdin: text('X-A: 1'),
      ...options,
    });
    await run('sendmail ana@example.org', {
      stdin: text('From: Ana <ana@web1.example.com>'),
      ...options,
    });
    expect(sent(0)).toMatchObject({ from: 'Acme <acme@example.com>' });
    expect(sent(1)).toMatchObject({ from: 'Ana <acme@example.com>' });
  });

  test.each([
    ['X-A: 1', 'The message names no sender'],
    ['From: root', 'The message is from the local user root'],
  ])('%s is an error without a setting', async (author, reason) => {
    const { exitCode, stderr } = await refused('ana@example.org', text(author));
    expect(exitCode).toBe(78);
    expect(stderr).toContain(`Error: ${reason}, and there is no default sender.`);
  });

  test('replies go to the address in the message, else in the setting', async () => {
    const settings = { 'reply-to': 'r@example.com' };
    const [byHeader] = await sent('ana@example.org', message('Reply-To: x@example.com'), settings);
    const [bySetting] = await sent('ana@example.org', message('Reply-To: root'), settings);
    expect([byHeader.replyTo, bySetting.replyTo]).toEqual(['x@example.com', 'r@example.com']);
  });
});

describe('the message', () => {
  const withDot = `${message()}.\nHidden\n`;

  test.each(['', '-om', '-odb'])('ends at a dot, with %j', async (flag) => {
    const [body] = await sent(`${flag} ana@example.org`, withDot);
    expect(body.text).toBe('Hello\n');
    const [windows] = await sent(`${flag} ana@example.org`, withDot.replaceAll('\n', '\r\n'));
    expect(windows.text).toBe('Hello\n');
  });

  test.each(['-i', '-oi', '-ti', '-it', '-o i'])('continues after a dot, with %s', async (flag) => {
    const isT = flag.includes('t');
    const text = isT ? message('To: ana@example.org').replace(/$/, '.\nHidden\n') : withDot;
    const [body] = await sent(isT ? flag : `${flag} ana@example.org`, text);
    expect(body.text).toBe('Hello\n.\nHidden\n');
  });

  test('may have no headers, no subject and no text', async () => {
    const settings = { from: 'hello@example.com' };
    expect(await sent('ana@example.org', 'Hello Ana,\nhow are you?\n', settings)).toMatchObject([
      { subject: '(no subject)', text: 'Hello Ana,\nhow are you?\n' },
    ]);
    const [empty] = await sent('ana@example.org', 'Subject: Hi\n\n', settings);
    expect(empty).toMatchObject({ subject: 'Hi', text: '\n' });
  });

  test('loses nothing without --lossy', async () => {
    const text = message('X-A: 1', 'X-A: 2');
    const { exitCode, stderr } = await refused('ana@example.org', text);
    expect([exitCode, stderr]).toEqual([65, expect.stringContaining('the repeated header X-A')]);
    const { run } = await connected(accepted);
    const lossy = await run('sendmail --lossy ana@example.org', { stdin: text });
    expect(lossy).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: 'Left out: the repeated header X-A\n',
    });
  });

  test.each([
    '-oem -oi -odi -O DeliveryMode=b -B8BITMIME -N never -R hdrs -V x -h 3 -L tag -Am -G -U -n -m -s',
    '-bm -FX -f a@example.com',
  ])('is sent with %s', async (flags) => {
    expect(await sent(`${flags} ana@example.org`, message())).toHaveLength(1);
  });

  test.each(['-bs', '-bp', '-bd', '-bi', '-bv', '-q', '-q15m', '-C x', '-X log', '-D x', '-bmx'])(
    'is not read with %s',
    async (flags) => {
      expect((await refused(`${flags} ana@example.org`)).exitCode).toBe(64);
    },
  );
});

test('the account of msmtp has no effect, and this is said once', async () => {
  const { run, service } = await connected(accepted);
  const words = [
    'sendmail',
    '-a',
    'work',
    '--account=home',
    '--read-envelope-from',
    'ana@example.org',
  ];
  expect(await run(words, { stdin: message() })).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Warning: -a has no effect. To choose an account, use --profile or MAILER_PROFILE.\n',
  });
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['-t', message('To: a@b.example c@b.example')],
  ['-t', message('To: d@b.example', 'Cc: a@b.example c@b.example')],
  [['ana@example.org', 'a@b.example c@b.example'], message()],
])('two addresses without a comma are an error, and nobody is left out: %j', async (line, text) => {
  const { exitCode, stderr } = await refused(line, text);
  expect(exitCode).not.toBe(0);
  expect(stderr).toContain(
    '"a@b.example c@b.example" has two addresses without a comma between them',
  );
});

test('an address as the name of another one is a name', async () => {
  const [body] = await sent(
    '-t',
    message('To: shop@b.example <ana@example.org>, "c@b.example" <d@b.example>'),
  );
  expect(body.to).toEqual(['"shop@b.example" <ana@example.org>', '"c@b.example" <d@b.example>']);
});

describe('once', () => {
  const keyed = message('Message-ID: <1@example.com>');
  const unnamed = message();

  async function keys(...lines: readonly (readonly [string, string])[]) {
    const { run, service } = await connected(...lines.map(() => accepted));
    for (const [line, stdin] of lines) await run(`sendmail ${line}`, { stdin });
    return service.requests.map(({ headers }) => headers['idempotency-key']);
  }

  test('a message with a Message-ID has the same key again, for the same people', async () => {
    const [first, again, other, changed] = await keys(
      ['a@example.org', keyed],
      ['-i a@example.org', `Received: x\n${keyed}`],
      ['b@example.org', keyed],
      ['a@example.org', keyed.replace('Hello', 'Bye')],
    );
    expect(first).toMatch(/^sendmail-[0-9a-f]{64}$/);
    expect(again).toBe(first);
    expect(new Set([first, other, changed]).size).toBe(3);
  });

  test('one without has a new key each time', async () => {
    const [key] = await keys(['a@example.org', unnamed]);
    // From the clock and the randomness of the test's machine.
    expect(key).toMatch(/^00000000-0000-4000-8000-000000000001/);
  });

  test.each(['<>', '< >'])('%j is no Message-ID', async (id) => {
    const [key] = await keys(['a@example.org', message(`Message-ID: ${id}`)]);
    expect(key).toMatch(/^00000000-/);
  });

  test('the sandbox keeps one email of two', async () => {
    const world = createWorld();
    for (const _ of [1, 2]) await world.run('sendmail --sandbox a@example.org', { stdin: keyed });
    const { stdout } = await world.run('email list --sandbox --jsonl --limit 2');
    expect(stdout.match(/"to":\["a@example.org"\]/g)).toHaveLength(1);
  });

  const lost = (response: { destroy(): void }) => response.destroy();

  test.each([
    ['a lost response', keyed, [lost], 75, 'does not deliver it twice'],
    ['a lost response', unnamed, [lost], 69, 'may deliver it twice'],
    ['429', unnamed, [{ status: 429 }], 75, ''],
    ['503', keyed, [{ status: 503 }], 75, ''],
    [
      '400',
      keyed,
      [{ status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } }],
      65,
      'No',
    ],
    [
      '403',
      keyed,
      [{ status: 403, body: { error: { code: 'FORBIDDEN', message: 'No' } } }],
      77,
      'No',
    ],
    [
      'half of two',
      keyed,
      [accepted, { status: 429 }],
      75,
      'It was accepted for 1 of 2 recipients.',
    ],
    [
      'half of two',
      unnamed,
      [accepted, { status: 429 }],
      69,
      'It was accepted for 1 of 2 recipients.',
    ],
  ])(
    '%s ends with a code that tells whether to repeat it',
    async (_, stdin, answers, code, words) => {
      const { run } = await connected(...answers);
      const to = answers.length === 2 ? 'a@example.org b@example.org' : 'a@example.org';
      const { exitCode, stdout, stderr } = await run(`sendmail --retries 0 ${to}`, { stdin });
      expect([exitCode, stdout, stderr]).toEqual([code, '', expect.stringContaining(words)]);
    },
  );
});

describe('the account', () => {
  test('that is missing is found out before stdin is read', async () => {
    const world = createWorld();
    const noKey = await world.run('sendmail ana@example.org', { stdin: message() });
    expect([noKey.exitCode, noKey.stdout]).toEqual([77, '']);
    const env = { MAILER_API_KEY: 'us_key_1234567890' };
    const noUrl = await world.run('sendmail ana@example.org', { stdin: message(), env });
    expect(noUrl.exitCode).toBe(78);
    const odd = await world.run('sendmail --base-url x:y ana@example.org', {
      stdin: message(),
      env,
    });
    expect(odd.exitCode).toBe(78);
  });

  test('--dry-run shows the request, and --json and --quiet what was sent', async () => {
    const world = createWorld();
    const stdin = message();
    const dry = await world.run('sendmail --dry-run --json ana@example.org', { stdin });
    expect(JSON.parse(dry.stdout).body).toMatchObject({ to: 'ana@example.org' });
    const json = await world.run('sendmail --sandbox --json a@example.org b@example.org', {
      stdin,
    });
    const { data } = JSON.parse(json.stdout);
    expect(data).toEqual([{ emailId: expect.any(String) }, { emailId: expect.any(String) }]);
    const quiet = await world.run('sendmail --sandbox --quiet a@example.org', { stdin });
    expect(quiet.stdout).toMatch(/^c\w+\n$/);
    const last = await world.run('email get @last --sandbox --quiet');
    expect(last.stdout).toBe(quiet.stdout);
    const verbose = await world.run('sendmail --sandbox -v a@example.org', { stdin });
    expect([verbose.stdout, verbose.stderr]).toEqual([
      '',
      expect.stringMatching(/^Accepted: c\w+\n$/),
    ]);
  });

  test('errors are JSON with --json, and have the same exit code', async () => {
    const { exitCode, stderr } = await refused('--json root');
    expect([exitCode, JSON.parse(stderr).error.code]).toEqual([67, 'usage']);
  });
});

test('under a policy, a message to somebody who is not allowed is refused: 77, and nothing is sent', async () => {
  const env = { MAILER_ALLOW_TO: '*@example.com' };
  const { exitCode, stderr } = await refused('a@example.com b@example.org', message(), { env });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 77,
    stderr: expect.stringContaining('b@example.org: allow-to in MAILER_ALLOW_TO does not allow'),
  });
});

describe('a message that becomes several emails', () => {
  const to = 'a@example.org b@example.org c@example.org';
  const stdin = message('Message-ID: <one@example.com>');

  test.each([
    ['MAILER_MAX_RECIPIENTS', 'allows 2 recipients per command, not 3.'],
    ['MAILER_MAX_PER_DAY', 'so 3 more are too many.'],
  ])('counts as a whole, before the first is sent: %s', async (name, why) => {
    const env = { [name]: '2' };
    const { exitCode, stderr } = await refused(to, stdin, { env });
    expect({ exitCode, stderr }).toEqual({
      exitCode: 77,
      stderr: expect.stringContaining(why),
    });
    const redirected = { ...env, MAILER_REDIRECT_TO: 'me@example.org' };
    expect((await refused(to, stdin, { env: redirected })).exitCode).toBe(77);
  });

  test('may be handed over again when the limit for the day is reached by it', async () => {
    const env = { MAILER_MAX_PER_DAY: '3', MAILER_MAX_RECIPIENTS: '3' };
    const { run, service } = await connected(
      ...[accepted, { status: 503 }],
      ...[accepted, accepted, accepted],
    );
    const line = `sendmail --retries 0 ${to}`;
    expect(await run(line, { stdin, env })).toMatchObject({ exitCode: 75 });
    expect(await run(line, { stdin, env })).toMatchObject({ exitCode: 0 });
    expect(service.requests).toHaveLength(5);
    const other = await run('sendmail a@example.org', { stdin: message(), env });
    expect(other).toMatchObject({ exitCode: 77 });
    expect(service.requests).toHaveLength(5);
  });

  test('is shown whole by --dry-run', async () => {
    const world = createWorld();
    const json = await world.run(`sendmail --dry-run --json ${to}`, { stdin });
    const { body, others } = JSON.parse(json.stdout);
    expect([body.to, ...others.map((one: { body: object }) => one.body)]).toEqual([
      'a@example.org',
      expect.objectContaining({ to: 'b@example.org' }),
      expect.objectContaining({ to: 'c@example.org' }),
    ]);
    const { stdout } = await world.run(`sendmail --dry-run ${to}`, { stdin });
    expect(stdout.match(/^POST .*$|"to": .*/gm)).toEqual([
      'POST {base_url}/v1/emails',
      '"to": "a@example.org",',
      'POST {base_url}/v1/emails',
      '"to": "b@example.org",',
      'POST {base_url}/v1/emails',
      '"to": "c@example.org",',
    ]);
    const one = await world.run('sendmail --dry-run --json a@example.org', { stdin });
    expect(JSON.parse(one.stdout)).not.toHaveProperty('others');
  });
});
