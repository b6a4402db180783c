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
