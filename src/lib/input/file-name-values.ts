import { UsageError } from '../errors.ts';
import type { InputFiles } from './input-files.ts';

/**
 * Throws a `UsageError` if a value of `flag` is `@` and the path of a file, the syntax of other
 * programs: here it would be sent as text. `fileFlag` is the flag that reads files.
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
