import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../../src/sandbox/mail/receive/parse-message.ts';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const head = ['From: Ana <ana@example.com>', 'To: ben@example.org', 'MIME-Version: 1.0'];

/** A message in the bytes of Latin-1: each character is a byte. */
function eml(headers: readonly string[], body: string): Buffer {
  return Buffer.from([...head, ...headers, '', body, ''].join('\r\n'), 'latin1');
}

/** The bytes of a text in UTF-8, as characters of Latin-1. */
function utf8(text: string): string {
  return Buffer.from(text).toString('latin1');
}

const plain = (charset: string, ...more: readonly string[]) => [
  'Subject: s',
  `Content-Type: text/plain${charset && `; charset=${charset}`}`,
  ...more,
];

async function send(message: Buffer, flags = '') {
  const world = createWorld();
  fileIn(world, 'a.eml', message);
  const words = `email send --sandbox --dry-run --json --eml a.eml ${flags}`.trim();
  const outcome = await world.run(words);
  const body = outcome.exitCode === 0 ? JSON.parse(outcome.stdout).body : undefined;
  return { ...outcome, body };
}

async function sendmail(message: Buffer, flags = '') {
  const world = createWorld();
  const words = `sendmail -t --sandbox --dry-run --json ${flags}`.trim();
  const outcome = await world.run(words, { stdin: message });
  const body = outcome.exitCode === 0 ? JSON.parse(outcome.stdout).body : undefined;
  return { ...outcome, body };
}

const jis = Buffer.from('GyRCJCpMZCQkOWckbyQ7GyhC', 'base64').toString('latin1');

/** What is read without a doubt. */
const certain: readonly (readonly [string, Buffer, object])[] = [
  ['UTF-8 that is declared as ASCII', eml(plain('us-ascii'), utf8('Größe')), { text: 'Größe\n' }],
  ['UTF-8 without a charset', eml(plain(''), utf8('Größe')), { text: 'Größe\n' }],
  ['UTF-8 by a name of databases', eml(plain('utf8mb4'), utf8('Größe')), { text: 'Größe\n' }],
  ['UTF-8 by an unknown name', eml(plain('x-odd'), utf8('Größe')), { text: 'Größe\n' }],
  ['ISO-2022-JP', eml(plain('iso-2022-jp'), jis), { text: 'お問い合わせ\n' }],
  [
    'Latin 1, which is windows-1252',
    eml(plain('iso-8859-1'), '\x93Gr\xf6\xdfe\x94'),
    { text: '“Größe”\n' },
  ],
  ['cp850', eml(plain('cp850'), 'Gr\x94\xe1e'), { text: 'Größe\n' }],
  [
    'UTF-16 with a byte order mark',
    eml(plain('utf-16', 'Content-Transfer-Encoding: base64'), '/v8AUwD4AHIAZQBu'),
    { text: 'Søren\n' },
  ],
  [
    'HTML that declares itself',
    eml(
      ['Subject: s', 'Content-Type: text/html', 'Content-Transfer-Encoding: quoted-printable'],
      '<meta charset=3Diso-8859-2>S=F8ren',
    ),
    { html: '<meta charset=iso-8859-2>Sřren\n' },
  ],
  [
    'raw headers in the charset of the text',
    eml(
      [
        'Subject: \xcf\xf0\xe8\xe2\xe5\xf2',
        'X-A: \xe4',
        'Content-Type: text/plain; charset=windows-1251',
      ],
      '\xcf',
    ),
    { subject: 'Привет', headers: { 'X-A': 'д' }, text: 'П\n' },
  ],
  [
    'encoded words in a rare charset',
    eml(
      ['Subject: =?cp850?Q?Gr=94=E1e?=', 'Reply-To: =?cp437?Q?M=81ller=2C_A?= <r@example.com>'],
      'x',
    ),
    { subject: 'Größe', replyTo: '"Müller, A" <r@example.com>' },
  ],
  [
    'encoded words that share a character',
    eml(['Subject: =?utf-8?B?R3LD?= =?utf-8?B?tsOfZQ==?='], 'x'),
    { subject: 'Größe' },
  ],
];

