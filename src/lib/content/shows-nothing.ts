/** What HTML consists of: comments, what is not shown, what shows something, other tags, and text. */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(?:style|script|title)\b[\s\S]*?(?:<\/(?:style|script|title)\s*>|$)|(<(?:img|svg|video|audio|picture|canvas|object|iframe|input|hr|v:\w+|amp-\w+)\b|<[a-z][^>]*\b(?:background=|url\())|<[a-z/!?][^>]*(?:>|$)|([^<]+|<)/gi;

/** Characters that are not seen, also as they are written in HTML. */
const unseen =
  /[\s\p{Cf}]|\u034f|&(?:nbsp|shy|zwnj|zwj|ensp|emsp|thinsp|#160|#173|#847|#820[3-7]|#65279|#xa0|#x200[b-f]|#xfeff);/giu;

/** Whether a reader of this HTML sees neither text nor an image, whatever its style. */
export function showsNothing(html: string): boolean {
  for (const { 1: shown, 2: text = '' } of html.matchAll(pieces)) {
    if (shown !== undefined || text.replace(unseen, '') !== '') return false;
  }
  return true;
}
