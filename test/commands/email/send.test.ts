import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, key } from '../../support/connected.ts';
import { needing, notWindows } from '../../support/needs.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { worldWith } from '../../support/stored-profiles.ts';

const accepted = { body: { emailId: 'em_1' } };
const minimal = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello'],
];
const minimalBody = {
  to: 'ana@example.org',
  from: 'hello@example.com',
  subject: 'Hi',
  text: 'Hello',
};

/** The body that these flags add to the minimal send. */
async function bodyOf(flags: readonly string[], prepare?: (setup: Connected) => void) {
  const setup = await connected(accepted);
  prepare?.(setup);
  const { exitCode, stderr } = await setup.run([...minimal, ...flags]);
  expect(stderr).not.toContain('Error');
  expect(exitCode).toBe(0);
  expect(setup.service.requests).toHaveLength(1);
  return setup.sent(0);
}

describe('the request', () => {
  test('is one POST to /v1/emails with key, JSON body and an idempotency key', async () => {
    const { run, service, sent } = await connected(accepted);
    expect((await run(minimal)).exitCode).toBe(0);
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request?.method).toBe('POST');
    expect(request?.path).toBe('/api/v1/emails');
    expect(request?.headers).toMatchObject({
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      accept: 'application/json',
      'user-agent': expect.stringMatching(/^mailer\/\d+\.\d+\.\d+/),
      'idempotency-key': expect.stringMatching(/^.{1,256}$/),
    });
    expect(sent(0)).toEqual(minimalBody);
  });

  test('each run has its own idempotency key', async () => {
    const { run, service, world } = await connected(accepted, accepted);
    await run(minimal);
    world.clock.advance(1);
    await run(minimal);
    const [first, second] = service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(first).not.toBe(second);
  });

  test('--idempotency-key is sent unmodified', async () => {
    const { run, service } = await connected(accepted);
    await run([...minimal, '--idempotency-key', 'order-42/confirmation']);
    expect(service.requests[0]?.headers['idempotency-key']).toBe('order-42/confirmation');
  });

  test('the idempotency key may have 256 characters', async () => {
    const { run, service } = await connected(accepted);
    const longest = 'k'.repeat(256);
    expect((await run([...minimal, '--idempotency-key', longest])).exitCode).toBe(0);
    expect(service.requests[0]?.headers['idempotency-key']).toBe(longest);
  });

  test('--dry-run sends nothing, needs no key and shows method, URL and body', async () => {
    const { run, service } = await connected();
    const env = { MAILER_API_KEY: '' };
    const shown = await run([...minimal, '--dry-run', '--json'], { env });
    expect(shown.exitCode).toBe(0);
    expect(JSON.parse(shown.stdout)).toMatchObject({
      method: 'POST',
      url: `${service.baseUrl}/v1/emails`,
      body: minimalBody,
    });
    const text = await run([...minimal, '--dry-run']);
    expect(text.stdout).toContain(`POST ${service.baseUrl}/v1/emails\n`);
    expect(text.stdout + text.stderr).not.toContain(key);
    expect(service.requests).toEqual([]);
  });
});

describe('addresses', () => {
  test('one is sent as a string, several as an array in order', async () => {
    expect(
      await bodyOf([
        ...['--cc', 'c1@example.org', '--bcc', 'b1@example.org, b2@example.org'],
        ...['--reply-to', 'r1@example.org', '--reply-to', 'r2@example.org,r3@example.org'],
      ]),
    ).toEqual({
      ...minimalBody,
      cc: 'c1@example.org',
      bcc: ['b1@example.org', 'b2@example.org'],
      replyTo: ['r1@example.org', 'r2@example.org', 'r3@example.org'],
    });
  });

  test('--to repeats and takes lists', async () => {
    const { run, sent } = await connected(accepted);
    await run([
      ...['email', 'send', '--to', 'a@example.org,b@example.org', '--to', 'c@example.org'],
      ...['--from', 'hello@example.com', '--subject', 'Hi', '--text', 'Hello'],
    ]);
    expect(sent(0)).toMatchObject({ to: ['a@example.org', 'b@example.org', 'c@example.org'] });
  });

  test('display names are kept, a comma in quotes does not separate', async () => {
    const { run, sent } = await connected(accepted);
    await run([
      ...['email', 'send', '--to', '"Ana, B" <a@b.example>, d@e.example'],
      ...['--from', 'Änne Müller <hello@example.com>', '--subject', 'Hi', '--text', 'Hello'],
    ]);
    expect(sent(0)).toMatchObject({
      to: ['"Ana, B" <a@b.example>', 'd@e.example'],
      from: 'Änne Müller <hello@example.com>',
    });
  });
});

