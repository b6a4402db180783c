import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { constants, deflateRawSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { mostAtOnce } from '../../../src/lib/domains/dmarc-reports/bytes.ts';
import { errorOf, fileIn } from '../../support/connected.ts';
import {
  mailboxLine,
  makeRecord,
  makeReport,
  messageWith,
  reportOf,
  zipOf,
} from '../../support/dmarc-reports.ts';
import { createWorld, type World } from '../../support/run.ts';

const utf16 = (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le');
const bigEndian = (text: string) => utf16(text).swap16();

/** Much that is read in little time. */
const comment = `<a/><!--${'x'.repeat(512 * 1024)}-->`;

/** Reads everything in the home directory. */
async function readAll(world: World, words = '.') {
  const { exitCode, stdout } = await world.run(`dmarc report ${words} --json --selector a`);
  const document = JSON.parse(stdout);
  const messages = document.rows.reduce(
    (sum: number, row: { readonly messages: number }) => sum + row.messages,
    0,
  );
  return { exitCode, messages, ...document };
}

/** Reads one file on its own. */
async function readOne(content: string | Uint8Array, name = 'file') {
  const world = createWorld();
  fileIn(world, name, content);
  const { exitCode, stdout, stderr } = await world.run([
    ...'dmarc report --jsonl --selector a'.split(' '),
    name,
  ]);
  return { exitCode, rows: stdout.split('\n').length - 1, stderr };
}

describe('a report is found', () => {
  const report = makeReport();
  const gz = gzipSync(report);
  const asMessage = messageWith('r.xml.gz', 'application/gzip', gz);
  const whole = [
    'From: noreply-dmarc-support@google.com',
    'Content-Type: application/zip; name="r.zip"',
    'Content-Transfer-Encoding: base64',
    '',
    zipOf([['r.xml', report]]).toString('base64'),
  ].join('\r\n');
  const forwarded = messageWith('fw.eml', 'message/rfc822', Buffer.from(asMessage));

  test.each<[string, string | Uint8Array]>([
    ['as XML', report],
    ['after a byte order mark and blank lines', `\ufeff\n\n${report}`],
    ['in UTF-16', utf16(`<?xml version="1.0" encoding="UTF-16"?>${report}`)],
    ['in UTF-16 of the other order', bigEndian(report)],
    ['in UTF-16 without a mark', Buffer.from(report, 'utf16le')],
    ['declared as UTF-16, but in UTF-8', `<?xml version="1.0" encoding="utf-16"?>${report}`],
    ['in a charset that nobody knows', `<?xml version="1.0" encoding="x-none"?>${report}`],
    ['in gzip', gz],
    [
      'in gzip of several members',
      Buffer.concat([report.slice(0, 99), report.slice(99)].map((one) => gzipSync(one))),
    ],
    ['in gzip with something after it', Buffer.concat([gz, Buffer.alloc(600)])],
    ['in gzip with a line break after it', Buffer.concat([gz, Buffer.from('\r\n')])],
    [
      'in a start tag of the schema that is not closed',
      report.replace('<feedback>', '<?xml version="1.0"?> <xs:schema xmlns:xs="x">\n$&'),
    ],
    ['of the time in the example of RFC 9990', makeReport({ day: '1979-08-07' })],
    ['in ZIP', zipOf([['r.xml', report]])],
    ['in ZIP of gzip', zipOf([['r.xml.gz', gz]])],
    ['in a message', asMessage],
    ['in a message without a known type', messageWith('r', 'application/octet-stream', gz)],
    ['in a message as XML', messageWith('r.xml', 'text/xml', Buffer.from(report))],
    ['as a whole message', whole],
    ['in a message that was forwarded', forwarded],
    ['in a mailbox', `${mailboxLine}${asMessage}`],
    ['in a compressed mailbox', gzipSync(`${mailboxLine}${asMessage}`)],
  ])('%s', async (_, content) => {
    expect(await readOne(content)).toEqual({ exitCode: 0, rows: 1, stderr: '' });
  });

  test('in stdin, beside a file', async () => {
    const world = createWorld();
    fileIn(world, '1.xml', makeReport());
    const { stdout } = await world.run('dmarc report - 1.xml --json', { stdin: gz });
    expect(JSON.parse(stdout)).toMatchObject({ reports: 2, damaged: [] });
  });

  test('in a large file, which is not read at once', async () => {
    // Much that is read in little time.
    const records = makeRecord({ results: `<x>${'x'.repeat(8000)}</x>` }).repeat(1100);
    const world = createWorld();
    const large = makeReport({ records });
    expect(large.length).toBeGreaterThan(mostAtOnce.unpacked);
    fileIn(world, '1.xml', large);
    fileIn(world, '2.gz', gzipSync(makeReport({ records })));
    fileIn(world, '3.zip', zipOf([['r.xml', makeReport({ records })]]));
    expect(await readAll(world)).toMatchObject({ exitCode: 0, messages: 3300 });
  });
});

test('all messages of a mailbox are read, and others are counted', async () => {
  const world = createWorld();
  const messages = Array.from({ length: 300 }, (_, index) => {
    const text = `${mailboxLine}${messageWith('r.gz', 'application/gzip', gzipSync(makeReport()))}\n`;
    // Lines end as on other systems in some mailboxes.
    return index % 2 === 0 ? text : text.replaceAll('\n', '\r\n');
  });
  const letter = `${mailboxLine}From: ana@example.org\nSubject: Hi\n\nFrom now on\n\nFrom here\n\n`;
  fileIn(world, 'box', `${messages.join('')}${letter}${letter}`);
  expect(await readAll(world, 'box')).toMatchObject({
    exitCode: 0,
    reports: 300,
    otherFiles: 2,
    damaged: [],
  });
});

describe('a directory', () => {
  test('is read with everything below it; other files are left out and counted', async () => {
    const world = createWorld();
    fileIn(world, 'cur/1', messageWith('r.gz', 'application/gzip', gzipSync(makeReport())));
    fileIn(
      world,
      'new/a/b/2.zip',
      zipOf([
        ['2.xml', makeReport()],
        ['read.me', 'Hi'],
      ]),
    );
    fileIn(world, 'notes.txt', 'nothing\n');
    fileIn(world, 'page.html', '<!DOCTYPE html><html><p>Hi</html>');
    fileIn(world, 'feed.xml', '<?xml version="1.0"?><rss></rss>');
    fileIn(world, 'photo.jpg', Buffer.from([0xff, 0xd8, 0xff, 0xe0]));
    fileIn(world, 'empty', '');
    const { stdout, stderr, exitCode } = await world.run('dmarc report . --selector a');
    expect(exitCode).toBe(0);
    expect(stdout).toContain('\t2\t2\t2\t2\t');
    expect(stderr).toBe('6 of the files and messages are not reports.\n');
  });

  test('is not left by links, nor read forever', async () => {
    const world = createWorld();
    mkdirSync(join(world.home, 'loop'));
    symlinkSync('..', join(world.home, 'loop/up'));
    symlinkSync('nowhere', join(world.home, 'broken'));
    fileIn(world, 'real.xml', makeReport());
    symlinkSync('../real.xml', join(world.home, 'loop/linked.xml'));
    expect(await readAll(world)).toMatchObject({ exitCode: 0, reports: 1, duplicates: 1 });
  });

  test('with thousands of other files takes no time', async () => {
    const world = createWorld();
    for (let index = 0; index < 5000; index++) fileIn(world, `many/${index}.txt`, 'x');
    fileIn(world, 'many/r.xml', makeReport());
    expect(await readAll(world)).toMatchObject({ reports: 1, otherFiles: 5000 });
  });
});

describe('a damaged file is named, and the others are read', () => {
  const report = makeReport();
  const gz = gzipSync(report);
  const broken = Buffer.from(zipOf([['r.xml', report]]));
  broken.writeUInt32LE(1, 14);
  const archive = zipOf([['a.xml', report]]);
  archive.writeUInt32LE(12345, archive.indexOf('PK\x01\x02') + 16);
  const nested = (levels: number, inside: Uint8Array): Uint8Array =>
    levels === 0 ? inside : nested(levels - 1, gzipSync(inside));
  const withCount = (count: string) => makeReport({ records: makeRecord({ count }) });

  test.each<[string, string | Uint8Array]>([
    ['damaged: unexpected end of file', gz.subarray(0, -20)],
    ['damaged:', Buffer.concat([gz.subarray(0, 30), Buffer.alloc(60, 7)])],
    ['damaged: its checksum is wrong', archive],
    ['damaged:', zipOf([['r.xml', report]]).subarray(0, -30)],
    ['ends early', report.slice(0, -20)],
    ['ends early', report.slice(0, -3)],
    ['not closed in order', report.replace('</count>', '')],
    ['content after its end', `${report}<more/>`],
    ['has a record whose count is "-1"', withCount('-1')],
    ['has a record whose count is "1e3"', withCount('1e3')],
    ['has a record whose count is ""', withCount('')],
    ['does not state its period', report.replace(/<begin>\d+/, '<begin>soon')],
    ['does not state its period', report.replace(/<begin>\d+/, '<begin>99999999999')],
    ['does not state its domain', report.replaceAll('example.com', '')],
    ['has no aggregate report', 'Hello\n'],
    ['has no aggregate report', ''],
    ['has no aggregate report', '<html></html>'],
    ['has no aggregate report', '<xs:schema><xs:element name="feedback"/></xs:schema>'],
    ['has no aggregate report', zipOf([['a.txt', 'x']])],
    ['has no aggregate report', 'From: a@example.org\n\nHi\n'],
    ['archives nested too deeply', nested(12, Buffer.from(report))],
  ])('%s', async (problem, content) => {
    const world = createWorld();
    fileIn(world, 'good.xml', makeReport());
    fileIn(world, 'bad', content);
    const outcome = await world.run('dmarc report bad good.xml --selector a');
    expect(outcome.exitCode).toBe(11);
    expect(outcome.stderr).toMatch(/^Warning: bad(: \S+)? /);
    expect(outcome.stderr).toContain(problem);
    expect(outcome.stderr).toContain('Error: 1 file could not be read: bad');
    expect(outcome.stdout).toContain('example.com\t192.0.2.1\t');
    // Nothing of a damaged report is counted.
    expect(await readAll(world, 'bad good.xml')).toMatchObject({ exitCode: 11, messages: 1 });
  });

  test('in ZIP and mailbox, only the damaged part is left out', async () => {
    const world = createWorld();
    const inside = messageWith('bad.gz', 'application/gzip', gz.subarray(0, -20));
    fileIn(
      world,
      'a.zip',
      zipOf([
        ['1.xml', makeReport()],
        ['2.gz', gz.subarray(0, -20)],
        ['3.xml', makeReport()],
      ]),
    );
    const good = messageWith('r.gz', 'application/gzip', gzipSync(makeReport()));
    fileIn(world, 'b.mbox', `${mailboxLine}${inside}\n${mailboxLine}${good}`);
    expect(await readAll(world)).toMatchObject({
      exitCode: 11,
      reports: 3,
      damaged: [{ file: 'a.zip: 2.gz' }, { file: 'b.mbox: message 1: bad.gz' }],
    });
  });

  test('many are named in JSON, and the first on stderr', async () => {
    const world = createWorld();
    for (let index = 10; index < 40; index++) fileIn(world, `${index}.gz`, gz.subarray(0, 40));
    const { stderr } = await world.run('dmarc report .');
    expect(stderr.match(/^Warning: \d\d\.gz is damaged/gm)).toHaveLength(20);
    expect(stderr).toContain('Warning: 10 more could not be read; --json names all.\n');
    expect((await readAll(world)).damaged).toHaveLength(30);
  });

  test('a file that does not exist is an error before anything is read', async () => {
    const world = createWorld();
    fileIn(world, 'good.xml', makeReport());
    const outcome = await world.run('dmarc report good.xml missing.xml --json');
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toBe('FILE: missing.xml does not exist');
    const twice = await world.run('dmarc report - -', { stdin: '' });
    expect(twice).toMatchObject({ exitCode: 2, stdout: '' });
  });
});

describe('an attack', () => {
  const rest = makeReport().slice('<feedback>'.length);

  test.each<[string, string, string | Uint8Array]>([
    [
      'entities that multiply',
      'has a DOCTYPE',
      `<!DOCTYPE feedback [<!ENTITY a "lol"><!ENTITY b "&a;&a;&a;&a;">]><feedback>&b;${rest}`,
    ],
    [
      'an entity of a file',
      'has a DOCTYPE',
      `<?xml version="1.0"?><!doctype feedback [<!ENTITY x SYSTEM "file:///etc/passwd">]><feedback>${rest}`,
    ],
    ['elements in each other', 'nested too deeply', `<feedback>${'<a>'.repeat(1_000_000)}`],
    [
      'a tag without an end',
      'a tag or text that is too long',
      Buffer.from(`<feedback a="${'a'.repeat(3_000_000)}`),
    ],
    [
      'a comment without an end',
      'a tag or text that is too long',
      Buffer.from(`<feedback><!--${'a'.repeat(3_000_000)}`),
    ],
    ['gzip that unpacks to gigabytes', 'unpacks to more than 256 MiB', bombOf('gzip')],
    ['ZIP that unpacks to gigabytes', 'unpacks to more than 256 MiB', bombOf('zip')],
    [
      'a ZIP with very many files',
      'has 10001 files, more than 10000',
      zipOf(Array.from({ length: 10_001 }, (_, index) => [`${index}.xml`, ''])),
    ],
    [
      'more records than memory',
      'has more than 500000 records',
      gzipSync(
        `<feedback>${'<record/>'.repeat(100)}${'<record><row><count>1</count></row></record>'.repeat(500_001)}`,
      ),
    ],
  ])('%s is refused', async (_, problem, content) => {
    const { exitCode, stderr, rows } = await readOne(content);
    expect(exitCode).toBe(11);
    expect(rows).toBe(0);
    expect(stderr).toContain(problem);
  });

  test('by a ZIP whose files share their bytes ends with the archive', async () => {
    // Nothing that would take time to read.
    const shared = zipOf([['r.xml', Buffer.alloc(7 * 1024 * 1024)]]);
    const start = shared.readUInt32LE(shared.length - 6);
    const entry = shared.subarray(start, -22);
    const count = 9000;
    const end = Buffer.from(shared.subarray(-22));
    end.writeUInt16LE(count, 8);
    end.writeUInt16LE(count, 10);
    end.writeUInt32LE(entry.length * count, 12);
    const world = createWorld();
    const entries = Array.from({ length: count }, () => entry);
    fileIn(world, 'a.zip', Buffer.concat([shared.subarray(0, start), ...entries, end]));
    const { damaged } = await readAll(world);
    expect(damaged).toEqual([
      { file: 'a.zip: r.xml', problem: 'unpacks to more than 256 MiB' },
      { file: 'a.zip', problem: 'unpacks to more than 256 MiB' },
    ]);
  });

  test('by the names of files in an archive changes nothing', async () => {
    const world = createWorld();
    const names = [
      '../../evil.xml',
      '/etc/passwd',
      'C:\\evil.xml',
      'a\u001b[31m\n.xml',
      '\u202e.xml',
    ];
    fileIn(world, 'a.zip', zipOf(names.map((name) => [name, makeReport()])));
    fileIn(world, 'b.zip', zipOf(names.map((name) => [name, '<feedback>'])));
    const { exitCode, stdout, stderr } = await world.run('dmarc report . --quiet --no-color', {
      terminal: 80,
    });
    expect(exitCode).toBe(11);
    expect(stdout).toBe('192.0.2.1\n');
    expect(stderr).toContain(String.raw`b.zip: a\x1b[31m\n.xml ends early`);
    expect(stderr).not.toContain('\u001b');
    expect(stderr).not.toContain('\u202e');
  });

  test('entities and other references are text', async () => {
    const world = createWorld();
    fileIn(world, '1.xml', makeReport({ domain: '&xxe;.example', org: 'A &amp; B' }));
    const { domains } = await readAll(world);
    expect(domains[0].domain).toBe('&xxe;.example');
  });

  test('by names that JavaScript knows changes nothing', async () => {
    const names = ['__proto__', 'constructor', 'toString'];
    const elements = names.map((name) => `<${name}>x</${name}>`).join('');
    const records = names.map((ip) => makeRecord({ ip })).join('');
    const { rows } = await readOne(makeReport({ records: `${elements}${records}` }));
    expect(rows).toBe(3);
  });
});

/** A report of more than 256 MiB. */
function bombOf(kind: 'gzip' | 'zip'): Buffer {
  const isZip = kind === 'zip';
  const pack = (text: string) =>
    isZip ? deflateRawSync(text, { finishFlush: constants.Z_FULL_FLUSH }) : gzipSync(text);
  const comments = Array<Buffer>(514).fill(pack(comment));
  const packed = Buffer.concat([pack('<feedback>'), ...comments]);
  return isZip ? zipOf([['r.xml', '', packed]]) : packed;
}

test('the shapes of receivers survive any packing', async () => {
  const world = createWorld();
  fileIn(world, '1.zip', zipOf([['google.com!example.com!1!2.xml', reportOf('google')]]));
  fileIn(world, '2.xml.gz', gzipSync(utf16(reportOf('outlook'))));
  fileIn(world, '3.eml', messageWith('r.xml.gz', 'text/plain', gzipSync(reportOf('mailru'))));
  expect(await readAll(world)).toMatchObject({ exitCode: 0, reports: 3, messages: 109 });
});
