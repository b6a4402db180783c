import { Option } from '@commander-js/extra-typings';

const repeatable = new WeakSet<object>();

/** A flag that may be given several times. Collects its values in order. TAB offers `words`, if any are known. */
export function repeatableOption<const Flags extends string>(
  flags: Flags,
  description: string,
  words?: readonly string[],
) {
  const option = new Option(flags, description).argParser<string[]>((value, previous) => [
    ...(previous ?? []),
    value,
  ]);
  repeatable.add(option);
  if (words !== undefined) option.argChoices = [...words];
  return option;
}

/** A value of one of several flags whose order matters. */
export interface OrderedFlag {
  /** The short name of the flag, `-f`. */
  readonly flag: string;
  readonly value: string;
}

/** Makes repeatable flags with a common array of values, in the order of the command line. */
export function orderedOptions() {
  const given: OrderedFlag[] = [];
  return <const Flags extends string>(flags: Flags, description: string) => {
    const option = new Option(flags, description);
    repeatable.add(option);
    return option.argParser<readonly OrderedFlag[]>((value) => {
      given.push({ flag: option.short ?? flags, value });
      return given;
    });
  };
}

/** Whether an option may be given several times. */
export function isRepeatable(option: object): boolean {
  return repeatable.has(option);
}
