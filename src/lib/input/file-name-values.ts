import { UsageError } from '../errors.ts';
import type { InputFiles } from './input-files.ts';

const textEndings =
  /\.(?:html?|xhtml|txt|text|md|markdown|mjml|tsx|jsx|eml|json|jsonl|csv|ya?ml|liquid|hbs|njk)$/i;

interface FileFlags {
  /** The flag that reads files. */
  readonly fileFlag: string;
  /** Whether the value is meant as it is written. */
  readonly literal?: boolean | undefined;
  /** Whether a name without `@` is one, too. */
  readonly plain?: boolean | undefined;
}

/**
 * Throws a `UsageError` if a value of `flag` is `@` and the path of a file, the syntax of other programs, or a path
 * without it: here it would be sent as text.
 */
export function refuseFileName(
  files: InputFiles,
  flag: string,
  value: string,
  { fileFlag, literal = false, plain = false }: FileFlags,
): void {
  if (literal) return;
  const hasAt = value.startsWith('@') && files.has(value.slice(1));
  const path = hasAt ? value.slice(1) : value;
  const isPath = plain && (path.includes('/') || textEndings.test(path)) && files.isRegular(path);
  if (!hasAt && !isPath) return;
  throw new UsageError(`${flag} does not read files, and ${JSON.stringify(value)} names one`, {
    hint: `To read the file: ${fileFlag} ${path}${plain ? `\nTo use the text as it is written, add --literal.` : ''}`,
  });
}
