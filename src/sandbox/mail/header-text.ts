/** nodemailer's function, which is loaded lazily. */
export type EncodeWord = (text: string, encoding: string, maxLength: number) => string;

/** White space that would be lost, or a long line without white space to fold at. */
const needsEncoding = /^\s|\s$|\s{40}|\S{900}/;

/** The most characters of an encoded word; RFC 2047 allows 75. */
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

/** In characters; file systems allow 255 bytes. */
const longestFileName = 255;

/** The last characters of a name, which include the file's extension. */
const fileNameEnd = 32;

/** A file's name for headers. A long one is reduced to its beginning and end. */
export function shortFileName(name: string): string {
  const characters = [...name];
  if (characters.length <= longestFileName) return name;
  const beginning = characters.slice(0, longestFileName - fileNameEnd);
  return [...beginning, ...characters.slice(-fileNameEnd)].join('');
}
