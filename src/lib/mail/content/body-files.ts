import { UsageError, withHint } from '../../base/errors.ts';
import { readJsonObject } from '../../base/input/json-input.ts';
import type { Context } from '../../command-line/command/context.ts';

/** The types of files with an email or a part of one. */
export const fileTypes = ['html', 'text', 'markdown', 'mjml', 'react', 'eml', 'json'] as const;

export type FileType = (typeof fileTypes)[number];

/** The flag that reads a file of each type, its name in the options, and the names of such files. */
export const flagOfType = {
  html: ['htmlFile', '--html-file', /\.(?:html|htm|xhtml)$/i],
  text: ['textFile', '--text-file', /\.(?:txt|text)$/i],
  markdown: ['markdownFile', '--markdown-file', /\.(?:md|markdown)$/i],
  mjml: ['mjmlFile', '--mjml-file', /\.mjml$/i],
  react: ['reactEmail', '--react-email', /\.[tj]sx$/i],
  eml: ['eml', '--eml', /\.eml$/i],
  json: ['file', '--file', /\.json$/i],
} as const satisfies Record<FileType, readonly [string, string, RegExp]>;

/** The type of a file by its name. */
export function typeOfName(path: string): FileType | undefined {
  return fileTypes.find((type) => flagOfType[type][2].test(path));
}

/** The flag that reads a file of this name as the body of an email or a campaign. */
export function flagOfFile(path: string, kind: 'email' | 'campaign'): string | undefined {
  const type = typeOfName(path);
  const isOfEmail = type === 'text' || type === 'eml';
  if (type === undefined || type === 'json' || (isOfEmail && kind !== 'email')) return undefined;
  return flagOfType[type][1];
}

/** The request in `--file`. The error about a file that is not JSON names the flag that reads it. */
export async function readRequestObject(
  { files }: Pick<Context, 'files'>,
  path: string,
  kind: 'email' | 'campaign',
): Promise<Record<string, unknown>> {
  try {
    return await readJsonObject(path, files, '--file');
  } catch (error) {
    const flag = flagOfFile(path, kind);
    if (!(error instanceof UsageError) || flag === undefined || !files.has(path)) throw error;
    throw withHint(error, `--file takes a request as JSON. To read this file: ${flag} ${path}`);
  }
}
