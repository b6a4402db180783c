import { asHtml } from '../../content/as-html.ts';
import { withMarkedPlaces } from '../../content/layout.ts';
import { type Bodies, createMaker } from '../../content/make.ts';
import { createHidden } from '../../content/placeholders.ts';
import type { BodySource } from '../../content/source.ts';
import type { ReadableRow } from '../input/row.ts';
import { compile } from './template.ts';

/** Rows that are made alike: most templates make one thing of all rows, with other values in it. */
const mostKept = 32;

/** Makes HTML and text for a row with this subject. */
export type MakeBody = (row: Pick<ReadableRow, 'scope' | 'columns'>, subject: string) => Bodies;

/**
 * Compiles a body whose source, a template, is rendered for each row before it becomes HTML. Values are hidden
 * until the end, so that none is taken for Markdown or HTML, and what is the same for all rows is made once.
 */
export async function compileBody(source: BodySource, makesText: boolean): Promise<MakeBody> {
  const { flag, front } = source;
  const make = keeping(await createMaker({ ...source, makesText }));
  let hidden = createHidden();
  const hide = (value: string) => hidden.hide(value);
  // A filter would change a stand-in, and an output hide it once more.
  const captured = (text: string) => hidden.show(text, asHtml);
  const renderBody = compile(hide, { flag, source: source.body }, captured);
  const layout = source.layout && withMarkedPlaces(source.layout);
  const renderLayout = layout
    ? compile(hide, { flag: '--layout', source: layout }, captured)
    : undefined;
  const preview = { flag: `${source.name}: previewText`, source: front.previewText ?? '' };
  const renderPreview = compile(undefined, preview);
  return ({ scope, columns }, subject) => {
    hidden = createHidden();
    const values = scope();
    const made = make({
      body: renderBody(values, columns),
      layout: renderLayout?.(values, columns),
      subject: hide(subject),
      preview: hide(renderPreview(values, columns)),
      lang: asHtml(front.lang ?? 'en'),
    });
    const html = hidden.show(made.html, asHtml);
    return made.text === undefined ? { html } : { html, text: hidden.show(made.text) };
  };
}

/** Keeps what was last made, by what it was made of. */
function keeping(make: Awaited<ReturnType<typeof createMaker>>): typeof make {
  const kept = new Map<string, Bodies>();
  return (written) => {
    const key = JSON.stringify([written.body, written.layout, written.subject, written.preview]);
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(written);
    if (kept.size === mostKept) kept.clear();
    kept.set(key, made);
    return made;
  };
}

/** What tells a run whose bodies are made from one with others; a new number when they are made otherwise. */
export function shapeOfMaking({ format, layout, inlineCss, front }: BodySource) {
  return { version: 1, format, layout, inlineCss, front };
}
