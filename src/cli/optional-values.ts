import type { Command } from '@commander-js/extra-typings';

/**
 * Makes the value of a flag that has one or not, as `--wait[=STATUS]`, follow an equals sign.
 * Without one commander would take the next word, as in `email get --wait ID`.
 */
export function bindOptionalValues(command: Command): void {
  const parseOptions = command.parseOptions.bind(command);
  command.parseOptions = (words) => {
    const end = words.indexOf('--');
    const flags = end === -1 ? words.length : end;
    return parseOptions(
      words.map((word, index) =>
        index < flags && isFlag(command, word, 'optional') && !isValue(command, words[index - 1])
          ? `${word}=`
          : word,
      ),
    );
  };
}

/** Whether a word is the value of the flag before it. */
function isValue(command: Command, previous = ''): boolean {
  return isFlag(command, previous, 'required');
}

function isFlag(command: Command, word: string, value: 'optional' | 'required'): boolean {
  return command.options.some(
    (option) => (option.long === word || option.short === word) && option[value],
  );
}