describe('content', () => {
  test('--html is sent beside --text', async () => {
    expect(await bodyOf(['--html', '<p>Hello</p>'])).toEqual({
      ...minimalBody,
      html: '<p>Hello</p>',
    });
  });

  test('--text-file and --html-file send what is in the files, without a byte order mark', async () => {
    const { run, file, sent } = await connected(accepted);
    file('body.txt', '\ufeffHello\r\n\tÄnne 👋\n');
    file('body.html', '<p>Hi</p>\n');
    await run([
      ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
      ...['--subject', 'Hi', '--text-file', 'body.txt', '--html-file', 'body.html'],
    ]);
    expect(sent(0)).toMatchObject({ text: 'Hello\r\n\tÄnne 👋\n', html: '<p>Hi</p>\n' });
  });

  test.each([
    ['--text-file', 'text'],
    ['--html-file', 'html'],
  ])('%s - reads stdin', async (flag, field) => {
    const { run, sent } = await connected(accepted);
    const words = ['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'];
    const { exitCode } = await run([...words, '--subject', 'Hi', flag, '-'], { stdin: 'Ä\nB\n' });
    expect(exitCode).toBe(0);
    expect(sent(0)).toMatchObject({ [field]: 'Ä\nB\n' });
  });

  test('a template needs neither subject nor body; --var wins over --vars-file', async () => {
    const { run, file, sent } = await connected({ status: 404 }, accepted);
    file('vars.json', { name: 'Ben', plan: 'pro' });
    const { exitCode } = await run([
      ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
      ...['--template', 'tmpl_1', '--var', 'name=Ana', '--var', 'link=https://x.example/?a=b'],
      ...['--vars-file', 'vars.json'],
    ]);
    expect(exitCode).toBe(0);
    expect(sent(1)).toEqual({
      to: 'ana@example.org',
      from: 'hello@example.com',
      templateId: 'tmpl_1',
      variables: { name: 'Ana', plan: 'pro', link: 'https://x.example/?a=b' },
    });
  });

  test('--header adds custom headers; a value may contain colons', async () => {
    expect(
      await bodyOf(['--header', 'X-Campaign: spring', '--header', 'List-Unsubscribe:<https://x/>']),
    ).toEqual({
      ...minimalBody,
      headers: { 'X-Campaign': 'spring', 'List-Unsubscribe': '<https://x/>' },
    });
  });

  test('--attach sends every byte in base64 under the name of the file', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    expect(
      await bodyOf(['--attach', 'some/dir/all bytes.bin', '--attach', 'n.txt'], ({ file }) => {
        file('some/dir/all bytes.bin', bytes);
        file('n.txt', 'n');
      }),
    ).toEqual({
      ...minimalBody,
      attachments: [
        { filename: 'all bytes.bin', content: Buffer.from(bytes).toString('base64') },
        { filename: 'n.txt', content: 'bg==' },
      ],
    });
  });

  test('a backslash in the name of a file ends a folder', needing(notWindows), async () => {
    const sent = await bodyOf(['--attach', 'a\\b.txt'], ({ file }) => file('a\\b.txt', 'n'));
    expect(sent.attachments).toEqual([{ filename: 'b.txt', content: 'bg==' }]);
  });

  test('ten attachments are sent', async () => {
    const names = Array.from({ length: 10 }, (_, index) => `a${index}.txt`);
    const body = await bodyOf(
      names.flatMap((name) => ['--attach', name]),
      ({ file }) => {
        for (const name of names) file(name, 'x');
      },
    );
    expect(body).toMatchObject({ attachments: names.map((filename) => ({ filename })) });
  });

  test('--in-reply-to names the email that this one answers', async () => {
    expect(await bodyOf(['--in-reply-to', 'em_0'])).toEqual({
      ...minimalBody,
      inReplyToId: 'em_0',
    });
  });
});

