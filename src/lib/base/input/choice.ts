import { UsageError } from '../errors.ts';
import { nearest } from '../text/nearest.ts';

/**
 * Reads a value of a closed list, in upper or lower case. The function throws a `UsageError` that names
 * the list and the nearest word.
 */
export function parseChoice<const Word extends string>(
  flag: string,
  words: readonly Word[],
  hint?: string,
): (value: string) => Word {
  return (value) => {
    const word = words.find((one) => one.toLowerCase() === value.toLowerCase());
    if (word !== undefined) return word;
    // Among words of one or two letters, every one is near.
    const meant = value.length > 2 ? nearest(value, words) : undefined;
    const hints = [meant === undefined ? [] : `Did you mean ${meant}?`, hint ?? []].flat();
    throw new UsageError(
      `${flag}: ${JSON.stringify(value)} is not one of ${words.join(', ')}`,
      hints.length === 0 ? {} : { hint: hints.join(' ') },
    );
  };
}
