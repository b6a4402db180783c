import { describe, expect, test } from 'vitest';
import { errorOf, fileIn } from '../support/connected.ts';
import { createWorld, type World } from '../support/run.ts';

const batch = 'email batch people.csv --from a@example.com --subject Hi --text Hi --preview 9';

/** Commands that read rows or text from this file. */
const readers = [
  `${batch} --sandbox --json`,
  'contact import people.csv --book People --sandbox --dry-run --json',
  'contact sync people.csv --book People --sandbox --dry-run --json',
  'contact export --book People --emails-from people.csv --sandbox --json',
  'policy set --deny-to-file people.csv --json',
  'email send --from a@example.com --to b@example.org --subject Hi --html-file people.csv --sandbox --dry-run --json',
  'email check --type html people.csv --json',
  'campaign create --name A --book People --from a@example.com --subject Hi --html-file people.csv --sandbox --json',
  'template create --name A --subject Hi --html-file people.csv --sandbox --json',
];

async function worldWith(content: string | Uint8Array, name = 'people.csv'): Promise<World> {
  const world = createWorld();
  await world.run('profile use work');
  await world.run('contact book create --name People --double-opt-in off --sandbox');
  fileIn(world, name, content);
  return world;
}

/** The beginning of a ZIP archive with files of these names, which are stored as they are. */
function archive(...entries: readonly (readonly [name: string, content: string])[]): Buffer {
  return Buffer.concat(
    entries.map(([name, content]) => {
      const head = Buffer.alloc(30);
      head.write('PK\x03\x04');
      head.writeUInt32LE(content.length, 18);
      head.writeUInt16LE(name.length, 26);
      return Buffer.concat([head, Buffer.from(`${name}${content}`)]);
    }),
  );
}

test.each([
  [
    'Excel',
    archive(['[Content_Types].xml', '<x/>'], ['xl/workbook.xml', '<x/>']),
    /is an Excel workbook$/,
    /^In Excel: File > Save As > CSV UTF-8/,
  ],
  [
    'old Excel',
    Buffer.from('d0cf11e0a1b11ae1000000', 'hex'),
    /is an Excel workbook$/,
    /^In Excel: File > Save As > CSV UTF-8/,
  ],
  [
    'LibreOffice',
    archive(['mimetype', 'application/vnd.oasis.opendocument.spreadsheet']),
    /is an OpenDocument spreadsheet$/,
    /^In LibreOffice: File > Save As > Text CSV/,
  ],
  ['Numbers', archive(['Index/Document.iwa', 'x']), /is a Numbers spreadsheet$/, /Export To > CSV/],
  [
    'a word processor',
    archive(['word/document.xml', 'x']),
    /word processor$/,
    /plain text or HTML/,
  ],
  ['any archive', archive(['people.txt', 'x']), /is a ZIP archive$/, /^Unpack it/],
  [
    'a PDF',
    Buffer.from('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n', 'latin1'),
    /is a PDF$/,
    /export a table as CSV/,
  ],
  ['TextEdit', Buffer.from('{\\rtf1\\ansi Hello}'), /is a document in RTF$/, /plain text or HTML/],
  [
    'an address book',
    Buffer.from('BEGIN:VCARD\nVERSION:3.0\nEND:VCARD\n'),
    /is a vCard$/,
    /as CSV/,
  ],
])(
  'a file of %s is named by every command, with what to do there',
  async (_, bytes, is, advice) => {
    const world = await worldWith(bytes);
    for (const line of readers) {
      const outcome = await world.run(line);
      expect(outcome.exitCode, line).toBe(2);
      const { message, hint } = errorOf(outcome);
      expect(message, line).toMatch(is);
      expect(hint, line).toMatch(advice);
    }
  },
);

describe('a body in a file that another flag reads', () => {
  const send = 'email send --to a@example.org --from hello@example.com --subject Hi --sandbox';
  const files = {
    'a.md': '# Hi\n\n**b**',
    'a.mjml': '<mjml><mj-body></mj-body></mjml>',
    'a.html': '<p>Hi <b>x</b></p>',
    'a.txt': 'Hi\n\nthere',
    'tags.txt': '<p>Hi</p>',
    'a.eml': 'Subject: x\n\nHi',
    'a.tsx': 'export default () => <p>Hi</p>;',
  };

  test.each([
    ['--html-file', 'a.md', '--markdown-file'],
    ['--html-file', 'a.mjml', '--mjml-file'],
    ['--html-file', 'a.txt', '--text-file'],
    ['--html-file', 'a.eml', '--eml'],
    ['--html-file', 'a.tsx', '--react-email'],
    ['--text-file', 'a.html', '--html-file'],
    ['--text-file', 'a.eml', '--eml'],
    ['--markdown-file', 'a.mjml', '--mjml-file'],
    ['--markdown-file', 'a.eml', '--eml'],
  ])('%s %s stops and names %s; stdin is read as it is', async (flag, name, other) => {
    const world = createWorld();
    for (const [path, text] of Object.entries(files)) fileIn(world, path, text);
    const { message, hint } = errorOf(await world.run(`${send} ${flag} ${name} --json`));
    expect(message).toBe(`${flag}: ${name} is a file for ${other}`);
    expect(hint).toContain(`To read it: ${other} ${name}\n`);
    const stdin = '<p>Hi</p>';
    expect(await world.run(`${send} ${flag} -`, { stdin })).toMatchObject({ exitCode: 0 });
  });

  test.each([
    ['--html-file', 'tags.txt'],
    ['--text-file', 'a.md'],
    ['--markdown-file', 'a.txt'],
    ['--markdown-file', 'a.html'],
  ])('%s %s is read, because it may be meant', async (flag, name) => {
    const world = createWorld();
    for (const [path, text] of Object.entries(files)) fileIn(world, path, text);
    expect(await world.run(`${send} ${flag} ${name}`)).toMatchObject({ exitCode: 0 });
  });
});

