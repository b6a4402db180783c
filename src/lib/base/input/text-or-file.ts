import { UsageError } from '../errors.ts';
import { refuseFileName } from './file-name-values.ts';
import type { InputFiles } from './input-files.ts';

interface TextOptions {
  /** Whether the text is meant as it is written. */
  readonly literal?: boolean | undefined;
  /** The flag that reads a file of this name. Without it, only `@` before a name is a mistake. */
  readonly flagOf?: (path: string) => string | undefined;
}

/** The text of `--x`, or of the file in `--x-file`; empty counts as absent. */
export async function textOrFile(
  files: InputFiles,
  flag: `--${string}`,
  text: string | undefined,
  path: string | undefined,
  { literal, flagOf }: TextOptions = {},
): Promise<string | undefined> {
  if (text && path) throw new UsageError(`${flag} and ${flag}-file cannot be used together`);
  if (text) {
    const fileFlag = flagOf?.(text) ?? `${flag}-file`;
    refuseFileName(files, flag, text, { fileFlag, literal, plain: flagOf !== undefined });
  }
  if (!path) return text || undefined;
  const read = await files.readText(path, `${flag}-file`);
  // A program that failed may have written a line break.
  if (read.trim() === '') {
    const what = read === '' ? 'is empty' : 'has only white space';
    throw new UsageError(`${flag}-file: ${path === '-' ? 'stdin' : path} ${what}`);
  }
  const other = flagOf?.(path) ?? `${flag}-file`;
  if (other !== `${flag}-file` && !isEither(flag, other, read)) {
    throw new UsageError(`${flag}-file: ${path} is a file for ${other}`, {
      hint: `To read it: ${other} ${path}\nTo take it as it is, give it on stdin, with ${flag}-file -`,
    });
  }
  return read;
}

/** Whether a file that another flag reads may be meant for this one: a text in Markdown, or in a .txt file with tags. */
function isEither(flag: string, other: string, text: string): boolean {
  if (other === '--markdown-file') return flag === '--text';
  const isText = other === '--text-file';
  const isHtml = other === '--html-file';
  return flag === '--markdown' ? isText || isHtml : isText && /<[a-z!/]/i.test(text);
}
