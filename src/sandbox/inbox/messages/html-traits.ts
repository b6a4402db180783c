/** Wider layouts are taken for a mistake; in pixels. */
const widest = 2000;

/** The margins that browsers leave on both sides of a page, in pixels. */
const margins = 16;

/**
 * The least width of a message in pixels: that of its widest table plus the margins of a page. 0 if it has no
 * table, or adapts to narrow windows by itself.
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