describe('--scheduled-at', () => {
  // The tests' clock is at 2026-01-15T10:00:00Z, a Thursday.
  test.each([
    [['2026-02-01T09:00:00Z'], '2026-02-01T09:00:00Z'],
    [['2026-02-01T09:00:00+02:00'], '2026-02-01T07:00:00Z'],
    [['tomorrow 9am'], '2026-01-16T09:00:00Z'],
    [['tomorrow 9am', '--timezone', 'America/New_York'], '2026-01-16T14:00:00Z'],
    [['tomorrow 9am', '--timezone', 'Europe/Berlin'], '2026-01-16T08:00:00Z'],
    [['in 2 hours', '--timezone', 'Asia/Tokyo'], '2026-01-15T12:00:00Z'],
    [['next monday 10:30'], '2026-01-19T10:30:00Z'],
    [['9am'], '2026-01-16T09:00:00Z'],
    [['2026-07-01T09:00', '--timezone', 'Europe/Berlin'], '2026-07-01T07:00:00Z'],
  ])('%j is sent as %s', async (flags, scheduledAt) => {
    expect(await bodyOf(['--scheduled-at', ...flags])).toEqual({ ...minimalBody, scheduledAt });
  });

  test('--allow-past accepts a past time', async () => {
    expect(await bodyOf(['--scheduled-at', '2026-01-01T00:00:00Z', '--allow-past'])).toEqual({
      ...minimalBody,
      scheduledAt: '2026-01-01T00:00:00Z',
    });
  });

  test('reports that a past time sends at once', async () => {
    const { run } = await connected(accepted);
    const when = ['--scheduled-at', '2020-01-01T00:00:00Z', '--allow-past'];
    expect((await run([...minimal, ...when])).stderr).toBe(
      'Sent at once: Wed 1 Jan 2020, 00:00 GMT (2020-01-01T00:00:00Z) is in the past.\n',
    );
  });

  test('shows the time, local and UTC', async () => {
    const { run } = await connected(accepted);
    const when = ['--scheduled-at', 'tomorrow 9am', '--timezone', 'Europe/Berlin'];
    const { stderr } = await run([...minimal, ...when]);
    expect(stderr).toMatch(/09:00.*2026-01-16T08:00:00Z/);
  });
});

describe('--file', () => {
  const request = {
    to: ['x@example.org', 'Y <y@example.org>'],
    from: 'file@example.com',
    subject: 'From the file',
    html: '<p>file</p>',
    variables: { a: 'b' },
    headers: { 'X-From': 'file' },
    scheduledAt: 'tomorrow 9am',
  };

  test('sends the request in it; an English time becomes exact', async () => {
    const { run, file, sent } = await connected(accepted);
    file('request.json', request);
    expect((await run('email send --file request.json')).exitCode).toBe(0);
    expect(sent(0)).toEqual({ ...request, scheduledAt: '2026-01-16T09:00:00Z' });
  });

  test('reads stdin for -', async () => {
    const { run, sent } = await connected(accepted);
    await run('email send --file -', {
      stdin: JSON.stringify({ ...minimalBody, cc: 'c@d.example' }),
    });
    expect(sent(0)).toEqual({ ...minimalBody, cc: 'c@d.example' });
  });

  test('flags override it, and it overrides the settings', async () => {
    const { service, sent } = await connected(accepted, accepted, accepted);
    const settings = { from: 'setting@example.com', 'reply-to': 'help@example.com' };
    const profile = { baseUrl: service.baseUrl, apiKey: key, settings };
    const world = await worldWith({ work: profile }, 'work');
    writeFileSync(join(world.home, 'request.json'), JSON.stringify(request));
    const others = ['email', 'send', '--to', 'a@example.org', '--subject', 'S', '--text', 'T'];
    await world.run(others);
    expect(sent(0)).toMatchObject({ from: 'setting@example.com', replyTo: 'help@example.com' });
    await world.run('email send --file request.json');
    expect(sent(1)).toMatchObject({ from: 'file@example.com', replyTo: 'help@example.com' });
    const flags = ['--from', 'flag@example.com', '--reply-to', 'r@example.com', '--subject', 'S'];
    await world.run(['email', 'send', '--file', 'request.json', ...flags]);
    expect(sent(2)).toMatchObject({
      to: request.to,
      from: 'flag@example.com',
      replyTo: 'r@example.com',
      subject: 'S',
    });
  });
});

