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
 * without it, also of a file that is not there: here it would be sent as text.
 */
export function refuseFileName(
  files: InputFiles,
  flag: string,
  value: string,
  { fileFlag, literal = false, plain = false }: FileFlags,
): void {
  if (literal || files.areTextsLiteral) return;
  const hasAt = value.startsWith('@') && files.has(value.slice(1));
  const path = hasAt ? value.slice(1) : value;
  const isName = plain && textEndings.test(path);
  const isPath = plain && (isName || path.includes('/')) && files.isRegular(path);
  const isMissing = isName && !/\s/.test(path) && !files.has(path);
  if (!hasAt && !isPath && !isMissing) return;
  const named = isMissing ? 'looks like the name of a file that does not exist' : 'names one';
  throw new UsageError(`${flag} does not read files, and ${JSON.stringify(value)} ${named}`, {
    hint: `To read the file: ${fileFlag} ${path.replace(/^@/, '')}${plain ? `\nTo use the text as it is written, add --literal.` : ''}`,
  });
}