test.each(certain)('%s is read', async (_, message, expected) => {
  for (const { stderr, body } of [await send(message), await sendmail(message)]) {
    expect(stderr).not.toContain('Warning');
    expect(body).toMatchObject(expected);
  }
});

test('the name of a file may be in any charset', async () => {
  const file = (disposition: string) =>
    eml(
      ['Subject: s', 'Content-Type: application/x-a', `Content-Disposition: ${disposition}`],
      'x',
    );
  for (const [disposition, filename] of [
    ["attachment; filename*=cp850''Gr%94%E1e.bin", 'Größe.bin'],
    ["attachment; filename*0*=koi8-r''%F0; filename*1*=%D2.bin", 'Пр.bin'],
    ['attachment; filename="=?cp850?Q?Gr=94=E1e.bin?="', 'Größe.bin'],
    ['attachment; filename="Gr\xf6\xdfe.bin"', 'Größe.bin'],
  ] as const) {
    const { body } = await send(file(disposition), '--text Hi');
    expect(body.attachments).toMatchObject([{ filename }]);
  }
});

/** What is read with a warning. */
const likely: readonly (readonly [string, Buffer, object, string])[] = [
  [
    'bytes without a charset',
    eml(['Subject: Gr\xf6\xdfe', 'Content-Type: text/plain'], 'Gr\xf6\xdfe'),
    { subject: 'Größe', text: 'Größe\n' },
    'the text part was read as windows-1252',
  ],
  [
    'ISO-2022-JP without a charset',
    eml(plain(''), jis),
    { text: 'お問い合わせ\n' },
    'the text part was read as iso-2022-jp',
  ],
];

test.each(likely)(
  '%s: a warning says how they were read',
  async (_, message, expected, warning) => {
    for (const { stderr, body } of [await send(message), await sendmail(message)]) {
      expect(stderr).toContain(warning);
      expect(body).toMatchObject(expected);
    }
  },
);

test('email check says so, too', async () => {
  const world = createWorld();
  fileIn(world, 'a.eml', eml(plain(''), 'Gr\xf6\xdfe'));
  const { stderr } = await world.run('email check a.eml');
  expect(stderr).toContain('Warning: --eml: a.eml: the text part was read as windows-1252.');
  fileIn(world, 'b.eml', eml(plain('utf-7'), 'Gr+APY-'));
  expect(await world.run('email check b.eml')).toMatchObject({ exitCode: 2 });
});

const footer = `${Buffer.from('Hello Ana').toString('base64')}\r\n____\r\nTo unsubscribe: x`;

/** What would be damaged. */
const doubtful: readonly (readonly [string, Buffer, string])[] = [
  [
    'UTF-7',
    eml(plain('utf-7'), 'Gr+APY-'),
    'the text part is declared as utf-7, which is not supported',
  ],
  [
    'HZ',
    eml(plain('hz-gb-2312'), '~{VPND~}'),
    'the text part is declared as hz-gb-2312, which is not supported',
  ],
  [
    'ISO-2022-KR',
    eml(plain('iso-2022-kr'), '\x1b$)C\x0e0!\x0f'),
    'the text part is declared as iso-2022-kr, which is not supported',
  ],
  [
    'broken ISO-2022-JP',
    eml(plain('iso-2022-jp'), '\x1b$B\xe9'),
    'the text part is declared as iso-2022-jp, but has bytes that are not',
  ],
  [
    'bytes that no charset has',
    eml(plain('windows-1251'), 'a\x98b'),
    'the text part has control characters instead of text when read as windows-1251',
  ],
  [
    'UTF-7 in a header',
    eml(['Subject: =?utf-7?Q?Gr+APY-?='], 'x'),
    'the header Subject is declared as utf-7, which is not supported',
  ],
  [
    'a footer behind base64',
    eml(plain('utf-8', 'Content-Transfer-Encoding: base64'), footer),
    'the text part has something else in its base64, such as a footer',
  ],
  [
    'base64 that is cut off',
    eml(plain('utf-8', 'Content-Transfer-Encoding: base64'), 'SGVsbG8gQW5hI'),
    'the text part has something else in its base64, such as a footer',
  ],
  [
    'an unknown encoding',
    eml(plain('utf-8', 'Content-Transfer-Encoding: x-uuencode'), 'begin 644 a'),
    'the text part has the unknown encoding x-uuencode',
  ],
];

