import { UsageError, withHint } from '../../base/errors.ts';
import { readJsonObject } from '../../base/input/json-input.ts';
import type { Context } from '../../command-line/command/context.ts';

const ofBoth = {
  ...{ html: '--html-file', htm: '--html-file', xhtml: '--html-file' },
  ...{ md: '--markdown-file', markdown: '--markdown-file', mjml: '--mjml-file' },
  ...{ tsx: '--react-email', jsx: '--react-email' },
} as const;

const flagsOf = {
  email: { ...ofBoth, txt: '--text-file', text: '--text-file', eml: '--eml' },
  campaign: ofBoth,
} as const;

/** The flag that reads a file of this name as the body of an email or a campaign. */
export function flagOfFile(path: string, kind: keyof typeof flagsOf): string | undefined {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  const flags: Readonly<Record<string, string>> = flagsOf[kind];
  return Object.hasOwn(flags, ending) ? flags[ending] : undefined;
}

/** The request in `--file`. The error about a file that is not JSON names the flag that reads it. */
export async function readRequestObject(
  { files }: Pick<Context, 'files'>,
  path: string,
  kind: keyof typeof flagsOf,
): Promise<Record<string, unknown>> {
  try {
    return await readJsonObject(path, files, '--file');
  } catch (error) {
    const flag = flagOfFile(path, kind);
    if (!(error instanceof UsageError) || flag === undefined || !files.has(path)) throw error;
    throw withHint(error, `--file takes a request as JSON. To read this file: ${flag} ${path}`);
  }
}
