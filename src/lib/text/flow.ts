import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

/**
 * Pieces on as few lines as hold them, none broken, with `gap` between two on one line. A piece
 * wider than `width` columns has a line of its own. Colours count for nothing.
 */
export function flow(pieces: readonly string[], gap: string, width: number): string[] {
  const lines: string[] = [];
  for (const piece of pieces) {
    const last = lines.at(-1);
    const joined = `${last ?? ''}${gap}${piece}`;
    if (last !== undefined && stringWidth(joined) <= width) lines.splice(-1, 1, joined);
    else lines.push(piece);
  }
  return lines;
}

/** `text`, without colours, cut with `…` to what fits into `width` columns. */
export function cut(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  for (const { segment } of segmenter.segment(text)) {
    if (stringWidth(kept + segment) > width - 1) break;
    kept += segment;
  }
  return width < 1 ? '' : `${kept}…`;
}
