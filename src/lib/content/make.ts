import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import { fillLayout, type LayoutValues, plainLayout } from './layout.ts';
import type { ProjectFormat, ProjectInput } from './project.ts';

/** How a body becomes HTML. */
export interface Making {
  readonly format: 'html' | 'markdown' | ProjectFormat;
  /** The flag that gives the body, for errors. */
  readonly flag: string;
  /** The file that it is in, from which the packages of a project are looked for: absolute. */
  readonly path: string;
  /** The user's own; the plain one where undefined. */
  readonly layout: string | undefined;
  readonly inlineCss: boolean;
  readonly makesText: boolean;
}

/** A body as it is written, and what its layout takes besides: HTML. */
export interface Written extends Omit<LayoutValues, 'content'>, Pick<ProjectInput, 'props'> {
  readonly body: string;
  /** Overrides that of `Making`. */
  readonly layout?: string | undefined;
}

/** The parts of an email; without text where none is to be made or none is left of the HTML. */
export interface Bodies {
  readonly html: string;
  readonly text?: string;
}

/** Makes the parts of emails. */
export interface Maker {
  /**
   * Makes them from a body. What is to stay unread in it is hidden: see `createHidden`. A `UsageError` for
   * a body that is nested too deeply, and for what a project cannot read.
   */
  make(written: Written): Promise<Bodies>;
  /** Ends what it has started. */
  end(): void;
}

/** Loads what this way of making needs, and nothing else. */
export async function createMaker(making: Making, system: System): Promise<Maker> {
  const { format, makesText } = making;
  const inlines = making.inlineCss || format === 'markdown';
  const [markdown, project, css, text] = await Promise.all([
    format === 'markdown' ? import('./markdown.ts') : undefined,
    format === 'mjml' || format === 'react' ? startedProject(making, format, system) : undefined,
    inlines ? import('./inline-css.ts') : undefined,
    makesText ? import('./text-of-html.ts') : undefined,
  ]);
  const pageOf = async ({ body, props, layout = making.layout, ...values }: Written) => {
    if (project !== undefined) return await project.htmlOf({ body, props });
    if (markdown === undefined) return body;
    const content = markdown.htmlOfMarkdown(body);
    return fillLayout(layout ?? plainLayout, { ...values, content });
  };
  return {
    async make(written) {
      try {
        const page = await pageOf(written);
        const html = css?.inlineCss(page) ?? page;
        const plain = text?.textOfHtml(html);
        return plain ? { html, text: plain } : { html };
      } catch (error) {
        // The stack of the libraries ends: they call themselves for each level.
        if (!(error instanceof RangeError)) throw error;
        throw new UsageError('The body has too many elements within each other', { cause: error });
      }
    },
    end: () => project?.end(),
  };
}

async function startedProject({ flag, path }: Making, format: ProjectFormat, system: System) {
  const { openProject } = await import('./project.ts');
  return await openProject(system, { format, flag, path });
}
