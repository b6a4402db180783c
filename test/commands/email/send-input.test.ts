import { chmodSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Connected, connected, errorOf } from '../../support/connected.ts';
import { needing, noRoot, notWindows } from '../../support/needs.ts';

const recipient = ['--to', 'ana@example.org'];
const sender = ['--from', 'hello@example.com'];
const subject = ['--subject', 'Hi'];
const text = ['--text', 'Hello'];
const minimal = ['email', 'send', ...recipient, ...sender, ...subject, ...text];
const withoutText = ['email', 'send', ...recipient, ...sender, ...subject];
const request = { to: 'a@example.org', from: 'b@example.com', subject: 'S', text: 'T' };

/** The error for an invalid command line. Nothing may be sent. */
async function refusal(
  words: readonly string[],
  prepare: (setup: Connected) => { stdin?: string | Uint8Array } | undefined | string = () =>
    undefined,
): Promise<string> {
  const setup = await connected();
  const options = prepare(setup);
  const outcome = await setup.run([...words, '--json'], typeof options === 'object' ? options : {});
  expect(setup.service.requests).toEqual([]);
  expect(outcome.exitCode).toBe(2);
  const { code, message } = errorOf(outcome);
  expect(code).toBe('usage');
  return message;
}

describe('invalid addresses', () => {
  test.each([
    ['--to', 'ana'],
    ['--to', 'ana@example.org, b b@example.org'],
    ['--cc', 'ana@'],
    ['--bcc', '@example.org'],
    ['--reply-to', 'Ana, B <a@b.example>'],
    ['--cc', 'a@b.example\r\nBcc: c@d.example'],
  ])('%s %j', async (flag, value) => {
    const words = [...sender, ...subject, ...text, flag, value];
    const more = flag === '--to' ? [] : recipient;
    const message = await refusal(['email', 'send', ...more, ...words]);
    expect(message).toMatch(new RegExp(`^${flag}: .* is not an email address$`));
  });

  test('an invalid one in a list is named', async () => {
    const list = 'a@example.org, "B, C" <b@example.org>, nope, d@example.org';
    const words = ['email', 'send', ...sender, ...subject, ...text, '--to', list];
    expect(await refusal(words)).toContain('"nope"');
  });

  test('two senders', async () => {
    const message = await refusal([
      'email',
      'send',
      ...recipient,
      ...subject,
      ...text,
      '--from',
      'a@b.example, c@d.example',
    ]);
    expect(message).toContain('--from');
    expect(message).toContain('a@b.example, c@d.example');
  });

  test('in --file, with its place in a list', async () => {
    const message = await refusal(['email', 'send', '--file', 'r.json'], ({ file }) =>
      file('r.json', { ...request, cc: ['ok@example.org', 'not one'] }),
    );
    expect(message).toContain('--file: cc[1]');
    expect(message).toContain('not one');
  });
});

