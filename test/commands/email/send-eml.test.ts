import { describe, expect, test } from 'vitest';
import { connected, errorOf, type FileContent, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const accepted = { body: { emailId: 'email_1' } };

/** A message as a file, with the headers that every message needs. */
function eml(...lines: readonly string[]): string {
  const head = ['From: hello@example.com', 'To: ana@example.org', 'Subject: Hi'];
  return [...head, ...lines].join('\r\n');
}

const text = ['', 'Hello', ''];

/** A multipart message with these parts. */
function parts(type: string, ...all: readonly (readonly string[])[]): string {
  const bodies = all.flatMap((lines) => ['--b', ...lines]);
  return eml('MIME-Version: 1.0', `Content-Type: ${type}; boundary=b`, '', ...bodies, '--b--', '');
}

const plain = ['Content-Type: text/plain; charset=utf-8', '', 'Hello'];

/** The body of the request for a message. */
async function sentFrom(message: FileContent, flags: readonly string[] = []) {
  const { run, sent, file } = await connected(accepted);
  const outcome = await run(['email', 'send', '--eml', file('a.eml', message), ...flags]);
  expect(outcome).toMatchObject({ exitCode: 0 });
  return { body: sent(), stderr: outcome.stderr };
}

/** The error for a message. Nothing may be sent. */
async function refused(message: FileContent, flags: readonly string[] = []) {
  const { run, service, file } = await connected();
  const words = ['email', 'send', '--eml', file('a.eml', message), ...flags, '--json'];
  const outcome = await run(words);
  expect([outcome.exitCode, service.requests]).toEqual([2, []]);
  return errorOf(outcome);
}

describe('email send --eml', () => {
  test('makes fields of headers, in any encoding, and files of attachments', async () => {
    const { body } = await sentFrom(
      [
        'Received: from a by b; Thu, 1 Jan 2026 00:00:00 +0000',
        'DKIM-Signature: v=1; d=example.com',
        'Date: Thu, 1 Jan 2026 00:00:00 +0000',
        'Message-ID: <1@example.com>',
        'From: =?UTF-8?Q?Anna_=C3=9C?= <hello@example.com>',
        'To: Team: ana@example.org, "B, C" <b@example.org>;',
        'Cc: c@example.org',
        'Bcc: d@example.org',
        'Reply-To: r@example.com',
        'Subject: =?ISO-8859-1?Q?Gr=FC=DFe?=',
        ' folded',
        'In-Reply-To: <0@example.com>',
        'X-Order: =?UTF-8?Q?n=C2=BA?= 7',
        'X-Empty:',
        'MIME-Version: 1.0',
        'Content-Type: multipart/mixed; boundary=b',
        '',
        '--b',
        'Content-Type: multipart/alternative; boundary=c',
        '',
        '--c',
        'Content-Type: text/plain; charset=iso-8859-1',
        'Content-Transfer-Encoding: quoted-printable',
        '',
        'Gr=FC=DFe',
        '--c',
        'Content-Type: text/html; charset=utf-8',
        'Content-Transfer-Encoding: base64',
        '',
        Buffer.from('<p>Grüße</p>').toString('base64'),
        '--c--',
        '--b',
        'Content-Type: application/pdf',
        "Content-Disposition: attachment; filename*=UTF-8''Rechnung%20%C3%9C.pdf",
        'Content-Transfer-Encoding: base64',
        '',
        'JVBERi0=',
        '--b',
        'Content-Type: message/rfc822',
        '',
        'Subject: inner',
        '',
        'inner',
        '--b--',
        '',
      ].join('\r\n'),
    );
    expect(body).toEqual({
      from: 'Anna Ü <hello@example.com>',
      to: ['ana@example.org', '"B, C" <b@example.org>'],
      cc: 'c@example.org',
      bcc: 'd@example.org',
      replyTo: 'r@example.com',
      subject: 'Grüße folded',
      text: 'Grüße\n',
      html: '<p>Grüße</p>\n',
      headers: { 'In-Reply-To': '<0@example.com>', 'X-Order': 'nº 7' },
      attachments: [
        { filename: 'Rechnung Ü.pdf', content: 'JVBERi0=' },
        {
          filename: 'attachment-2.eml',
          content: Buffer.from('Subject: inner\n\ninner\n').toString('base64'),
        },
      ],
    });
  });

  test.each([
    ['bare line feeds', eml(...text).replaceAll('\r', '')],
    ['the first line of a mailbox', `From ana Thu Jan  1 00:00:00 2026\n${eml(...text)}`],
    ['a byte order mark', `\ufeff${eml(...text)}`],
    ['a line that is no header', eml('no header', ...text).replace('no header\r\n\r\n', '')],
  ])('reads a message with %s', async (_, message) => {
    const { body } = await sentFrom(message);
    expect(body).toMatchObject({ to: 'ana@example.org', subject: 'Hi', text: 'Hello\n' });
  });

  test('reads UTF-8 that is declared as ASCII', async () => {
    const message = eml('Content-Type: text/plain; charset="ANSI_X3.4-1968"', '', 'Grüße', '');
    expect((await sentFrom(message)).body).toMatchObject({ text: 'Grüße\n' });
  });

  test('reads stdin, as the command that repeats it shows', async () => {
    const { run, sent } = await connected((response) => response.destroy());
    const { stderr } = await run('email send --eml - --retries 0', { stdin: eml(...text) });
    expect(sent()).toMatchObject({ to: 'ana@example.org', text: 'Hello\n' });
    expect(stderr).toMatch(/with the same standard input:\nmailer email send --eml - --retries 0/);
  });

  test('flags take precedence over it, and it over settings', async () => {
    const world = createWorld();
    await world.run('config set from Other <other@example.com>'.split(' '));
    fileIn(world, 'a.eml', eml('X-A: 1', ...text));
    const words = 'email send --eml a.eml --subject New --header X-B:2 --dry-run --json'.split(' ');
    const { stdout } = await world.run(words);
    expect(JSON.parse(stdout).body).toEqual({
      from: 'hello@example.com',
      to: 'ana@example.org',
      subject: 'New',
      text: 'Hello\n',
      headers: { 'X-B': '2' },
    });
  });

  test.each(['--to', '--cc', '--bcc'])('with %s, nobody in the message gets it', async (flag) => {
    const message = eml('Cc: c@example.org', 'Bcc: d@example.org', ...text);
    const others = ['--to', 'me@example.com'];
    const { body } = await sentFrom(message, [
      ...others,
      ...(flag === '--to' ? [] : [flag, 'x@example.com']),
    ]);
    const { to, cc, bcc } = body;
    expect([to, cc, bcc].flat().filter((one) => String(one).endsWith('.org'))).toEqual([]);
    expect(to).toBe('me@example.com');
    const { message: error } = await refused(
      message,
      flag === '--to' ? ['--to', 'x'] : [flag, 'x@example.com'],
    );
    expect(error).toMatch(flag === '--to' ? /"x" is not an email address/ : /--to/);
  });

  test('with --in-reply-to, the service writes the headers of the thread', async () => {
    const message = eml('In-Reply-To: <0@a.b>', 'References: <0@a.b>', 'X-A: 1', ...text);
    expect((await sentFrom(message, ['--in-reply-to', 'email_0'])).body).toMatchObject({
      inReplyToId: 'email_0',
      headers: { 'X-A': '1' },
    });
  });

  test('is previewed', async () => {
    const { run, file } = await connected();
    const { stdout } = await run(
      `email send --eml ${file('a.eml', eml(...text))} --preview --json`,
    );
    expect(JSON.parse(stdout)).toMatchObject({ to: 'ana@example.org', text: 'Hello\n' });
  });

  test('is accepted by the sandbox, without a header Bcc', async () => {
    const world = createWorld();
    fileIn(world, 'a.eml', eml('Bcc: d@example.org', 'X-A: 1', ...text));
    const { stdout } = await world.run('email send --eml a.eml --sandbox -q');
    const get = await world.run(`email list --sandbox --limit 1 --json`);
    expect(JSON.parse(get.stdout).data[0]).toMatchObject({
      id: stdout.trim(),
      to: ['ana@example.org'],
      bcc: ['d@example.org'],
      text: 'Hello\n',
    });
  });
});

test('headers of servers that the message passed are left out', async () => {
  const { body } = await sentFrom(
    eml(
      'X-MS-Exchange-Organization-AuthSource: mail1.internal.example',
      'X-Originating-IP: [10.0.0.1]',
      'X-Spam-Status: Yes',
      'X-Google-Smtp-Source: x',
      'Thread-Topic: Hi',
      ...text,
    ),
  );
  expect(body.headers).toEqual({ 'Thread-Topic': 'Hi' });
});

test.each([
  ['filename="../../.ssh/authorized_keys"', 'authorized_keys'],
  ['filename="C:\\\\docs\\\\a.txt"', 'a.txt'],
  ["filename*=UTF-8''a%00b%0Ac%1B.txt", 'a b c .txt'],
  ['filename="../"', 'attachment-1.txt'],
])('an attachment with %s is sent as %s', async (parameter, filename) => {
  const part = [
    'Content-Type: text/plain',
    `Content-Disposition: attachment; ${parameter}`,
    '',
    'x',
  ];
  const { body } = await sentFrom(parts('multipart/mixed', plain, part));
  expect(body.attachments).toEqual([expect.objectContaining({ filename })]);
});

describe('a text with a file name', () => {
  const named = (type: string, name: string) => [
    `Content-Type: ${type}; name=${name}`,
    `Content-Disposition: inline; filename=${name}`,
    '',
    '<h1>secret</h1>',
  ];

  test.each([
    ['text/plain', 'notes.txt'],
    ['text/html', 'report.html'],
  ])('in %s is a file beside the text, whatever its disposition', async (type, filename) => {
    const part = named(type, filename);
    const { body } = await sentFrom(parts('multipart/mixed', plain, part));
    expect(body).toMatchObject({ text: 'Hello\n', attachments: [{ filename }] });
    expect(body).not.toHaveProperty('html');
    const before = await sentFrom(parts('multipart/mixed', part, plain));
    expect(before.body).toMatchObject({ text: 'Hello\n', attachments: [{ filename }] });
  });

  test('is the text if it comes first and there is no other', async () => {
    const part = named('text/plain', 'notes.txt');
    const { body } = await sentFrom(parts('multipart/mixed', part, named('text/html', 'a.html')));
    expect(body).toMatchObject({
      text: '<h1>secret</h1>\n',
      attachments: [{ filename: 'a.html' }],
    });
    expect(body).not.toHaveProperty('html');
  });

  test('is the text as a version of it', async () => {
    const html = named('text/html', 'a.html');
    const { body } = await sentFrom(parts('multipart/alternative', plain, html));
    expect(body).toMatchObject({ text: 'Hello\n', html: '<h1>secret</h1>\n' });
    expect(body).not.toHaveProperty('attachments');
  });
});

test('an image that the HTML has from the web is a file', async () => {
  const html = ['Content-Type: text/html', '', '<img src="https://a.example/logo.png" alt="">'];
  const location = 'Content-Location: https://a.example/logo.png';
  const image = ['Content-Type: image/png; name=logo.png', location, '', 'x'];
  const { body } = await sentFrom(parts('multipart/related', html, image));
  expect(body).toMatchObject({ attachments: [{ filename: 'logo.png' }] });
});

test.each([
  ['<html><body><p>Hi</p></body></html>', true],
  ['<p>Hi</p>', true],
  ['<ana@example.org> wrote: x', false],
  ['1 <p>2', false],
])('HTML without its type is said: %s', async (html, isSaid) => {
  const { body, stderr } = await sentFrom(eml('', html, ''));
  expect(body).toMatchObject({ text: `${html}\n` });
  expect(stderr.includes('it is HTML without the header Content-Type')).toBe(isSaid);
});

test.each([
  ['Error: disk full on /dev/sda1', true],
  ['https://ci.example.com/1 failed', true],
  ['X-Error: 1', false],
  ['Priority: urgent', false],
  ['Auto-Submitted: auto-generated', false],
])('a line of the text among the headers is said: %s', async (line, isSaid) => {
  const { stderr } = await sentFrom(eml(line, '', 'See the log.', ''));
  expect(stderr.includes('which looks like a header')).toBe(isSaid);
});

describe('what no request can carry', () => {
  const image = [
    'Content-Type: image/png; name=logo.png',
    'Content-ID: <logo@x>',
    'Content-Transfer-Encoding: base64',
    '',
    'iVBORw0KGgo=',
  ];
  const html = (body: string) => ['Content-Type: text/html', '', body];
  const lossy: readonly (readonly [string, string, readonly string[]])[] = [
    [
      'the position of the inline image logo.png',
      parts('multipart/related', html('<img src="cid:logo@x">'), image),
      ['logo.png'],
    ],
    [
      'the position of the inline image logo.png',
      parts('multipart/related', html('Hello <img src="logo.png">'), [
        'Content-Location: logo.png',
        ...image.filter((one) => !one.startsWith('Content-ID')),
      ]),
      ['logo.png'],
    ],
    [
      'the digital signature',
      parts('multipart/signed', plain, ['Content-Type: application/pgp-signature', '', 'SIG']),
      [],
    ],
    [
      'the format of the invitation attachment-1.ics',
      parts('multipart/alternative', plain, [
        'Content-Type: text/calendar; method=REQUEST',
        '',
        'BEGIN',
      ]),
      ['attachment-1.ics'],
    ],
    [
      'the AMP version',
      parts('multipart/alternative', plain, [
        'Content-Type: text/x-amp-html',
        '',
        '<html amp4email>',
      ]),
      [],
    ],
    [
      'the empty attachment a.txt',
      parts('multipart/mixed', plain, ['Content-Disposition: attachment; filename=a.txt', '']),
      [],
    ],
    [
      'the format of the report',
      parts('multipart/report', plain, [
        'Content-Type: message/delivery-status',
        '',
        'Action: failed',
      ]),
      ['attachment-1.bin'],
    ],
    ['the repeated header X-Tag', eml('X-Tag: 1', 'X-Tag: 2', ...text), []],
    ['the second author', eml(...text).replace('From: ', 'From: b@example.com, '), []],
  ];

  test.each(lossy)(
    'is an error that names %s; --lossy leaves it out',
    async (lost, message, kept) => {
      const { message: error, hint } = await refused(message);
      expect(error).toBe(`--eml: the service cannot send ${lost}`);
      expect(hint).toContain('--lossy');
      const { body, stderr } = await sentFrom(message, ['--lossy']);
      expect(stderr).toContain(`--eml: a.eml: left out: ${lost}\n`);
      const attachments = (body.attachments ?? []) as readonly { readonly filename: string }[];
      expect(attachments.map(({ filename }) => filename)).toEqual(kept);
      expect(JSON.stringify(body)).toMatch(/Hello|cid:/);
    },
  );

  test('names all of it, encryption too', async () => {
    const encrypted = parts('multipart/encrypted', [
      'Content-Type: application/pgp-encrypted',
      '',
      'Version: 1',
    ]);
    const { message } = await refused(encrypted.replace('MIME-Version: 1.0', 'X-A: 1\r\nX-A: 2'));
    expect(message).toBe('--eml: the service cannot send the encryption, the repeated header X-A');
  });

  test('an image with a Content-ID that the text does not show is a file like others', async () => {
    const { body } = await sentFrom(parts('multipart/mixed', html('<p>Hi'), image));
    expect(body.attachments).toEqual([{ filename: 'logo.png', content: 'iVBORw0KGgo=' }]);
  });

  test('are more than 10 attachments', async () => {
    const many = Array.from({ length: 11 }, (_, n) => [
      `Content-Type: application/x-${n}`,
      '',
      'x',
    ]);
    const { message } = await refused(parts('multipart/mixed', plain, ...many));
    expect(message).toMatch(/^--eml: attachments: has more than 10 items/);
  });
});

describe('what is no message', () => {
  test('has no headers', async () => {
    const { message } = await refused('<p>Hello</p>\n');
    expect(message).toBe('--eml: a.eml: It is not an email: it has no headers.');
  });

  test('is a mailbox file with several messages, of which one may be for somebody else', async () => {
    const from = (second: number) => `From - Thu Jan 01 00:00:0${second} 2026\r\n`;
    const one = `${from(1)}${eml(...text)}From here on\r\nP.S.: x\r\n`;
    const { message, hint } = await refused(`${one}\r\n${from(2)}${eml(...text)}`);
    expect(message).toBe('--eml: a.eml: It is a mailbox file with several messages.');
    expect(hint).toContain('a file of its own');
    const { body } = await sentFrom(one);
    expect(body.text).toBe('Hello\nFrom here on\nP.S.: x\n');
  });

  test('has lost its end, as after an incomplete download', async () => {
    const file = ['Content-Disposition: attachment; filename=a.txt', '', 'a,b'];
    const cut = parts('multipart/mixed', plain, file).replace('--b--', '');
    const { message, hint } = await refused(cut);
    expect(message).toBe('--eml: a.eml: its end is missing, so a part of it may be cut off');
    expect(hint).toContain('--lossy');
    const { body, stderr } = await sentFrom(cut, ['--lossy']);
    expect(body.attachments).toHaveLength(1);
    expect(stderr).toContain('its end is missing');
    await sentFrom(
      parts('multipart/mixed', plain).replace('=b', '=" b " ; x=y').replaceAll('--b', '-- b '),
    );
  });

  test.each([
    ['has parts in parts', () => nested(60), /cannot be read: Maximum MIME nesting depth/],
    ['has too many lines', () => eml('', '\n'.repeat(500_001)), /more than 500000 lines/],
  ])('%s', async (_, message, reason) => {
    expect((await refused(message())).message).toMatch(reason);
  });

  test('has an invalid address, or no recipients', async () => {
    const noAddress = await refused(eml(...text).replace('ana@example.org', 'root'));
    expect(noAddress.message).toBe('--eml: to: "root" is not an email address');
    const nobody = await refused(eml(...text).replace('To: ana@example.org\r\n', ''));
    expect(nobody.message).toMatch(/--to/);
  });

  test('hides nothing from a terminal', async () => {
    const { run, file } = await connected();
    const message = eml('X-A: 1', 'X-A: 2', ...text).replaceAll('X-A', 'X-\x1b[31mA');
    const bidi = eml(...text).replace('Subject: Hi', 'Subject: =?UTF-8?Q?=E2=80=AEHi?=');
    const shown = await run(`email send --eml ${file('b.eml', bidi)} --preview`, { terminal: 80 });
    expect(shown.stdout).toContain('\\u{202e}Hi');
    const { stderr } = await run(`email send --eml ${file('a.eml', message)}`, { terminal: 80 });
    expect(stderr).not.toContain('\x1b[31mA');
  });

  test.each([
    ['--lossy', '--lossy needs --eml'],
    ['--eml a.eml --file a.json', '--file and --eml cannot be used together'],
    ['--eml none.eml', '--eml: none.eml does not exist'],
  ])('%s is an error', async (flags, reason) => {
    const { run, file } = await connected();
    file('a.eml', eml(...text));
    const { exitCode, stderr } = await run(`email send ${flags}`);
    expect([exitCode, stderr.split('\n')[0]]).toEqual([2, `Error: ${reason}`]);
  });
});

/** A message with multiparts inside multiparts. */
function nested(depth: number): string {
  const lines = Array.from({ length: depth }, (_, n) => [
    `Content-Type: multipart/mixed; boundary=b${n}`,
    '',
    `--b${n}`,
  ]);
  return eml(...lines.flat(), ...text);
}
