import { UsageError } from '../errors.ts';

/** A few seconds: nothing can interrupt the libraries meanwhile. */
const most = { marks: 10_000, steps: 3_000_000_000 };

/**
 * Throws a `UsageError` for Markdown that takes too long: each `*` or `_` is compared with the others of its
 * paragraph.
 */
export function assertQuickMarkdown(body: string): void {
  const marks = body.split(/\n[ \t]*\r?\n/).map((paragraph) => count(paragraph, /[*_]+/g));
  const effort = Math.sqrt(marks.reduce((sum, one) => sum + one ** 2, 0));
  if (effort <= most.marks) return;
  throw new UsageError('The Markdown has too many * and _ without blank lines between them', {
    hint: 'Write it in several paragraphs, or as HTML.',
  });
}

/** The same for CSS to inline: juice takes time by the selectors, and by the square of elements in a row. */
export function assertQuickCss(html: string): void {
  const [, ...styles] = html.split(/<style\b/i);
  const css = styles.map((style) => style.split(/<\/style/i, 1)[0]).join('\n');
  const selectors = count(css, /[{,]/g);
  const elements = count(html, /<[a-z]/gi);
  if (selectors * elements ** 2 <= most.steps) return;
  throw new UsageError(
    `The HTML is too large to inline its CSS: about ${selectors} selectors for ${elements} elements`,
    { hint: 'Shorten it, or remove CSS that is not used.' },
  );
}

function count(text: string, pattern: RegExp): number {
  let found = 0;
  for (const _ of text.matchAll(pattern)) found += 1;
  return found;
}