describe('--file', () => {
  test.each([
    ['an unknown field', { ...request, subjct: 'S' }, /subjct/],
    [
      'a misspelt needed field',
      { to: 'a@b.example', from: 'b@c.example', subjct: 'S', text: 'T' },
      /unknown field "subjct"/,
    ],
    ['no address', { ...request, to: 5 }, /--file: to: must be an email address or a list of them/],
    [
      'no address in a list',
      { ...request, to: ['a@b.c', 5] },
      /^--file: to\[1\]: must be a string$/,
    ],
    ['a field of the wrong type', { ...request, text: 5 }, /--file: text: must be a string/],
    [
      'an unknown field of an attachment',
      { ...request, attachments: [{ filename: 'a', content: 'YQ==', type: 'x' }] },
      /attachments\[0\].*type/,
    ],
    [
      'an attachment that is not base64',
      { ...request, attachments: [{ filename: 'a', content: '%' }] },
      /attachments\[0\]\.content.*base64/,
    ],
    [
      'eleven attachments',
      { ...request, attachments: Array(11).fill({ filename: 'a', content: 'YQ==' }) },
      /attachments.*10/,
    ],
    [
      'a time in the past',
      { ...request, scheduledAt: '2026-01-01T00:00:00Z' },
      /scheduledAt.*2026-01-01T00:00:00Z/,
    ],
    [
      'a header for which there is a field',
      { ...request, headers: { BCC: 'c@d.example' } },
      /^--file: headers: services ignore a header BCC; use the field bcc$/,
    ],
    [
      'a header with a line break',
      { ...request, headers: { 'X-A': 'b\nBcc: c@d.example' } },
      /headers.*X-A.*line break/,
    ],
    ['an array', [request], /does not contain a JSON object/],
    ['null', 'null', /does not contain a JSON object/],
    ['no JSON', '{"to": oops}', /r\.json is not JSON/],
    ['nothing', '', /r\.json is not JSON/],
    ['a NUL character', { ...request, subject: 'a\0b' }, /--file: subject.*NUL/],
    [
      'a NUL character deep inside',
      { ...request, variables: { a: { b: ['\0'] } } },
      /--file: variables.*NUL/,
    ],
    ['__proto__', `${JSON.stringify(request).slice(0, -1)},"__proto__":{"to":"x"}}`, /__proto__/],
    [
      'a field twice',
      `${JSON.stringify(request).slice(0, -1)},"to":"x@example.org"}`,
      /^--file: "to" occurs twice in r\.json$/,
    ],
    [
      'a number that would be rounded',
      `${JSON.stringify(request).slice(0, -1)},"variables":{"id":12345678901234567890}}`,
      /^--file: variables\.id: 12345678901234567890 would be rounded; write it in quotes$/,
    ],
  ])('with %s', async (_, content, said) => {
    const message = await refusal(['email', 'send', '--file', 'r.json'], ({ file }) =>
      file('r.json', content),
    );
    expect(message).toMatch(said);
  });

  test.each([
    ['headers', 'bad name ', 'x', 'is not a valid header name'],
    ['headers', 'name', 'a\nb', 'must not contain a line break'],
    ['headers', 'name', 1, 'must be a string'],
    ['headers', 'name', '', 'must not be empty'],
    ['variables', 'name', 'a\0b', 'must not contain a NUL character'],
  ])('with %s, very many of them wrong (%s, %j)', async (field, name, value, said) => {
    const many = Object.fromEntries(Array.from({ length: 1000 }, (_, nth) => [name + nth, value]));
    const { run, file } = await connected();
    file('r.json', { ...request, [field]: many });
    const { message, issues } = errorOf(await run('email send --file r.json --json'));
    expect(message).toMatch(new RegExp(`^--file: ${field}.${name}0: ${said}\n`));
    expect(message).toMatch(/\nand 80 more$/);
    expect(issues).toHaveLength(100);
  });

  test('null is the same as absent where the service treats it so', async () => {
    const { run, file, sent } = await connected({ body: { emailId: 'em_1' } });
    file('r.json', { ...request, html: null, inReplyToId: null });
    expect((await run('email send --file r.json')).exitCode).toBe(0);
    expect(sent()).toEqual(request);
  });

  test('a text that is null is missing, and a flag can set it', async () => {
    const { run, file, sent } = await connected({ body: { emailId: 'em_1' } });
    file('r.json', { ...request, text: null });
    expect((await run('email send --file r.json')).exitCode).toBe(2);
    expect((await run('email send --file r.json --text Hello')).exitCode).toBe(0);
    expect(sent()).toEqual({ ...request, text: 'Hello' });
  });

  test.each(['to', 'subject', 'cc', 'headers', 'scheduledAt'])(
    'null for %s is an error, because the service rejects it',
    async (field) => {
      const { run, file, requests } = await connected();
      file('r.json', { ...request, [field]: null });
      const outcome = await run('email send --file r.json --json');
      expect(outcome.exitCode).toBe(2);
      expect(errorOf(outcome).message).toContain(field);
      expect(requests()).toEqual([]);
    },
  );

  test('that does not exist', async () => {
    expect(await refusal(['email', 'send', '--file', 'none.json'])).toBe(
      '--file: none.json does not exist',
    );
  });

  test('that is not JSON on stdin', async () => {
    const message = await refusal(['email', 'send', '--file', '-'], () => ({ stdin: 'to: x' }));
    expect(message).toContain('stdin is not JSON');
  });
});

describe('flags for variables without a template or placeholders', () => {
  test.each([
    ['--var', ['--var', 'name=Ana']],
    ['--vars-file', ['--vars-file', 'vars.json']],
  ])('%s', async (flag, words) => {
    const { run, service, file } = await connected();
    file('vars.json', { name: 'Ana' });
    const outcome = await run([...minimal, ...words, '--json']);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe(`${flag}: the email has no placeholders for "name"`);
    expect(service.requests).toEqual([]);
  });

  test('the template may be in --file', async () => {
    const { run, sent, file } = await connected(
      { status: 404, body: '404 Not Found' },
      { body: { emailId: 'em_1' } },
    );
    file('request.json', { templateId: 'tmpl_1' });
    const words = [...minimal, '--file', 'request.json', '--var', 'name=Ana'];
    expect((await run(words)).exitCode).toBe(0);
    expect(sent(1)).toMatchObject({ templateId: 'tmpl_1', variables: { name: 'Ana' } });
  });
});