test.each([
  ['a footer behind base64', plain('utf-8', 'Content-Transfer-Encoding: base64'), footer, ''],
  ['UTF-7', plain('utf-7'), 'Gr+APY-', 'Save the message in UTF-8. '],
])('%s: the hint suits the problem', async (_, headers, body, save) => {
  const message = eml(headers, body);
  const { hint } = JSON.parse((await send(message)).stderr).error;
  expect(hint).toBe(`${save}To send it as far as it could be read, add --lossy.`);
  const world = createWorld();
  fileIn(world, 'a.eml', message);
  // It has no such flag.
  expect((await world.run('email check a.eml')).stderr).not.toContain('--lossy');
});

describe('characters that another program has lost', () => {
  const lost = 'Gr\ufffd\ufffde';
  const replaced = utf8(lost);

  test.each([
    ['in the text', eml(plain('utf-8'), replaced), 'the text part'],
    ['in a text without a charset', eml(plain(''), replaced), 'the text part'],
    ['in a text under another label', eml(plain('iso-8859-1'), replaced), 'the text part'],
    ['in a raw header', eml([`Subject: ${replaced}`], 'x'), 'the header Subject'],
    [
      'in an encoded word',
      eml(['Subject: =?utf-8?Q?Gr=EF=BF=BD=EF=BF=BDe?='], 'x'),
      'the header Subject',
    ],
  ])('%s of a message: an error, and a warning of sendmail', async (_, message, part) => {
    const problem = `${part} has lost characters: U+FFFD stands for them`;
    const { exitCode, stderr } = await send(message);
    expect([exitCode, stderr.includes(problem)], stderr).toEqual([2, true]);
    expect((await send(message, '--lossy')).exitCode).toBe(0);
    const piped = await sendmail(message);
    expect([piped.exitCode, piped.stderr.includes(problem)], piped.stderr).toEqual([0, true]);
    expect(JSON.stringify(piped.body)).toContain(lost);
  });

  const of = 'email send --sandbox --dry-run --from a@example.com --to b@example.org';
  const campaign = 'campaign create --sandbox --dry-run --name n --book b --from a@example.com';
  test.each([
    [`${of} --subject ${lost} --text t`, '--subject: "Gr'],
    [`${of} --subject s --text-file a.txt`, '--text-file, line 2: "Gr'],
    [`${of} --subject s --html-file a.html`, 'a.html, line 2: "Gr'],
    [`${of} --markdown-file a.md`, 'a.md, line 4: "Gr'],
    [`${of} --subject s --text {{a}} --var a=${lost}`, '--text, line 1: "Gr'],
    [`${of} --subject s --template t --var a=${lost}`, '--var: "Gr'],
    [`${of} --file a.json`, 'subject: "Gr'],
    [
      'email batch a.csv --sandbox --dry-run --from a@example.com --subject {{n}} --text t',
      'row 2: ',
    ],
    [`${campaign} --subject ${lost} --html-file b.html`, '--subject: "Gr'],
    [`${campaign} --subject s --html-file a.html`, 'a.html, line 2: "Gr'],
    [`template create --sandbox --dry-run --name n --subject ${lost} --html a`, '--subject: "Gr'],
    ['template push t --sandbox --dry-run', 'a.html, line 6: "Gr'],
  ])('%s: an error that --literal settles', async (words, place) => {
    const world = createWorld();
    const html = `<!doctype html>\n<p>${lost}</p>`;
    fileIn(world, 'a.txt', `a\n${lost}\n`);
    fileIn(world, 'a.html', html);
    fileIn(world, 'b.html', 'Hi <a href="{{usesend_unsubscribe_url}}">x</a>');
    fileIn(world, 'a.md', `---\nsubject: s\n---\n${lost}\n`);
    fileIn(world, 'a.csv', `to,n\na@example.org,a\nb@example.org,${lost}\n`);
    fileIn(world, 'a.json', { subject: lost, text: 't' });
    fileIn(world, 't/a.html', `---\nname: a\nsubject: b\n---\n${html}`);
    const outcome = await world.run(`${words} --json`);
    expect(
      [outcome.exitCode, outcome.stderr.includes(JSON.stringify(place).slice(1, -1))],
      outcome.stderr,
    ).toEqual([2, true]);
    if (words.includes('--var')) return;
    expect((await world.run(`${words} --literal`)).exitCode).toBe(0);
  });

  test('email check finds them', async () => {
    const world = createWorld();
    fileIn(world, 'a.html', `<p>\n${lost}</p>`);
    const { stdout, exitCode } = await world.run('email check a.html --json');
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).findings).toContainEqual(
      expect.objectContaining({ code: 'characters-lost', line: 2, column: 3 }),
    );
  });
});