test.each(['utf-16le', 'utf-16be'])(
  '%s without a mark, as bcp writes it, is told by its NULs',
  async (charset) => {
    const bytes = Buffer.from('email,name\nana@example.org,Jörg\n', 'utf16le');
    const world = await worldWith(charset === 'utf-16le' ? bytes : bytes.swap16());
    const line =
      'email batch people.csv --from a@example.com --subject s --text t --preview 1 --sandbox';
    const { exitCode, stderr } = await world.run(line);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 2 });
    expect(stderr).toContain('people.csv is UTF-16');
    expect(stderr).toContain(`--encoding ${charset}`);
    expect(await world.run(`${line} --encoding ${charset}`)).toMatchObject({ exitCode: 0 });
  },
);

test.each([
  ['windows-1252', Buffer.from('email,name\nana@example.org,J\xf6rg \x80\n', 'latin1'), 'Jörg €'],
  ['latin1', Buffer.from('email,name\nana@example.org,J\xf6rg \x80\n', 'latin1'), 'Jörg €'],
  [
    'windows-1251',
    Buffer.from('656d61696c2c6e616d650a616e61406578616d706c652e6f72672cc0edede00a', 'hex'),
    'Анна',
  ],
  [
    'shift_jis',
    Buffer.concat([Buffer.from('email,name\nana@example.org,'), Buffer.from('8e5293630a', 'hex')]),
    '山田',
  ],
  ['utf-16le', Buffer.from('\ufeffemail,name\nana@example.org,Jörg\n', 'utf16le'), 'Jörg'],
  ['utf-16le', Buffer.from('email,name\nana@example.org,Ana\n', 'utf16le'), 'Ana'],
  ['windows-1252', Buffer.from('email,name\nana@example.org,Jörg\n'), 'Jörg'],
  ['gb18030', Buffer.from('email,name\nana@example.org,山田\n'), '山田'],
])('--encoding %s reads rows of a file that is not UTF-8', async (label, bytes, name) => {
  const world = await worldWith(bytes);
  const words = 'email batch people.csv --from a@example.com --subject {{name}} --text Hi'.split(
    ' ',
  );
  const { stdout, stderr } = await world.run([
    ...words,
    ...['--preview', '9', '--fields', 'subject', '--no-header', '--sandbox', '--encoding', label],
  ]);
  expect(stderr).not.toContain('Error');
  expect(stdout).toBe(`${name}\n`);
});

test('the hint for a file of Excel is the same command with its charset, which works', async () => {
  const world = await worldWith(
    Buffer.from('email,name\nana@example.org,J\xf6rg\n', 'latin1'),
    "Kunden 'neu'.csv",
  );
  const words = ['contact', 'import', "Kunden 'neu'.csv", '--book', 'People', '--sandbox', '--yes'];
  const failed = await world.run([...words, '--json']);
  const { message, hint = '' } = errorOf(failed);
  expect(message).toBe("Kunden 'neu'.csv is not valid UTF-8");
  expect(hint).toMatch(/--encoding windows-1252$/);
  expect(hint).toContain(String.raw`'Kunden '\''neu'\''.csv'`);
  expect((await world.run([...words, '--encoding', 'windows-1252'])).exitCode).toBe(0);
  expect((await world.run(['contact', 'list', '--book', 'People', '--sandbox'])).stdout).toContain(
    'ana@example.org',
  );
});

test('an HTML file in UTF-8 beside rows in another charset is read as it is', async () => {
  const world = await worldWith(Buffer.from('email,name\nana@example.org,J\xf6rg\n', 'latin1'));
  fileIn(world, 'hi.html', '<p>Grüße, {{ name }}</p>');
  const { stdout } = await world.run(
    'email batch people.csv --from a@example.com --subject Hi --html-file hi.html --preview 9 --fields html --no-header --sandbox --encoding windows-1252',
  );
  expect(stdout).toContain('Grüße, Jörg');
});

test('bytes that are in neither charset, and unknown charsets, are errors', async () => {
  const world = await worldWith(Buffer.from('email,name\nana@example.org,\x82\xff\n', 'latin1'));
  const line = `${batch} --sandbox --json`;
  expect(errorOf(await world.run(`${line} --encoding shift_jis`)).message).toBe(
    'people.csv is neither UTF-8 nor shift_jis',
  );
  const unknown = await world.run(`${line} --encoding cp850`);
  expect(unknown.exitCode).toBe(2);
  expect(errorOf(unknown).message).toContain('--encoding: "cp850" is not a charset');
});

test('the retry of a run reads its rows in the same charset', async () => {
  const rows = (address: string) =>
    Buffer.from(`email,name\nana@example.org,J\xf6rg\n${address},Zo\xeb\n`, 'latin1');
  const world = await worldWith(rows('nobody'));
  await world.run([
    ...'email batch people.csv --from hello@example.com --subject {{name}} --text Hi'.split(' '),
    ...'--skip-invalid --yes --sandbox --encoding windows-1252'.split(' '),
  ]);
  fileIn(world, 'fixed.csv', rows('zoe@example.org'));
  const retried = await world.run(
    'run retry @last --status invalid --file fixed.csv --yes --sandbox',
  );
  expect(retried.stderr).toMatch(/accepted/);
  expect((await world.run('email list --limit 1 --sandbox')).stdout).toContain('Zoë');
});
