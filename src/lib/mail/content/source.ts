import { basename, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { textOrFile } from '../../base/input/text-or-file.ts';
import type { Context } from '../../command-line/command/context.ts';
import { flagOfFile } from './body-files.ts';
import { readFrontMatter } from './front-matter.ts';
import { hasContent } from './layout.ts';
import type { Making } from './make.ts';

/** The flags for a body in HTML, or in a format that is converted to HTML. */
export interface BodyFlags {
  readonly html?: string | undefined;
  readonly htmlFile?: string | undefined;
  readonly markdownFile?: string | undefined;
  readonly mjmlFile?: string | undefined;
  readonly reactEmail?: string | undefined;
  readonly layout?: string | undefined;
  readonly inlineCss?: true | undefined;
  readonly literal?: true | undefined;
}

const frontFields = ['to', 'from', 'subject', 'previewText', 'lang'] as const;

/** The front matter of a text in Markdown. */
export type FrontMatter = Partial<Record<(typeof frontFields)[number], string>>;

/** A body as written. */
export interface BodySource extends Omit<Making, 'makesText'> {
  readonly body: string;
  /** Flags and `--file` override these; these override settings. */
  readonly front: FrontMatter;
  /** The lines of its file that precede the body. */
  readonly head: string;
  /** What errors call the file with these fields. */
  readonly name: string;
}

/**
 * Reads the body that flags give. Throws a `UsageError` for more than one body, and for what cannot be read.
 */
export async function readSource(
  { files, system }: Pick<Context, 'files' | 'system'>,
  flags: BodyFlags,
  kind: 'email' | 'campaign' = 'email',
): Promise<BodySource | undefined> {
  const { html, htmlFile, markdownFile, mjmlFile, reactEmail, layout: layoutFile } = flags;
  refuseSeveral({
    ...{ '--html': html, '--html-file': htmlFile, '--markdown-file': markdownFile },
    ...{ '--mjml-file': mjmlFile, '--react-email': reactEmail },
  });
  if (layoutFile && !markdownFile) throw new UsageError('--layout needs --markdown-file');
  const inlineCss = flags.inlineCss === true;
  const flagOf = (file: string) => flagOfFile(file, kind);
  const given = markdownFile || mjmlFile || reactEmail || htmlFile || '-';
  const path = resolve(system.cwd, given === '-' ? 'stdin' : given);
  const name = given === '-' ? 'stdin' : basename(given);
  const plain = {
    ...{ path, name, front: {}, linesBefore: 0, head: '', layout: undefined, inlineCss },
    files: filesOf(flags),
  };
  if (markdownFile) {
    const text = await textOrFile(files, '--markdown', undefined, markdownFile, { flagOf });
    const { fields = {}, rest } = await readFrontMatter(name, text ?? '', frontFields);
    const broken = frontFields.find((field) => /[\r\n]/.test(fields[field] ?? ''));
    if (broken !== undefined) {
      throw new UsageError(`${name}: ${broken} must not contain a line break`);
    }
    if (rest.trim() === '') throw new UsageError(`--markdown-file: ${name} has no text`);
    return {
      ...plain,
      format: 'markdown',
      flag: '--markdown-file',
      body: rest,
      ...headOf(text ?? '', rest),
      front: fields,
      layout: layoutFile ? await readLayout(files, layoutFile) : undefined,
    };
  }
  if (mjmlFile) {
    const body = await files.readText(mjmlFile, '--mjml-file');
    return { ...plain, format: 'mjml', flag: '--mjml-file', body };
  }
  if (reactEmail) {
    if (reactEmail === '-') {
      throw new UsageError('--react-email needs a file', {
        hint: 'mailer looks for its packages in the folder of that file, and above.',
      });
    }
    const body = await files.readText(reactEmail, '--react-email');
    return { ...plain, format: 'react', flag: '--react-email', body };
  }
  const body = await textOrFile(files, '--html', html, htmlFile, {
    literal: flags.literal,
    flagOf,
  });
  if (body === undefined) {
    if (inlineCss) throw new UsageError('--inline-css needs --html or --html-file');
    return undefined;
  }
  const flag = htmlFile ? '--html-file' : '--html';
  return { ...plain, format: 'html', flag, body, name: flag };
}

/** What precedes the rest of a file. */
export function headOf(text: string, rest: string): Pick<BodySource, 'head' | 'linesBefore'> {
  const head = text.slice(0, text.length - rest.length);
  return { head, linesBefore: head.split('\n').length - 1 };
}

/** The files of a body and of its layout, as the command line names them. */
function filesOf({ htmlFile, markdownFile, mjmlFile, reactEmail, layout }: BodyFlags) {
  const body = markdownFile || mjmlFile || reactEmail || htmlFile;
  return { ...(body ? { body } : {}), ...(layout ? { layout } : {}) };
}

/** A value or a condition at the beginning of a URL. */
const urlOfValue =
  /\b(?:src|srcset|background|poster|background-url|href)\s*=\s*["']?\s*(?:https?:\/\/)?\{[{%]|url\(\s*["']?\s*\{[{%]|\]\(\s*<?(?:https?:\/\/)?\{[{%]/i;

/** Whether values decide where images and links lead: those of a component, or those that begin a URL. */
export function hasUrlsOfValues({ format, body, layout = '' }: BodySource): boolean {
  return format === 'react' || urlOfValue.test(body) || urlOfValue.test(layout);
}

async function readLayout(files: Context['files'], path: string): Promise<string> {
  const layout = await files.readText(path, '--layout');
  if (hasContent(layout)) return layout;
  throw new UsageError(`--layout: ${path} has no {{ content }}`, {
    hint: 'Write {{ content }} where the text of the email belongs.',
  });
}

function refuseSeveral(given: Readonly<Record<string, string | undefined>>): void {
  const names = Object.keys(given).filter((flag) => given[flag]);
  if (names.length < 2) return;
  throw new UsageError(`${names.join(' and ')} cannot be used together`);
}
