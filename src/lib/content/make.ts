import { setImmediate } from 'node:timers/promises';
import { createContext, type RunningScriptOptions, Script } from 'node:vm';
import { InterruptedError, UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';
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
  const convert = (written: Written): Bodies => {
    const { page, ...inlining } = pageOf(written);
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

/** Milliseconds for which Ctrl-C may wait. Nearly every email takes less. */
const quick = 500;

const script = new Script('work()');
const room = createContext({});

/**
 * Does synchronous work of libraries that may take minutes. Ctrl-C ends it, and it is a `UsageError` after
 * `conversionTime`. Slow work is done twice, so it must have no effects.
 */
async function interruptible<Result>(
  work: () => Result,
  { signal, conversionTime }: Pick<System, 'signal' | 'conversionTime'>,
): Promise<Result> {
  try {
    return run(work, { timeout: quick });
  } catch (error) {
    if (!hasEnded(error, 'TIMEOUT')) throw error;
  }
  // A signal until now reaches its listeners, which `breakOnSigint` removes for a while. A batch would do that
  // for each row, and lose some signals in between, so it is not done for quick work.
  await setImmediate();
  signal.throwIfAborted();
  try {
    return run(work, { timeout: conversionTime, breakOnSigint: true });
  } catch (error) {
    if (hasEnded(error, 'INTERRUPTED')) throw new InterruptedError('Interrupted.');
    if (!hasEnded(error, 'TIMEOUT')) throw error;
    throw new UsageError(`The body takes more than ${conversionTime / 1000} seconds to convert`, {
      hint: 'Shorten it, or use fewer and simpler CSS selectors.',
    });
  }
}

/** Only code that a script calls can be ended. */
function run<Result>(work: () => Result, options: RunningScriptOptions): Result {
  room.work = work;
  return script.runInContext(room, options);
}

/** Whether Node ended the work. Such errors are no instances of this context's `Error`. */
function hasEnded(error: unknown, why: 'TIMEOUT' | 'INTERRUPTED'): boolean {
  const { code } = Object(error);
  return code === `ERR_SCRIPT_EXECUTION_${why}`;
}
