import { UsageError } from '../errors.ts';
import type { InputFiles } from './input-files.ts';

/**
 * Throws a `UsageError` for a value of `flag` that is `@` and the path of a file, as other programs take
 * one: here it would be sent as it stands. `fileFlag` is the flag that reads files.
 */
export function refuseFileName(
  files: InputFiles,
  flag: string,
  value: string,
  fileFlag: string,
): void {
  if (!value.startsWith('@') || !files.has(value.slice(1))) return;
  throw new UsageError(`${flag} does not read files, and ${JSON.stringify(value)} names one`, {
    hint: `To read the file: ${fileFlag} ${value.slice(1)}`,
  });
}