describe('a template alone', () => {
  const alone = [...minimal.slice(0, 6), '--template', 'tmpl_welcome', '--var', 'name=Ana'];
  const refusal = {
    status: 400,
    body: {
      success: false,
      error: {
        name: 'ZodError',
        issues: [{ code: 'custom', path: [], message: 'É preciso enviar text ou html.' }],
      },
    },
  };

  test('where the service rejects it, the hint names the missing flags', async () => {
    const { run } = await connected({ status: 404 }, refusal);
    const { exitCode, stderr } = await run(alone);
    expect(exitCode).toBe(1);
    expect(stderr).toContain(
      'Hint: This service requires --text or --html in addition to --template.',
    );
  });

  test.for<[string, Answer, readonly string[]]>([
    ['with a text', refusal, [...alone, '--text', 'Hello']],
    [
      'for another reason',
      { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } },
      alone,
    ],
  ])('one that is rejected %s is not told so', async ([, answer, line]) => {
    const { run } = await connected({ status: 404 }, answer);
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(1);
    expect(stderr).not.toContain('--template');
  });

  test('the sandbox rejects it as live servers do, and accepts the example of the help page', async () => {
    const { run } = createWorld();
    const rejected = await run([...alone, '--sandbox']);
    expect(rejected.exitCode).toBe(1);
    expect(rejected.stderr).toContain('requires --text or --html');
    const [, example = ''] =
      /mailer (email send .*--template.*)/.exec((await run('email send --help')).stdout) ?? [];
    const words = example.match(/"[^"]*"|\S+/g)?.map((word) => word.replaceAll('"', '')) ?? [];
    const sent = await run([...words, '--from', 'hello@example.com', '--sandbox']);
    expect(sent.stderr).toMatch(/^Scheduled for/);
    expect(sent.exitCode).toBe(0);
  });
});

describe('500 for a template', () => {
  const failure = {
    status: 500,
    body: { error: { code: 'INTERNAL_SERVER_ERROR', message: 'Failed to create email' } },
  };
  const words = [...minimal.slice(0, 6), '--template', 'tmpl_misspelt', '--retries', '0'];
  const asEver =
    'The request may have been accepted. For 24 hours, this command sends it again only if the service does not have it';

  test('that may not exist, without a subject: 7, and the hint also names it', async () => {
    const { run } = await connected({ status: 404 }, failure);
    const { exitCode, stderr } = await run([...words, '--text', 'Hello']);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`Hint: Check that the template "tmpl_misspelt" exists. ${asEver}`);
    expect(stderr).toMatch(/\nmailer email send .* --idempotency-key \S+\n$/);
  });

  test.for<[string, Answer, readonly string[]]>([
    ['with a subject of its own', failure, [...words, '--subject', 'Hi', '--text', 'Hello']],
    ['as a page of a proxy', { status: 500, body: '<html></html>' }, [...words, '--text', 'Hello']],
    ['as 503', { ...failure, status: 503 }, [...words, '--text', 'Hello']],
  ])('%s is not about the template', async ([, answer, line]) => {
    const { run } = await connected({ status: 404 }, answer);
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(7);
    expect(stderr).toContain(`Hint: ${asEver}`);
  });

  test('the sandbox reports it too', async () => {
    const { run } = createWorld();
    const outcome = await run([...words, '--text', 'Hello', '--sandbox', '--json']);
    expect(outcome.exitCode).toBe(7);
    expect(outcome.stderr).toContain(
      'Check that the template \\"tmpl_misspelt\\" exists. The request may',
    );
  });
});
