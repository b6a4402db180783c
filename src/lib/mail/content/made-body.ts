import { UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { asHtml } from './as-html.ts';
import type { Times } from './dates.ts';
import { withMarkedPlaces } from './layout.ts';
import { type Bodies, createMaker, type Maker } from './make.ts';
import { createHidden } from './placeholders.ts';
import type { BodySource } from './source.ts';
import { compile, inHtml, type RowValues, readDatesOf, type TemplateSource } from './template.ts';
import { refuseTextProps } from './text-props.ts';

/** Bodies that are cached, at most: most templates make the same body for all rows, but for its values. */
const mostKept = 32;

export type BodyMaker = Awaited<ReturnType<typeof createBodyMaker>>;

/** How the bodies of all rows are made. */
interface BodyOptions {
  readonly source: BodySource;
  readonly makesText: boolean;
  /** What a component gets where a row has no value of its own. */
  readonly variables: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Prepares a body whose source is a template that is rendered for each row before it becomes HTML. Values are
 * hidden behind stand-ins until the end, so that none is read as Markdown or HTML, and what is the same for
 * all rows is made once.
 */
export async function createBodyMaker(
  { source, makesText, variables }: BodyOptions,
  context: Times & Pick<Context, 'notes'>,
) {
  const { flag, front, format } = source;
  // A component has the values themselves, and escapes them.
  const isComponent = format === 'react';
  let hidden = createHidden();
  const hide = (value: string, isHtml?: boolean) => hidden.hide(value, isHtml);
  // A filter would change a stand-in, and an output would hide it again.
  const captured = (text: string) => hidden.show(text, inHtml);
  const body = { flag, source: isComponent ? '' : source.body };
  const readDates = await readDatesOf(context, templatesIn(source));
  const renderBody = compile(hide, body, { captured, readDates });
  const layout = source.layout && withMarkedPlaces(source.layout);
  const renderLayout = layout
    ? compile(hide, { flag: '--layout', source: layout }, { captured, readDates })
    : undefined;
  const preview = { flag: `${source.name}: previewText`, source: front.previewText ?? '' };
  const renderPreview = compile(undefined, preview, { readDates });
  const { make, end } = keeping(await createMaker({ ...source, makesText }, context));
  return {
    /** HTML and text for a row with this subject. */
    async make({ scope, columns }: RowValues, subject: string): Promise<Bodies> {
      const ofRow = createHidden();
      hidden = ofRow;
      const values = scope();
      const made = await make({
        body: renderBody(values, columns),
        ...(isComponent ? { props: { ...variables, ...values } } : {}),
        layout: renderLayout?.(values, columns),
        subject: hide(subject),
        preview: hide(renderPreview(values, columns)),
        lang: asHtml(front.lang ?? 'en'),
      });
      if (isComponent) return made;
      if (format === 'mjml' && /\{\{|\{%/.test(made.html)) {
        throw new UsageError(`${flag}: a file that mj-include includes is not a template`, {
          hint: 'It has {{ or {%. Write these into the file of --mjml-file instead.',
        });
      }
      const html = ofRow.show(made.html, inHtml);
      if (made.text === undefined) return { html };
      // Loaded to make that text.
      const { textOfHtml } = await import('./text-of-html.ts');
      const inText = (text: string, isHtml: boolean) =>
        isHtml ? text.replace(/\S(?:.*\S)?/s, (shown) => textOfHtml(shown)) : text;
      return { html, text: ofRow.show(made.text, inText) };
    },
    /** Throws a `UsageError` for cells, which are texts, that a component takes for something else. */
    refuseCells: (cells: Readonly<Record<string, unknown>>) =>
      refuseTextProps(source, cells, 'Give the rows as JSON, with this in "variables"'),
    /** Ends what it started. */
    end,
  };
}

/** Caches bodies by what they were made from. */
function keeping({ make, end }: Maker): Maker {
  const kept = new Map<string, Bodies>();
  return {
    async make(written) {
      // The HTML of a component has the values in it, so no two rows are alike.
      if (written.props !== undefined) return await make(written);
      const { body, layout, subject, preview } = written;
      const key = JSON.stringify([body, layout, subject, preview]);
      const known = kept.get(key);
      if (known !== undefined) return known;
      const made = await make(written);
      if (kept.size === mostKept) kept.clear();
      kept.set(key, made);
      return made;
    },
    end,
  };
}

/** The templates of a body, and of what is around it. */
export function templatesIn({ flag, body, layout, name, front }: BodySource): TemplateSource[] {
  return [
    { flag, source: body },
    { flag: '--layout', source: withMarkedPlaces(layout ?? '') },
    { flag: `${name}: previewText`, source: front.previewText ?? '' },
  ];
}

/**
 * Tells runs apart whose bodies are made differently; raise the number when this code makes them differently.
 */
export function shapeOfMaking({ format, layout, inlineCss, front }: BodySource) {
  return { version: 4, format, layout, inlineCss, front };
}
