/** What HTML consists of: comments, what is not shown, what shows something, other tags, and text. */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(?:style|script|title)\b[\s\S]*?(?:<\/(?:style|script|title)\s*>|$)|(<(?:img|svg|video|audio|picture|canvas|object|iframe|input|hr|v:\w+|amp-\w+)\b|<[a-z][^>]*\b(?:background=|url\())|<[a-z/!?][^>]*(?:>|$)|([^<]+|<)/gi;

/** Characters that are not seen (the last one is an empty braille cell), and names that HTML has for some. */
const unseen =
  /[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]|&(?:nbsp|shy|zwnj|zwj|ensp|emsp|thinsp);/giu;

/** A character as a number of HTML. */
const numbered = /&#(?:x([\da-f]{1,5})|(\d{1,6}));/gi;

/** Whether a text has only characters that readers do not see. */
export function isBlank(text: string): boolean {
  const plain = text.replace(numbered, (_, hex, decimal) =>
    String.fromCodePoint(hex === undefined ? Number(decimal) : Number.parseInt(hex, 16)),
  );
  return plain.replace(unseen, '') === '';
}

/** Whether readers of this HTML see neither text nor an image, whatever its style. */
export function showsNothing(html: string): boolean {
  for (const { 1: shown, 2: text = '' } of html.matchAll(pieces)) {
    if (shown !== undefined || !isBlank(text)) return false;
  }
  return true;
}

/** Whether readers see something of an HTML template in Liquid, whatever its values are. */
export function alwaysShows(template: string): boolean {
  return !template.includes('{%') && !showsNothing(template.replace(/\{\{.*?\}\}/gs, ''));
}
