import { UsageError } from '../errors.ts';

/** A second for Markdown and selectors of siblings. Other CSS takes three if it matches all elements. */
const most = { marks: 2200, siblingSteps: 200_000_000, cssSteps: 1_000_000 };

/**
 * Throws a `UsageError` for Markdown that takes too long, because nothing can interrupt the libraries: each mark
 * is compared with the others of its paragraph, list item or table row.
 */
export function assertQuickMarkdown(body: string): void {
  const blocks = body.split(/\n[ \t]*\r?\n|\n(?=[ \t]*[-+*|][ \t])/);
  const marks = blocks.map((block) => count(block, /[*_~]+/g));
  const effort = Math.sqrt(marks.reduce((sum, one) => sum + one ** 2, 0));
  if (effort <= most.marks) return;
  throw new UsageError('The Markdown has too many *, _ and ~ without blank lines between them', {
    hint: 'Write it in several paragraphs, or as HTML.',
  });
}

/**
 * The same for CSS to inline: juice takes time by declarations and elements, and for selectors of siblings by
 * the square of the elements.
 */
export function assertQuickCss(html: string): void {
  const [, ...styles] = html.split(/<style\b/i);
  const css = styles.map((style) => style.split(/<\/style/i, 1)[0]).join('\n');
  const steps = count(css, /[,:{]/g);
  const siblings = count(css, /[+~]|:nth-|-of-type/g);
  const elements = count(html, /<[a-z]/gi);
  if (steps * elements <= most.cssSteps && siblings * elements ** 2 <= most.siblingSteps) return;
  throw new UsageError(
    `The HTML is too large to inline its CSS: about ${steps} selectors and properties for ${elements} elements`,
    { hint: 'Shorten it, or remove CSS that is not used.' },
  );
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}
