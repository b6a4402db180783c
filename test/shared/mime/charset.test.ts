import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseMessage } from '../../../src/sandbox/mail/receive/parse-message.ts';
import { fileIn } from '../../support/connected.ts';
import { needing, works } from '../../support/needs.ts';
import { createWorld } from '../../support/run.ts';

// The system's iconv encodes, independently of what decodes.

const latin = 'äöüßÄÖÜéèêáàâíóúñçåøæ';
const westEurope = `${latin}“”‘’–…€™`;
const eastEurope = 'ąćęłńóśźżčďěňřšťůžáéíőűăşţ';
const cyrillic = 'абвгдежзийклмнопрстуфхцчшщъыьэюяАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩ';
const greek = 'αβγδεζηθικλμνξοπρστυφχψωάέήίόύώΑΒΓΔ';
const hebrew = 'אבגדהוזחטיךכלםמןנסעףפץצקרשת';
const arabic = 'ابتثجحخدذرزسشصضطظعغفقكلمنهوي';
const thai = 'กขคงจฉชซญฎฏฐณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาำเแโ';
const japanese = 'あいうえおかきくけこアイウエオカキ日本語問合東京都。、「」';
const chinese = '中文简体字北京你好世界我们是的不了在有人这';
const traditional = '中文繁體字臺灣你好世界我們是的不了在有人這';
const korean = '가나다라마바사아자차카타파하한국어안녕하세요';
const turkish = 'ğışİçöüĞŞ';
const baltic = 'āčēģīķļņšūžąęėįųõäöü';

/** The charset that a message declares, the name that iconv knows, and characters that it has. */
const charsets: readonly (readonly [string, string, string])[] = [
  ['utf-8', 'UTF-8', `${westEurope}${cyrillic}${japanese}${hebrew}😀🎉`],
  ['utf-16le', 'UTF-16LE', westEurope + japanese],
  ['utf-16be', 'UTF-16BE', westEurope + japanese],
  ['utf-16', 'UTF-16', westEurope + japanese],
  ['utf-32', 'UTF-32', westEurope + japanese],
  ['iso-8859-1', 'ISO-8859-1', latin],
  ['Latin_1', 'ISO-8859-1', latin],
  ['windows-1252', 'CP1252', westEurope],
  ['cp1252', 'CP1252', westEurope],
  ['iso-8859-15', 'ISO-8859-15', `${latin}€œŠšŽž`],
  ['iso-8859-2', 'ISO-8859-2', eastEurope],
  ['windows-1250', 'CP1250', eastEurope.replace(/[ăşţ]/g, '')],
  ['iso-8859-3', 'ISO-8859-3', 'ĉĝĥĵŝŭħ'],
  ['iso-8859-4', 'ISO-8859-4', 'āčēģīķļņšūžąęė'],
  ['iso-8859-5', 'ISO-8859-5', cyrillic],
  ['windows-1251', 'CP1251', cyrillic],
  ['koi8-r', 'KOI8-R', cyrillic],
  ['koi8-u', 'KOI8-U', `${cyrillic}іїєґ`],
  ['ibm866', 'CP866', cyrillic],
  ['iso-8859-6', 'ISO-8859-6', arabic],
  ['windows-1256', 'CP1256', arabic],
  ['iso-8859-7', 'ISO-8859-7', greek],
  ['windows-1253', 'CP1253', greek],
  ['iso-8859-8', 'ISO-8859-8', hebrew],
  ['iso-8859-8-i', 'ISO-8859-8', hebrew],
  ['windows-1255', 'CP1255', hebrew],
  ['iso-8859-9', 'ISO-8859-9', turkish],
  ['windows-1254', 'CP1254', turkish],
  ['iso-8859-10', 'ISO-8859-10', 'āčēģīķļņšūžąęė'],
  ['iso-8859-13', 'ISO-8859-13', baltic],
  ['windows-1257', 'CP1257', baltic],
  ['iso-8859-14', 'ISO-8859-14', 'ẁẃẅŵỳŷḃċḋḟġṁṗṡṫ'],
  ['iso-8859-16', 'ISO-8859-16', 'ăâîșțȘȚ€'],
  ['windows-874', 'CP874', thai],
  ['tis-620', 'TIS-620', thai],
  ['windows-1258', 'CP1258', 'ăâêôơưđ₫'],
  ['macintosh', 'MACINTOSH', latin],
  ['cp437', 'CP437', 'äöüßéèê░▒▓│┤╡'],
  ['cp850', 'CP850', latin],
  ['cp852', 'CP852', eastEurope],
  ['cp855', 'CP855', cyrillic],
  ['cp858', 'CP858', `${latin}€`],
  ['iso-2022-jp', 'ISO-2022-JP', japanese],
  ['iso-2022-jp-2', 'ISO-2022-JP', japanese],
  ['shift_jis', 'CP932', japanese],
  ['cp932', 'CP932', japanese],
  ['euc-jp', 'EUC-JP', japanese],
  ['gb2312', 'GB2312', chinese],
  ['gbk', 'GBK', chinese + traditional],
  ['cp936', 'CP936', chinese + traditional],
  ['gb18030', 'GB18030', `${chinese}${traditional}😀`],
  ['big5', 'BIG5', traditional],
  ['euc-kr', 'EUC-KR', korean],
  ['ks_c_5601-1987', 'CP949', korean],
  ['uhc', 'UHC', korean],
];