describe.each(doubtful)('%s', (_, message, problem) => {
  test('is an error, also of sendmail and of SMTP', async () => {
    const { exitCode, stderr } = await send(message);
    expect([exitCode, JSON.parse(stderr).error.message]).toEqual([2, `--eml: a.eml: ${problem}`]);
    const piped = await sendmail(message);
    const sender = 'ana@example.com';
    const received = parseMessage({ sender, recipients: ['ben@example.org'], source: message });
    // Control characters are no reason to lose an alert.
    const isSent = problem.includes('control characters');
    if (isSent) await received;
    else await expect(received).rejects.toThrow(problem);
    expect([piped.exitCode, piped.stderr.includes(problem)]).toEqual(
      isSent ? [0, false] : [65, true],
    );
  });

  test('is sent with --lossy, with a warning', async () => {
    for (const { exitCode, stderr } of [
      await send(message, '--lossy'),
      await sendmail(message, '--lossy'),
    ]) {
      expect(exitCode, stderr).toBe(0);
    }
    expect((await send(message, '--lossy')).stderr).toContain(`${problem}.`);
  });
});

describe.each([
  ['Russian in windows-1251', 'cff0e8e2e5f22c20c8e2e0ed', 'Ïðèâåò, Èâàí'],
  ['Russian in koi8-r', 'f0d2c9d7c5d4', 'ðÒÉ×ÅÔ'],
  ['Chinese in gb18030', 'c4fabac3a3acb6a9b5a5', 'Äú'],
  ['Chinese in big5', 'b17aa66ea141ad71b3e6a477a558b366a143', '±z¦n'],
  ['Korean in euc-kr', 'bec8b3e7c7cfbcbcbfe4', '¾'],
])('%s without a charset', (_, hex, read) => {
  const text = Buffer.from(hex, 'hex').toString('latin1');

  test.each(['', 'us-ascii'])(
    'is no windows-1252: an error, but no alert is lost (%s)',
    async (charset) => {
      const message = eml(plain(charset), text);
      const { exitCode, stderr } = await send(message);
      const problem = 'the text part has no charset, and is neither utf-8 nor windows-1252';
      expect([exitCode, stderr.includes(problem)], stderr).toEqual([2, true]);
      const piped = await sendmail(message);
      expect(piped.stderr).toContain('the text part was read as windows-1252');
      expect([piped.exitCode, piped.body.text.includes(read)]).toEqual([0, true]);
    },
  );
});

