/** The characters of windows-1252 from 0x80 to 0x9f; five of these bytes have none. */
const above80 =
  '\u20ac\x81\u201a\u0192\u201e\u2026\u2020\u2021\u02c6\u2030\u0160\u2039\u0152\x8d\u017d\x8f' +
  '\x90\u2018\u2019\u201c\u201d\u2022\u2013\u2014\u02dc\u2122\u0161\u203a\u0153\x9d\u017e\u0178';

/** A character of UTF-8 in several bytes, or a byte above ASCII. */
const utf8Character =
  /[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}|[\x80-\x9f]/g;

/**
 * A text of bytes that are UTF-8 where they can be, and otherwise windows-1252: programs cut texts in the middle
 * of a character, and mix what they print. With `isUtf8: false`, all of it is windows-1252.
 */
export function eightBitText(bytes: Uint8Array, { isUtf8 = true } = {}): string {
  const { buffer, byteOffset, byteLength } = bytes;
  const source = Buffer.from(buffer, byteOffset, byteLength).toString('latin1');
  return source.replace(isUtf8 ? utf8Character : /[\x80-\x9f]/g, (character) =>
    character.length > 1
      ? Buffer.from(character, 'latin1').toString('utf8')
      : (above80[character.charCodeAt(0) - 0x80] ?? character),
  );
}
