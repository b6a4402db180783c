import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { whyUnreadable } from '../../base/input/input-files.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import type { Context } from '../../command-line/command/context.ts';
import { readTemplateText, type TemplateText } from './template-front-matter.ts';

/** A template in a directory. */
export interface TemplateFile extends TemplateText {
  /** The file's name in the directory. */
  readonly file: string;
  /** The line of the file in which its HTML begins. */
  readonly htmlLine: number;
}

/** The most problems shown; the others are counted. */
const mostShown = 10;

/** The templates of a directory. Throws a `UsageError` that lists the problems of its HTML files. */
export async function readTemplates(
  context: Context,
  directory: string,
): Promise<readonly TemplateFile[]> {
  const { templates, problems, hint } = await lookInto(context, directory);
  if (problems.length > 0) {
    const shown = withOverflowCount(problems.slice(0, mostShown), problems.length);
    throw new UsageError([`${directory}: nothing was sent`, ...shown].join('\n'), { hint });
  }
  return templates;
}

/** The templates and problems of a directory. Throws a `UsageError` if it cannot be read. */
export async function lookInto(
  { system, files }: Pick<Context, 'system' | 'files'>,
  directory: string,
) {
  const names = namesIn(resolve(system.cwd, directory), directory);
  /** Sorted by the names of their files. */
  const templates: TemplateFile[] = [];
  /** Problems with the other HTML files, and templates with the same name. */
  const problems: string[] = [];
  let hint: string | undefined;
  const fileOf = new Map<string, string>();
  for (const file of names.filter((name) => /^[^.].*\.html$/i.test(name))) {
    try {
      const text = await files.readText(join(directory, file), 'template');
      const read = await readTemplateText(file, text);
      const htmlLine = text.slice(0, text.length - read.html.length).split('\n').length;
      const template = { file, htmlLine, ...read };
      const twin = fileOf.get(template.name);
      if (twin !== undefined) {
        throw new UsageError(
          `${file}: ${twin} has the same name, ${JSON.stringify(template.name)}`,
        );
      }
      fileOf.set(template.name, file);
      templates.push(template);
    } catch (error) {
      if (!(error instanceof UsageError)) throw error;
      problems.push(error.message);
      hint ??= error.details.hint;
    }
  }
  return { templates, problems, hint, names };
}

function namesIn(path: string, directory: string): readonly string[] {
  try {
    return readdirSync(path).sort();
  } catch (error) {
    throw new UsageError(`${directory} ${whyUnreadable(error)}`, { cause: error });
  }
}
