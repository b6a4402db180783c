/** Attributes and styles that load a picture of another server. Links do not. */
const remote =
  /(?:\b(?:src|srcset|background|poster)\s{0,9}=\s{0,9}|\burl\(\s{0,9})["']?\s{0,9}(?:https?:)?\/\//i;

/** Whether HTML may show pictures of other servers; it is recognised only roughly. */
export function hasRemoteImages(html: string): boolean {
  return remote.test(html);
}

/** The widest layout that is taken for meant, in pixels. */
const widest = 2000;

/** What browsers leave on both sides of a page. */
const margins = 16;

/**
 * The width in pixels that a message needs at least: that of its widest table, with the margins of a
 * page. 0 if it has none, or if the message adapts to narrow windows by itself.
 */
export function neededWidth(html: string): number {
  if (/@media[^{]{0,200}\bmax-(?:device-)?width/i.test(html)) return 0;
  let needed = 0;
  for (const [tag] of html.matchAll(/<table\b[^>]{0,500}/gi)) {
    if (/max-width/i.test(tag)) continue;
    const [, width = '0'] = /\bwidth\s{0,9}[=:]\s{0,9}["']?(\d{3,4})(?![\d%])/i.exec(tag) ?? [];
    if (Number(width) <= widest) needed = Math.max(needed, Number(width));
  }
  return needed === 0 ? 0 : needed + margins;
}
