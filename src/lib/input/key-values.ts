import { UsageError } from '../errors.ts';

/** `k=v` words as an object; the first `=` separates, and a key may be given once. */
export function parseKeyValues(words: readonly string[], flag: string): Record<string, string> {
  return collect(words, flag, '=', 'name=value', (text) => text);
}

/** `Name: value` words as an object (RFC 5322, section 2.2); names are unique without case. */
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
  // fromEntries defines `__proto__` as a plain property.
  return Object.fromEntries(pairs.values());
}
