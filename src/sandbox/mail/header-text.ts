/** nodemailer's function, which is loaded late. */
export type EncodeWord = (text: string, encoding: string, maxLength: number) => string;

/** White space that would be lost, or a long line without white space to fold at. */
const needsEncoding = /^\s|\s$|\s{40}|\S{900}/;

/** Characters of an encoded word; RFC 2047 has at most 75. */
const longestWord = 52;

/** Unstructured text of a header, encoded if it does not fit in lines of 998 characters. */
export function breakable(text: string, encodeWord: EncodeWord): string {
  return needsEncoding.test(text) ? encodeWord(text, 'B', longestWord) : text;
}

const longestName = 300;

/** A display name that can be quoted on one line. */
export function shortName(name: string): string {
  return [...name.replace(/\s{40,}/g, ' ')].slice(0, longestName).join('');
}

/** In characters; file systems have 255 bytes. */
const longestFileName = 255;

/** Characters that include a file's extension. */
const fileNameEnd = 32;

/** A file's name for headers: of a long one, the beginning and the end. */
export function shortFileName(name: string): string {
  const characters = [...name];
  if (characters.length <= longestFileName) return name;
  const beginning = characters.slice(0, longestFileName - fileNameEnd);
  return [...beginning, ...characters.slice(-fileNameEnd)].join('');
}
