import stringWidth from 'string-width';

const segmenter = new Intl.Segmenter();

// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const color = /(\x1b\[[\d;]*m)/;

/**
 * Fills as few lines as possible with unbroken pieces, with `gap` between two on a line. A piece
 * wider than `width` columns gets a line of its own. Colours have no width.
 */
export function flow(pieces: readonly string[], gap: string, width: number): string[] {
  const lines: string[] = [];
  // Measuring the whole line again for each piece would take quadratic time.
  let taken = 0;
  for (const piece of pieces) {
    const last = lines.at(-1);
    const size = stringWidth(piece);
    const joined = taken + stringWidth(gap) + size;
    if (last !== undefined && joined <= width) {
      lines.splice(-1, 1, `${last}${gap}${piece}`);
      taken = joined;
    } else {
      lines.push(piece);
      taken = size;
    }
  }
  return lines;
}

/**
 * `text`, cut with `…` to `width` columns. Colours have no width, and are kept. Characters are
 * measured one by one up to the cut, so the text may have any length.
 */
export function cut(text: string, width: number): string {
  let taken = 0;
  let position = 0;
  let end = 0;
  for (const [index, part] of text.split(color).entries()) {
    const characters = index % 2 === 0 ? segmenter.segment(part) : [];
    for (const { segment, index: before } of characters) {
      taken += stringWidth(segment);
      if (taken > width) return width < 1 ? '' : `${text.slice(0, end)}${colorsOf(text, end)}…`;
      if (taken < width) end = position + before + segment.length;
    }
    position += part.length;
  }
  return text;
}

/** The colour codes from a position on. */
function colorsOf(text: string, position: number): string {
  return text
    .slice(position)
    .split(color)
    .filter((_, index) => index % 2 === 1)
    .join('');
}

/** Nobody reads more lines. */
const mostLines = 200;

/** Breaks `text` into lines of `width` columns, between words, and within words that are wider. */
export function folded(text: string, width: number): string {
  const words = cut(text, width * mostLines).split(' ');
  return flow(
    words.flatMap((word) => pieces(word, width)),
    ' ',
    width,
  ).join('\n');
}

function pieces(word: string, width: number): string[] {
  const found = [''];
  let taken = 0;
  for (const { segment } of segmenter.segment(word)) {
    const size = stringWidth(segment);
    if (taken + size > width && taken > 0) {
      found.push('');
      taken = 0;
    }
    found.push(`${found.pop()}${segment}`);
    taken += size;
  }
  return found;
}
