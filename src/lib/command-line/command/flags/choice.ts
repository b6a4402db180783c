import { Option } from '@commander-js/extra-typings';
import { parseChoice } from '../../../base/input/choice.ts';

/**
 * A flag whose value is one of a closed list, in upper or lower case. TAB offers the words, and the description names
 * them, unless the value's name does (`<on|off>`) or the text ends with "…". `ifEmpty` is what an empty value stands
 * for; without it, that is an error.
 */
export function choice<const Flags extends string, const Word extends string>(
  flags: Flags,
  words: readonly Word[],
  text: string,
  { hint, ...options }: { hint?: string; ifEmpty?: Word | undefined } = {},
) {
  const namesWords = flags.includes('|') || text.endsWith('…');
  const option = new Option(flags, namesWords ? text : `${text}: ${words.join(', ')}`);
  const parse = parseChoice(flags.split(' ', 1).join(), words, hint);
  return option
    .choices(words)
    .argParser<Word | undefined>((value) =>
      value === '' && 'ifEmpty' in options ? options.ifEmpty : parse(value),
    );
}

/** The words of a switch. */
export const onOff = ['on', 'off'] as const;