test.each([
  'Größe – “schön” 5 €',
  'ÄRGERLICH: ÜBERHÖHT',
  'créée, naïve, ½ °C, «là» ¿qué?',
  'Þýðing, fjær',
])('%s is windows-1252', async (text) => {
  const bytes = [...text].map(
    (one) => ({ '–': 0x96, '“': 0x93, '”': 0x94, '€': 0x80 })[one] ?? one.charCodeAt(0),
  );
  const { body } = await send(eml(plain(''), String.fromCharCode(...bytes)));
  expect(body.text).toBe(`${text}\n`);
});

describe('sendmail', () => {
  test('reads bytes that are not UTF-8 as windows-1252, and says so', async () => {
    const message = eml(plain('utf-8'), `${utf8('Größe')} Gr\xf6\xdfe ${utf8('ö').slice(0, 1)}`);
    const { exitCode, stderr, body } = await sendmail(message);
    expect([exitCode, body.text]).toEqual([0, 'Größe Größe Ã\n']);
    expect(stderr).toContain('Warning: The message: the text part was read as windows-1252.');
    const strict = await send(message);
    expect([strict.exitCode, strict.stderr]).toEqual([
      2,
      expect.stringContaining('is declared as utf-8, but has bytes that are not'),
    ]);
  });

  test('reads Japanese under another label', async () => {
    const { exitCode, body } = await sendmail(eml(plain('utf-8'), jis));
    expect([exitCode, body.text]).toEqual([0, 'お問い合わせ\n']);
    const { stderr } = await send(eml(plain('utf-8'), jis));
    expect(stderr).toContain('is declared as utf-8, but has escape sequences of iso-2022-jp');
  });

  test('keeps colours of terminals, and makes spaces of NUL', async () => {
    const { exitCode, body, stderr } = await sendmail(
      eml(plain('utf-8'), 'a\0b \x1b(B\x1b[m\x1b[31mred\x1b[0m'),
    );
    expect([exitCode, body.text]).toEqual([0, 'a b \x1b(B\x1b[m\x1b[31mred\x1b[0m\n']);
    expect(stderr).toContain('the text part has NUL characters, which became spaces');
  });
});

describe('a header that is there twice', () => {
  test.each([
    ['Subject', ['Subject: a', 'Subject: b']],
    ['From', ['Subject: s', 'From: b@example.com']],
    ['Content-Type', ['Subject: s', 'Content-Type: text/plain', 'Content-Type: text/html']],
  ])('%s, with two values, is an error', async (name, headers) => {
    const message = eml(headers, 'x');
    const { exitCode, stderr } = await send(message);
    expect([exitCode, JSON.parse(stderr).error.message]).toEqual([
      2,
      `--eml: the service cannot send the second, different header ${name}`,
    ]);
    expect((await sendmail(message)).exitCode).toBe(65);
    expect((await send(message, '--lossy')).exitCode).toBe(0);
  });

  test('with the same value is no matter', async () => {
    const twice = ['From: Ana <ana@example.com>', 'Subject: a', 'Subject: a'];
    expect((await send(eml(twice, 'x'))).body).toMatchObject({ subject: 'a' });
  });

  test('counts in a part, too', async () => {
    const part = ['--b', 'Content-Type: text/plain', 'Content-Type: text/html', '', 'x', '--b--'];
    const { exitCode } = await send(
      eml(['Subject: s', 'Content-Type: multipart/mixed; boundary=b'], part.join('\r\n')),
    );
    expect(exitCode).toBe(2);
  });
});

test.each(['text/watch-html', 'text/enriched', 'text/markdown', 'application/x-odd'])(
  'another version of the text, %s, is named instead of attached',
  async (type) => {
    const parts = ['text/plain', type, 'text/html'].flatMap((one) => [
      '--b',
      `Content-Type: ${one}`,
      '',
      'x',
    ]);
    const message = eml(
      ['Subject: s', 'Content-Type: multipart/alternative; boundary=b'],
      [...parts, '--b--'].join('\r\n'),
    );
    const { exitCode, stderr } = await send(message);
    expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`the version in ${type}`)]);
    const { body } = await send(message, '--lossy');
    expect(body).toMatchObject({ text: 'x\n', html: 'x\n' });
    expect(body.attachments).toBeUndefined();
  },
);