describe('texts that cannot be read', () => {
  const latin1 = Uint8Array.from([0x48, 0xe4, 0x0a]);

  test.each(['--text-file', '--html-file', '--vars-file', '--file'])(
    'invalid UTF-8 in %s',
    async (flag) => {
      const message = await refusal([...withoutText, flag, 'latin1.txt'], ({ file }) =>
        file('latin1.txt', latin1),
      );
      expect(message).toBe(`${flag}: latin1.txt is not valid UTF-8`);
    },
  );

  test.each(['--text-file', '--html-file', '--file'])(
    'invalid UTF-8 on stdin for %s',
    async (flag) => {
      expect(await refusal([...withoutText, flag, '-'], () => ({ stdin: latin1 }))).toBe(
        `${flag}: stdin is not valid UTF-8`,
      );
    },
  );

  test.each(['--text-file', '--html-file'])('NUL bytes in %s', async (flag) => {
    const message = await refusal([...withoutText, flag, 'nul.txt'], ({ file }) =>
      file('nul.txt', 'a\0b'),
    );
    expect(message).toMatch(new RegExp(`^${flag}: nul.txt .*NUL`));
  });

  test('NUL bytes on stdin', async () => {
    const words = [...withoutText, '--text-file', '-'];
    expect(await refusal(words, () => ({ stdin: 'a\0b' }))).toMatch(/^--text-file: stdin .*NUL/);
  });

  test('a control character in a name', needing(notWindows), async () => {
    const message = await refusal([...minimal, '--attach', 'a\u001b[2J.txt'], ({ file }) =>
      file('a\u001b[2J.txt', 'x'),
    );
    expect(message).toBe(
      '--attach[0].filename: "a\\u001b[2J.txt" cannot be a file name: it has a slash, backslash or control character',
    );
  });

  test('an empty file', async () => {
    const message = await refusal([...withoutText, '--text-file', 'e.txt'], ({ file }) =>
      file('e.txt', ''),
    );
    expect(message).toBe('--text-file: e.txt is empty');
  });

  test.each(['--text-file', '--html-file'])('white space in %s', async (flag) => {
    const message = await refusal([...withoutText, flag, 'e.txt'], ({ file }) =>
      file('e.txt', ' \r\n\n'),
    );
    expect(message).toBe(`${flag}: e.txt has only white space`);
  });

  test.each([
    ['utf-16le', [0xff, 0xfe, 0x48, 0]],
    ['utf-16be', [0xfe, 0xff, 0, 0x48]],
  ])('a file in %s, which is named', async (_, bytes) => {
    const message = await refusal([...withoutText, '--text-file', 'w.txt'], ({ file }) =>
      file('w.txt', Uint8Array.from(bytes)),
    );
    expect(message).toBe('--text-file: w.txt is UTF-16');
  });

  test.each([
    [
      ['--text-file', '-', '--html-file', '-'],
      ['--text-file', '--html-file'],
    ],
    [
      ['--file', '-', '--text-file', '-'],
      ['--file', '--text-file'],
    ],
    [
      ['--vars-file', '-', '--html-file', '-'],
      ['--vars-file', '--html-file'],
    ],
  ])('stdin for both of %j', async (flags, named) => {
    const message = await refusal([...withoutText, ...flags], () => ({ stdin: '{}' }));
    for (const flag of named) expect(message).toContain(flag);
    expect(message).toContain('stdin');
  });

  test.each([
    ['--text', '--text-file'],
    ['--html', '--html-file'],
  ])('%s beside %s', async (flag, fileFlag) => {
    const words = [...withoutText, flag, 'x', fileFlag, 'y.txt'];
    const message = await refusal(words, ({ file }) => file('y.txt', 'y'));
    expect(message).toBe(`${flag} and ${fileFlag} cannot be used together`);
  });
});

describe('attachments', () => {
  test.each(['../../.ssh/authorized_keys', 'a\\b.txt', 'a\u001b[2J.txt'])(
    'called %j in --file',
    async (filename) => {
      const attachments = [{ filename, content: 'YQ==' }];
      const message = await refusal(['email', 'send', '--file', 'r.json'], ({ file }) =>
        file('r.json', { ...request, attachments }),
      );
      expect(message).toMatch(/^--file: attachments\[0\]\.filename: ".*" cannot be a file name/);
    },
  );

  test('eleven', async () => {
    const words = Array.from({ length: 11 }, (_, index) => ['--attach', `a${index}.txt`]).flat();
    const message = await refusal([...minimal, ...words], ({ file }) => {
      for (let index = 0; index < 11; index++) file(`a${index}.txt`, 'x');
      return undefined;
    });
    expect(message).toMatch(/--attach: 11 .*10/);
  });

  test('a directory', async () => {
    const message = await refusal([...minimal, '--attach', 'folder'], ({ world }) => {
      mkdirSync(join(world.home, 'folder'));
      return undefined;
    });
    expect(message).toBe('--attach: folder is a directory');
  });

  test('a missing file, after an existing one', async () => {
    const words = [...minimal, '--attach', 'there.txt', '--attach', 'gone.pdf'];
    expect(await refusal(words, ({ file }) => file('there.txt', 'x'))).toBe(
      '--attach: gone.pdf does not exist',
    );
  });

  test('an empty file', async () => {
    const message = await refusal([...minimal, '--attach', 'e.pdf'], ({ file }) =>
      file('e.pdf', ''),
    );
    expect(message).toBe('--attach: e.pdf is empty');
  });

  test('stdin, which has no name', async () => {
    expect(await refusal([...minimal, '--attach', '-'], () => ({ stdin: 'x' }))).toContain('stdin');
  });

  // Root can read files of any mode.
  test('a file without permission to read', needing(noRoot), async () => {
    const message = await refusal([...minimal, '--attach', 'secret.pdf'], ({ world, file }) => {
      chmodSync(join(world.home, file('secret.pdf', 'x')), 0o000);
      return undefined;
    });
    expect(message).toBe('--attach: secret.pdf cannot be read: permission denied');
  });
});
