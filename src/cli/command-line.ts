import { Argument, Command, Help, type Option } from '@commander-js/extra-typings';
import { addCommonFlags, commonOffers, flagGroups } from '../lib/command/common-flags.ts';
import { isRepeatable } from '../lib/command/repeatable.ts';
import { type Candidate, type Offer, offerNamed } from '../lib/completion/offer.ts';
import { commandNamed, commandsBelow } from './command-names.ts';

/** A command, or a group of them, and what may follow its words. */
export interface Level {
  readonly commands: readonly Candidate[];
  readonly options: readonly Option[];
  readonly values: readonly Argument[];
  readonly offers: Readonly<Record<string, Offer>>;
}

/** What takes a value: a flag, or the command itself. */
export type Taker = Option | Argument;

/** The words before the cursor, taken apart. */
export interface Line {
  readonly level: Level;
  /** The value that each flag was given last, by its long name; empty for none. */
  readonly given: ReadonlyMap<string, string>;
  /** The flag whose value comes next. */
  readonly pending: Option | undefined;
  /** Whether `--` was among them. */
  readonly flagsEnded: boolean;
  /** How many arguments the command has got. */
  readonly values: number;
}

/** Takes apart the words after the program's name. Nothing follows words that name no command. */
export async function readLine(words: readonly string[]): Promise<Line> {
  const path: string[] = [];
  const given = new Map<string, string>();
  let level = await levelAt(path);
  let pending: Option | undefined;
  let flagsEnded = false;
  let values = 0;
  for (const word of words) {
    if (pending !== undefined) {
      given.set(nameOf(pending), word);
      pending = undefined;
    } else if (!flagsEnded && word === '--') {
      flagsEnded = true;
    } else if (!flagsEnded && /^-./.test(word)) {
      for (const { option, value } of flagsIn(word, level)) {
        given.set(nameOf(option), value ?? '');
        if (option.required && value === undefined) pending = option;
      }
    } else if (level.commands.length > 0) {
      path.push(word);
      level = await levelAt(path);
    } else {
      values++;
    }
  }
  return { level, given, pending, flagsEnded, values };
}

/** The command or the group that these words name; where they name none, nothing follows. */
async function levelAt(path: readonly string[]): Promise<Level> {
  const declared = new Command();
  const entry = commandNamed(path);
  const commands = [...(entry === undefined ? commandsBelow(path) : [])].map(
    ([value, description]) => ({ value, description }),
  );
  let offers = commonOffers;
  if (entry !== undefined) {
    const { command } = await entry.load();
    command.flags(declared);
    addCommonFlags(declared, command);
    offers = { ...commonOffers, ...command.offers };
  } else if (commands.length > 0) {
    addCommonFlags(declared, { takes: flagGroups });
  } else {
    return { commands: [], options: [], values: [], offers: {} };
  }
  return {
    commands,
    options: new Help().visibleOptions(declared),
    values: declared.registeredArguments,
    offers,
  };
}

/** The flags in one word, such as two in `-qy`, each with the value that is in the word. */
export function flagsIn(
  word: string,
  { options }: Pick<Level, 'options'>,
): readonly { readonly option: Option; readonly value: string | undefined }[] {
  if (word.startsWith('--')) {
    const [long = ''] = word.split('=', 1);
    const option = options.find((one) => one.long === long);
    const value = word === long ? undefined : word.slice(long.length + 1);
    return option === undefined ? [] : [{ option, value }];
  }
  const [, letter = '', rest = ''] = /^-(.)(.*)$/su.exec(word) ?? [];
  const option = options.find((one) => one.short === `-${letter}`);
  if (option === undefined) return [];
  if (option.required) return [{ option, value: rest === '' ? undefined : rest }];
  return [{ option, value: undefined }, ...(rest === '' ? [] : flagsIn(`-${rest}`, { options }))];
}

/** The flags that may still be given. */
export function flagsAt({ level, given }: Line): readonly Candidate[] {
  return level.options
    .filter((option) => !given.has(nameOf(option)) || isRepeatable(option))
    .map((option) => ({
      value: nameOf(option),
      // It is not offered with the equals sign, so that this is where one learns of it.
      description: option.optional
        ? `[=${valueNameOf(option)}] ${option.description}`
        : option.description,
    }));
}

/** The argument at the cursor; undefined when the command takes no more of them. */
export function argumentAt({ level, values }: Line): Argument | undefined {
  const last = level.values.at(-1);
  return level.values[values] ?? (last?.variadic === true ? last : undefined);
}

/** What there is to offer for the value of a flag or for an argument. */
export function offerFor({ offers }: Level, taker: Taker): Offer | undefined {
  return taker instanceof Argument
    ? (offers[taker.name()] ?? offerNamed(taker.name()))
    : (offers[nameOf(taker)] ?? offerNamed(valueNameOf(taker)));
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

function valueNameOf({ flags }: Option): string {
  return /[<[](.*)[>\]]$/.exec(flags)?.[1] ?? '';
}
