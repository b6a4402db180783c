import { UsageError } from '../errors.ts';
import { refuseFileName } from './file-name-values.ts';
import type { InputFiles } from './input-files.ts';

/** The text of `--x`, or of the file in `--x-file`; empty counts as absent. */
export async function textOrFile(
  files: InputFiles,
  flag: `--${string}`,
  text: string | undefined,
  path: string | undefined,
): Promise<string | undefined> {
  if (text && path) throw new UsageError(`${flag} and ${flag}-file cannot be used together`);
  if (text) refuseFileName(files, flag, text, `${flag}-file`);
  if (!path) return text || undefined;
  const read = await files.readText(path, `${flag}-file`);
  if (read === '') {
    throw new UsageError(`${flag}-file: ${path === '-' ? 'stdin' : path} is empty`);
  }
  return read;
}
