import { positionsIn } from '../../shared/check/positions.ts';
import { mostLevels, tooDeepIn } from '../../shared/check/read-html.ts';
import { UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
import { interruptible } from './interruptible.ts';
import { fillLayout, type LayoutValues, plainLayout } from './layout.ts';
import type { ProjectFormat, ProjectInput } from './project.ts';

/** How a body becomes HTML. */
export interface Making {
  readonly format: 'html' | 'markdown' | ProjectFormat;
  /** The flag that gives the body, for errors. */
  readonly flag: string;
  /** The file of the body, as an absolute path. The packages of a project are resolved from there. */
  readonly path: string;
  /** The user's layout; undefined for the plain one. */
  readonly layout: string | undefined;
  readonly inlineCss: boolean;
  readonly makesText: boolean;
  /** How many lines of its file precede the body. */
  readonly linesBefore: number;
  /** Whether the source has marks: see `withMarks`. */
  readonly isMarked?: true | undefined;
}

/** A body as written, and HTML for the other places of its layout. */
export interface Written extends Omit<LayoutValues, 'content'>, Pick<ProjectInput, 'props'> {
  readonly body: string;
  /** Overrides that of `Making`. */
  readonly layout?: string | undefined;
}

/** The parts of an email. There is no text if none is wanted or the HTML has none. */
export interface Bodies {
  readonly html: string;
  readonly text?: string;
}

export type Maker = Awaited<ReturnType<typeof createMaker>>;

/** Creates the parts of emails. Loads only what this format needs. */
export async function createMaker(making: Making, system: System) {
  const { format, makesText } = making;
  const inlines = making.inlineCss || format === 'markdown';
  const [markdown, project, css, text] = await Promise.all([
    format === 'markdown' ? import('./markdown.ts') : undefined,
    format === 'mjml' || format === 'react' ? startedProject(making, format, system) : undefined,
    inlines ? import('./inline-css.ts') : undefined,
    makesText ? import('./text-of-html.ts') : undefined,
  ]);
  const pageOf = ({ body, layout = making.layout, ...values }: Written) => {
    if (markdown === undefined) return { page: body };
    const content = making.isMarked ? markdown.markedHtmlOf(body) : markdown.htmlOfMarkdown(body);
    // The plain layout has rules for whatever a text may have.
    const dropsUnused = making.layout === undefined && !/<style\b/i.test(content);
    return { page: fillLayout(layout ?? plainLayout, { ...values, content }), dropsUnused };
  };
  const placeAt = (body: string, at: number) =>
    `${making.flag}, line ${positionsIn(body)(at).line + making.linesBefore}`;
  /** What is not converted is for the gate to judge. */
  const refuseDepth = (page: string, isBody: boolean) => {
    const at = tooDeepIn(page);
    if (at === undefined) return;
    const place = isBody ? placeAt(page, at) : making.flag;
    throw new UsageError(
      `${place}: elements are nested too deeply, in more than ${mostLevels} others`,
      { hint: 'Most often, elements have no end tags.' },
    );
  };
  const convert = (written: Written): Bodies => {
    const { page, ...inlining } = pageOf(written);
    if (css !== undefined) refuseDepth(page, page === written.body);
    const html = css?.inlineCss(page, inlining) ?? page;
    const plain = text?.textOfHtml(html);
    return plain ? { html, text: plain } : { html };
  };
  return {
    /**
     * Creates the parts from a body. Text that must not be interpreted is hidden: see `createHidden`. Throws a
     * `UsageError` for a body that is nested too deeply or takes too long, and for what a project cannot read.
     */
    async make(written: Written): Promise<Bodies> {
      try {
        const { props } = written;
        const body = (await project?.htmlOf({ body: written.body, props })) ?? written.body;
        return await interruptible(() => convert({ ...written, body }), system);
      } catch (error) {
        if (markdown !== undefined && error instanceof markdown.MarkdownLimit) {
          const at = Math.max(0, written.body.indexOf(error.near));
          throw new UsageError(`${placeAt(written.body, at)}: ${error.what}`, { cause: error });
        }
        // The libraries call themselves for each level, so the stack overflows.
        if (!(error instanceof RangeError)) throw error;
        throw new UsageError('The elements of the body are nested too deeply', { cause: error });
      }
    },
    /** Ends the processes it has started. */
    end: (): void => project?.end(),
  };
}

async function startedProject({ flag, path }: Making, format: ProjectFormat, system: System) {
  const { openProject } = await import('./project.ts');
  return await openProject(system, { format, flag, path });
}
