/** The function of this name in nodemailer, which is loaded late. */
export type EncodeWord = (text: string, encoding: string, maxLength: number) => string;

/** White space that folding or a reader would lose, or none where a long line could be folded. */
const needsEncoding = /^\s|\s$|\s{40}|\S{900}/;

/** Characters of an encoded word; RFC 2047 has at most 75. */
const longestWord = 52;

/** Unstructured text of a header, encoded where it could not stand in lines of 998 characters. */
export function breakable(text: string, encodeWord: EncodeWord): string {
  return needsEncoding.test(text) ? encodeWord(text, 'B', longestWord) : text;
}

/** Characters of a display name that are kept. */
const longestName = 300;

/** A display name that can be quoted on one line. */
export function shortName(name: string): string {
  return [...name.replace(/\s{40,}/g, ' ')].slice(0, longestName).join('');
}

/** Characters of a file's name that are kept; file systems have 255 bytes. */
const longestFileName = 255;

/** Characters at the end of a file's name in which its ending stands. */
const fileNameEnd = 32;

/** A file's name that headers can hold: of a longer one its beginning and its end. */
export function shortFileName(name: string): string {
  const characters = [...name];
  if (characters.length <= longestFileName) return name;
  const beginning = characters.slice(0, longestFileName - fileNameEnd);
  return [...beginning, ...characters.slice(-fileNameEnd)].join('');
}