/** Whether this machine can encode a text, and in what bytes. */
function encoded(text: string, charset: string): Buffer | undefined {
  try {
    return execFileSync('iconv', ['-f', 'UTF-8', '-t', charset], { input: text, stdio: 'pipe' });
  } catch {
    return undefined;
  }
}

const iconv = works('iconv --version', 'libc-bin');

/** A message with a subject and a text in this charset; the text in any transfer encoding. */
function messageOf(charset: string, subject: Buffer, text: Buffer, encoding: string): Buffer {
  const head = [
    'From: Ana <ana@example.com>',
    'To: ben@example.org',
    `Subject: =?${charset}?B?${subject.toString('base64')}?=`,
    `Content-Type: text/plain; charset="${charset}"`,
    `Content-Transfer-Encoding: ${encoding}`,
  ];
  const body =
    encoding === 'base64'
      ? text.toString('base64').replace(/.{76}/g, '$&\r\n')
      : text.toString('latin1');
  return Buffer.from([...head, '', body, ''].join('\r\n'), 'latin1');
}

describe('a text as it was written arrives in the sandbox', needing(iconv), () => {
  const world = createWorld();

  test.each(charsets)('in %s, from a file and over SMTP', async (charset, name, characters) => {
    const ascii = 'abc XYZ 0.1?!-';
    const pool = [...characters, ...ascii];
    const seed = 36;
    const texts = fc.sample(fc.array(fc.constantFrom(...pool), { minLength: 20, maxLength: 90 }), {
      numRuns: 4,
      seed,
    });
    const lines = texts.map((one) => one.join('').trim());
    const [subject = ''] = lines;
    const text = lines.join('\n');
    const raw = [encoded(subject, name), encoded(text, name)] as const;
    const [subjectBytes, textBytes] = raw;
    if (subjectBytes === undefined || textBytes === undefined)
      throw new Error(`iconv has no ${name}`);
    const isWide = charset.startsWith('utf-16') || charset.startsWith('utf-32');
    for (const encoding of isWide ? ['base64'] : ['base64', '8bit']) {
      const source = messageOf(charset, subjectBytes, textBytes, encoding);
      const received = await parseMessage({
        sender: 'ana@example.com',
        recipients: ['ben@example.org'],
        source,
      });
      expect(received).toMatchObject({ subject, text });
      fileIn(world, 'a.eml', source);
      world.clock.advance(1000);
      const sent = await world.run('email send --eml a.eml --sandbox');
      expect(sent).toMatchObject({ exitCode: 0 });
      const { stdout } = await world.run('email list --sandbox --limit 1 --json');
      expect(JSON.parse(stdout).data[0]).toMatchObject({ subject, text: `${text}\n` });
    }
  });
});

test('a large message in a charset that its thread does not have is read all the same', async () => {
  const line = Buffer.from('Gr\x94\xe1e\r\n', 'latin1');
  const text = Buffer.concat(Array.from({ length: 40_000 }, () => line));
  const source = messageOf('cp850', Buffer.from('Hi'), text, '8bit');
  const received = await parseMessage({ sender: '', recipients: ['ben@example.org'], source });
  expect(received.text).toHaveLength(40_000 * 6 - 1);
  expect(received.text).toMatch(/^Größe\nGröße\n/);
});
