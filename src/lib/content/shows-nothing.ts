/** What HTML consists of: comments, what is not shown, what shows something, other tags, and text. */
const pieces =
  /<!--[\s\S]*?(?:-->|$)|<(?:style|script|title)\b[\s\S]*?(?:<\/(?:style|script|title)\s*>|$)|(<(?:img|svg|video|audio|picture|canvas|object|iframe|input|hr|v:\w+|amp-\w+)\b|<[a-z][^>]*\b(?:background=|url\())|<[a-z/!?][^>]*(?:>|$)|([^<]+|<)/gi;

/** Characters that are not seen, also as they are written in HTML. */
const unseen =
  /[\s\p{Cf}]|\u034f|&(?:nbsp|shy|zwnj|zwj|ensp|emsp|thinsp|#160|#173|#847|#820[3-7]|#65279|#xa0|#x200[b-f]|#xfeff);/giu;

/** The field of an email in which readers see nothing, although it is there, and what is wrong with it; undefined if none. */
export function nothingSeenIn({
  subject,
  html,
  text,
  attachments,
}: Readonly<Record<string, unknown>>): { field: string; problem: string } | undefined {
  const isBlank = (value: unknown) => typeof value === 'string' && value.replace(unseen, '') === '';
  if (isBlank(subject)) return { field: 'subject', problem: 'the subject has only white space' };
  // The file may be all that is sent.
  if ([attachments ?? []].flat().length > 0) return undefined;
  if (typeof html === 'string' && showsNothing(html)) {
    return { field: 'html', problem: 'the HTML has neither text nor an image' };
  }
  if (html !== undefined || !isBlank(text)) return undefined;
  return { field: 'text', problem: 'the text has only white space' };
}

/** Whether readers see something of an HTML template in Liquid, whatever its values are. */
export function alwaysShows(template: string): boolean {
  return !template.includes('{%') && !showsNothing(template.replace(/\{\{.*?\}\}/gs, ''));
}

/** Whether a reader of this HTML sees neither text nor an image, whatever its style. */
function showsNothing(html: string): boolean {
  for (const { 1: shown, 2: text = '' } of html.matchAll(pieces)) {
    if (shown !== undefined || text.replace(unseen, '') !== '') return false;
  }
  return true;
}
