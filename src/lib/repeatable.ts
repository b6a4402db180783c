import { Option } from '@commander-js/extra-typings';

const repeatable = new WeakSet<object>();

/** A flag that may be given several times; its values are collected in order. */
export function repeatableOption<const Flags extends string>(flags: Flags, description: string) {
  const option = new Option(flags, description).argParser<string[]>((value, previous) => [
    ...(previous ?? []),
    value,
  ]);
  repeatable.add(option);
  return option;
}

/** Whether an option was made by `repeatableOption`. */
export function isRepeatable(option: object): boolean {
  return repeatable.has(option);
}
