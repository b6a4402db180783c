import { UsageError } from '../errors.ts';
import { fillLayout, type LayoutValues, plainLayout } from './layout.ts';

/** How a body becomes HTML. */
export interface Making {
  readonly format: 'html' | 'markdown';
  /** The user's own; the plain one where undefined. */
  readonly layout: string | undefined;
  readonly inlineCss: boolean;
  readonly makesText: boolean;
}

/** A body as it is written, in Markdown or HTML, and what its layout takes besides: HTML. */
export interface Written extends Omit<LayoutValues, 'content'> {
  readonly body: string;
  /** Overrides that of `Making`. */
  readonly layout?: string | undefined;
}

/** The parts of an email; without text where none is to be made or none is left of the HTML. */
export interface Bodies {
  readonly html: string;
  readonly text?: string;
}

/**
 * Makes the parts of an email from a body. What is to stay unread in it is hidden: see `createHidden`. A
 * `UsageError` for a body that is nested too deeply.
 */
export type Maker = (written: Written) => Bodies;

/** Loads what this way of making needs, and nothing else. */
export async function createMaker(making: Making): Promise<Maker> {
  const { format, makesText } = making;
  const inlines = making.inlineCss || format === 'markdown';
  const [markdown, css, text] = await Promise.all([
    format === 'markdown' ? import('./markdown.ts') : undefined,
    inlines ? import('./inline-css.ts') : undefined,
    makesText ? import('./text-of-html.ts') : undefined,
  ]);
  const bodiesOf: Maker = ({ body, layout = making.layout ?? plainLayout, ...values }) => {
    const content = markdown?.htmlOfMarkdown(body);
    const page = content === undefined ? body : fillLayout(layout, { ...values, content });
    const html = css?.inlineCss(page) ?? page;
    const plain = text?.textOfHtml(html);
    return plain ? { html, text: plain } : { html };
  };
  return (written) => {
    try {
      return bodiesOf(written);
    } catch (error) {
      // The stack of the libraries ends: they call themselves for each level.
      if (!(error instanceof RangeError)) throw error;
      throw new UsageError('The body has too many elements within each other', { cause: error });
    }
  };
}
