import { UsageError } from '../errors.ts';
import { refuseFileName } from './file-name-values.ts';
import type { InputFiles } from './input-files.ts';
import { readJsonObject } from './json-input.ts';

/** A repeatable flag for `k=v` and a flag for a file with more, each with its values. */
interface KeyValueFlags {
  readonly flag: string;
  readonly words: readonly string[] | undefined;
  readonly fileFlag: string;
  readonly path: string | undefined;
}

/**
 * The values of a JSON file and of `k=v` words; the words win. The first `=` separates, and each
 * key may be given once. Undefined if neither is given.
 */
export async function keyValuesOrFile(
  files: InputFiles,
  { flag, words, fileFlag, path }: KeyValueFlags,
): Promise<Record<string, unknown> | undefined> {
  if (words === undefined && !path) return undefined;
  const given = words ?? [];
  for (const word of given) refuseFileName(files, flag, word, { fileFlag });
  return {
    ...(path ? await readJsonObject(path, files, fileFlag) : {}),
    ...collect(given, flag, '=', 'name=value', (text) => text),
  };
}

/**
 * `Name: value` words as an object (RFC 5322, section 2.2). Names must differ in more than case.
 */
export function parseHeaders(words: readonly string[], flag: string): Record<string, string> {
  return collect(words, flag, ':', '"Name: value"', (text) => text.trim());
}

function collect(
  words: readonly string[],
  flag: string,
  separator: string,
  form: string,
  tidy: (text: string) => string,
): Record<string, string> {
  const pairs = new Map<string, [string, string]>();
  for (const word of words) {
    const at = word.indexOf(separator);
    const name = tidy(word.slice(0, Math.max(at, 0)));
    if (name === '') throw new UsageError(`${flag}: ${JSON.stringify(word)} is not ${form}`);
    const same = separator === ':' ? name.toLowerCase() : name;
    if (pairs.has(same)) throw new UsageError(`${flag}: ${name} was given twice`);
    pairs.set(same, [name, tidy(word.slice(at + 1))]);
  }
  // fromEntries defines `__proto__` as an ordinary property.
  return Object.fromEntries(pairs.values());
}
