/** What HTML consists of: comments, what is not shown, what shows something, other tags, and text. */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(?:style|script|title)\b[\s\S]*?(?:<\/(?:style|script|title)\s*>|$)|(<(?:img|svg|video|audio|picture|canvas|object|iframe|input|hr|v:\w+|amp-\w+)\b|<[a-z][^>]*\b(?:background=|url\())|<[a-z/!?][^>]*(?:>|$)|([^<]+|<)/gi;

/** Characters that are not seen, also as they are written in HTML. */
const unseen =
  /[\s\p{Cf}]|\u034f|&(?:nbsp|shy|zwnj|zwj|ensp|emsp|thinsp|#160|#173|#847|#820[3-7]|#65279|#xa0|#x200[b-f]|#xfeff);/giu;

/** Whether a text has only characters that readers do not see. */
export function isBlank(text: string): boolean {
  return text.replace(unseen, '') === '';
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
