import { positionsIn } from '../../../shared/check/positions.ts';
import { mostLevels, tooDeepIn } from '../../../shared/check/read-html.ts';
import { grouped } from '../../../shared/grouped.ts';
import { UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { Kept } from './inline-css.ts';
import { interruptible } from './interruptible.ts';
import { fillLayout, type LayoutValues, plainLayout } from './layout.ts';
import type { ProjectFormat, ProjectInput } from './project.ts';

/** How many `{{` may have no `}}`: each end is searched for in all that follows. */
const mostUnclosed = 1000;

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
  /** The body and its layout, as the command line names them. */
  readonly files: Readonly<Partial<Record<'body' | 'layout', string>>>;
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
export async function createMaker(
  making: Making,
  { system, notes }: Pick<Context, 'system' | 'notes'>,
) {
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
    if (page.slice(page.lastIndexOf('}}') + 1).split('{{').length > mostUnclosed) {
      const place = isBody
        ? placeAt(page, page.indexOf('{{', page.lastIndexOf('}}') + 1))
        : making.flag;
      throw new UsageError(`${place}: more than ${grouped(mostUnclosed)} {{ have no }}`, {
        hint: 'Close each {{, or remove it.',
      });
    }
    const at = tooDeepIn(page);
    if (at === undefined) return;
    const place = isBody ? placeAt(page, at) : making.flag;
    throw new UsageError(
      `${place}: elements are nested too deeply, in more than ${mostLevels} others`,
      { hint: 'Most often, elements have no end tags.' },
    );
  };
  /** Says once what is not inlined, wherever the body is made again. */
  const warn = ({ body, layout = making.layout ?? '' }: Written, kept: readonly Kept[]) => {
    const said = saidTo.get(system) ?? saidTo.set(system, new Set()).get(system);
    if (kept.length === 0 || making.isMarked || said?.has(making.path)) return;
    said?.add(making.path);
    const { files, flag } = making;
    const lines = kept.map(({ property, sheet, at }) => {
      const isBody = body.includes(sheet);
      const ofBody = files.body === '-' ? flag : (files.body ?? flag);
      const text = isBody ? body : layout;
      // What components and MJML make of style sheets stands in no file.
      if (!text.includes(sheet)) return `  ${ofBody}: ${property}`;
      const line = positionsIn(text)(text.indexOf(sheet) + at).line;
      const place = isBody
        ? `${ofBody}, line ${line + making.linesBefore}`
        : `${files.layout ?? '--layout'}, line ${line}`;
      return `  ${place}: ${property}`;
    });
    notes.warn(
      'Some CSS stays in <style>, because the email would look different with it in style attributes:',
      ...new Set(lines),
    );
  };
  const convert = (written: Written): Bodies & { readonly kept: readonly Kept[] } => {
    const { page, ...inlining } = pageOf(written);
    if (css !== undefined) refuseDepth(page, page === written.body);
    const { html, kept } = css?.inlineCss(page, inlining) ?? { html: page, kept: [] };
    const plain = text?.textOfHtml(html);
    return { html, ...(plain ? { text: plain } : {}), kept };
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
        const { kept, ...bodies } = await interruptible(
          () => convert({ ...written, body }),
          system,
        );
        warn(written, kept);
        return bodies;
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

/** The bodies of which each run has been told what is not inlined. */
const saidTo = new WeakMap<System, Set<string>>();

async function startedProject({ flag, path }: Making, format: ProjectFormat, system: System) {
  const { openProject } = await import('./project.ts');
  return await openProject(system, { format, flag, path });
}