test('a message that is only text/enriched is an error', async () => {
  const { exitCode, stderr } = await send(eml(['Subject: s', 'Content-Type: text/enriched'], 'x'));
  expect([exitCode, stderr]).toEqual([2, expect.stringContaining('the version in text/enriched')]);
});

describe('format=flowed', () => {
  test.each([
    [
      'quotes',
      '',
      'Ben wrote:\r\n> A quoted paragraph that \r\n> is wrapped.\r\n>> Deeper quote that was also \r\n>> wrapped.\r\n\r\nYes.',
      'Ben wrote:\n> A quoted paragraph that is wrapped.\n>> Deeper quote that was also wrapped.\n\nYes.\n',
    ],
    ['a paragraph and a quote do not mix', '', '> quoted \r\nmine', '> quoted \nmine\n'],
    [
      'space-stuffing',
      '',
      ' >no quote\r\n From here \r\n on\r\n> > odd',
      '>no quote\nFrom here on\n> > odd\n',
    ],
    ['delsp', '; delsp=yes', '> won \r\n> der\r\nful \r\nly', '> wonder\nfully\n'],
    [
      'a signature',
      '',
      'one \r\n-- \r\nAna \r\nTea\r\n> -- \r\n> Ben',
      'one \n-- \nAna Tea\n> -- \n> Ben\n',
    ],
    ['empty quoted lines', '', '> a\r\n>\r\n> b', '> a\n>\n> b\n'],
  ])('unwraps %s', async (_, more, body, text) => {
    const message = eml(plain(`utf-8; format=flowed${more}`), body);
    expect((await send(message)).body).toMatchObject({ text });
  });
});

describe('UTF-8 under the name of a charset of single bytes, as PHP and old forms send it', () => {
  const cases: readonly (readonly [string, Buffer, object])[] = [
    ...['iso-8859-1', 'windows-1252', 'ISO-8859-15', 'windows-1251', 'koi8-r', 'cp850'].map(
      (charset) =>
        [charset, eml(plain(charset), utf8('Größe, 5 €')), { text: 'Größe, 5 €\n' }] as const,
    ),
    ['one letter', eml(plain('iso-8859-1'), utf8('Søren')), { text: 'Søren\n' }],
    ['other scripts', eml(plain('iso-8859-1'), utf8('Привет, 你好')), { text: 'Привет, 你好\n' }],
    [
      'an encoded word',
      eml(['Subject: =?iso-8859-1?Q?Gr=C3=B6=C3=9Fe?=', 'Content-Type: text/plain'], 'x'),
      { subject: 'Größe' },
    ],
  ];

  test.each(cases)('%s: is read as UTF-8, and said', async (_, message, fields) => {
    for (const outcome of [await send(message), await sendmail(message)]) {
      expect(outcome.body).toMatchObject(fields);
      expect(outcome.stderr).toMatch(/is declared as \S+, and was read as utf-8/);
    }
  });

  test.each([
    ['É and a no-break space', 'iso-8859-1', 'ACTIVIT\xc9\xa0: 5', 'ACTIVITÉ\u00a0: 5\n'],
    ['Ã and a no-break space', 'iso-8859-1', 'AMANH\xc3\xa0: 5', 'AMANHÃ\u00a0: 5\n'],
    ['É and a sign', 'iso-8859-1', 'CAF\xc9\xae', 'CAFÉ®\n'],
    ['Russian', 'windows-1251', '\xcf\xf0\xe8\xe2\xe5\xf2', 'Привет\n'],
  ])('%s in %s stay what they are', async (_, charset, body, text) => {
    const outcome = await send(eml(plain(charset), body));
    expect(outcome.body).toMatchObject({ text });
    expect(outcome.stderr).not.toContain('was read');
  });
});
