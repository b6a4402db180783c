import { Argument, Command, Help, type Option } from '@commander-js/extra-typings';
import type { LoadedCommand } from '../commands/manifest.ts';
import {
  addCommonFlags,
  commonOffers,
  flagGroups,
} from '../lib/command-line/command/flags/common-flags.ts';
import { isRepeatable } from '../lib/command-line/command/flags/repeatable.ts';
import type { Word } from '../lib/command-line/command/word.ts';
import { type Candidate, namedOffers, type Offer } from '../lib/command-line/completion/offer.ts';
import { attempt } from '../shared/attempt.ts';
import { commandNamed, commandsBelow, nameBelow } from './command-names.ts';

/** The program, a group or a command, and what may follow it on the line. */
export interface Level {
  /** Its words; none for the program. */
  readonly path: readonly string[];
  /** Its flags and arguments, as declared with commander. */
  readonly declared: Command;
  /** Undefined for the program and for groups. */
  readonly command: LoadedCommand | undefined;
}

/** What takes a value: a flag, or the command itself. */
export type FlagOrArgument = Option | Argument;

/** A command line, analysed as far as it has been typed. */
export type Line = Awaited<ReturnType<typeof readLine>>;

/** A flag in the place of another flag's value. */
export interface SwallowedFlag {
  readonly taker: string;
  readonly text: string;
}

/** Analyses the words after the program's name. Loads only the file of the command that they name. */
export async function readLine(texts: readonly string[]) {
  let level = levelOf([]);
  /** From the program down to the command or group that the words name. */
  const levels: [Level, ...Level[]] = [level];
  const words: Word[] = [];
  /**
   * The words rewritten for commander: `--help` for `help`; `--wait=` for `--wait`, so that it does not take
   * the next word; and an empty word for an optional argument that is left out before the required one.
   */
  const argv: string[] = [];
  /** The last value of each flag, by its long name; empty for a flag without a value. */
  const given = new Map<string, string>();
  /** How often each flag is given that takes one value; commander silently lets the last one win. */
  const uses = new Map<string, number>();
  /** The flag whose value comes next. */
  let pending: Option | undefined;
  /** The first flag in place of a value, which was forgotten, or an empty variable in a script. */
  let swallowed: SwallowedFlag | undefined;
  /** Whether a word in the place of a command's name is not one. */
  let isMisspelt = false;
  /** Whether `help` stands in place of a command. */
  let asksForHelp = false;
  /** Whether `help flags` does, which the words of a command may follow. */
  let asksForFlags = false;
  /** Whether the words include `--`. */
  let flagsEnded = false;
  /** How many arguments are given. */
  let values = 0;
  let firstValue = 0;
  const take = (text: string, kind: Word['kind'], asRead = text) => {
    words.push({ text, kind: flagsEnded ? 'end' : kind });
    argv.push(asRead);
  };
  for (const text of texts) {
    if (pending !== undefined) {
      given.set(nameOf(pending), text);
      if (isFlag(text, level)) swallowed ??= { taker: nameOf(pending), text };
      pending = undefined;
      take(text, 'value');
    } else if (!flagsEnded && text === '--') {
      flagsEnded = true;
      take(text, 'end');
    } else if (!flagsEnded && /^-./.test(text)) {
      const flags = flagsIn(text, level);
      for (const { option, value } of flags) {
        given.set(nameOf(option), value ?? '');
        if (!(option.required || option.optional) || isRepeatable(option)) continue;
        uses.set(option.flags, (uses.get(option.flags) ?? 0) + 1);
      }
      const { option, value } = flags.at(-1) ?? {};
      if (option?.required && value === undefined) pending = option;
      const isBare = option?.optional === true && value === undefined;
      take(text, 'flag', isBare ? `${text}=` : text);
    } else if (level.command !== undefined || isMisspelt) {
      if (values++ === 0) firstValue = argv.length;
      take(text, 'argument');
    } else {
      const next = await levelBelow(level, text);
      if (next === undefined && text === 'help') {
        asksForHelp = true;
        words.push({ text, kind: 'command' });
        continue;
      }
      if (asksForHelp && text === 'flags' && level.path.length === 0) {
        asksForFlags = true;
        words.push({ text, kind: 'command' });
        continue;
      }
      isMisspelt = next === undefined;
      level = next ?? level;
      if (next !== undefined) levels.push(next);
      take(text, 'command', next?.path.at(-1));
    }
  }
  if (asksForHelp) argv.push('--help');
  const [first, second] = level.declared.registeredArguments;
  // If there is only one argument, commander takes it as the first.
  const isLeftOut = first?.required === false && second?.required === true && values === 1;
  if (isLeftOut) argv.splice(firstValue, 0, '');
  return {
    words,
    // An unknown command has no help page; instead, an error suggests another command.
    argv: isMisspelt ? argv.filter((text) => text !== '-h' && text !== '--help') : argv,
    levels,
    /** The last of `levels`. */
    level,
    isMisspelt,
    asksForHelp,
    asksForFlags,
    given,
    uses,
    pending,
    swallowed,
    flagsEnded,
    values,
  };
}

/** Whether a word is a flag of this level, with or without `=value`. */
function isFlag(text: string, level: Level): boolean {
  const name = text.startsWith('--') ? text.split('=', 1)[0] : text;
  return optionsOf(level).some(({ long, short }) => name === long || name === short);
}

/** The command or group that a word names; undefined if it names none. */
async function levelBelow({ path }: Level, word: string): Promise<Level | undefined> {
  const name = nameBelow(path, word);
  if (name === undefined) return undefined;
  const below = [...path, name];
  const loaded = await commandNamed(below)?.load();
  return levelOf(below, loaded?.command);
}

function levelOf(path: readonly string[], command?: LoadedCommand): Level {
  const declared = new Command(path.at(-1) ?? 'mailer');
  if (command === undefined) addCommonFlags(declared, { takes: flagGroups });
  else declare(declared, command);
  return { path, declared, command };
}

/** Declares the command's own arguments and flags, and those that every command has. */
export function declare(leaf: Command, command: LoadedCommand): void {
  command.flags(leaf);
  const values = leaf.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  leaf.usage([...values, '[flags]'].join(' '));
  addCommonFlags(leaf, command);
}

/** All flags, also hidden ones and those that commander adds by itself. */
function optionsOf({ declared }: Level): readonly Option[] {
  const hidden = declared.options.filter((option) => option.hidden);
  return [...new Help().visibleOptions(declared), ...hidden];
}

/** The flags in one word, such as two in `-qy`, each with the value that the word gives it. */
export function flagsIn(
  word: string,
  level: Level,
): readonly { readonly option: Option; readonly value: string | undefined }[] {
  const options = optionsOf(level);
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
  return [{ option, value: undefined }, ...(rest === '' ? [] : flagsIn(`-${rest}`, level))];
}

/**
 * An argument that may be meant as the value of the flag before it, which needs an equals sign: the first one that fits
 * its flag, or else the first one.
 */
export function detachedValue({ words, level }: Line) {
  const found = words.flatMap(({ text, kind }, index) => {
    const before = words[index - 1];
    if (kind !== 'argument' || before?.kind !== 'flag') return [];
    const { option, value } = flagsIn(before.text, level).at(-1) ?? {};
    if (!option?.optional || option.hidden || value !== undefined) return [];
    return [{ flag: nameOf(option), text, fits: takes(option, text) }];
  });
  return found.find(({ fits }) => fits) ?? found[0];
}

function takes(option: Option, text: string): boolean {
  return attempt(() => option.parseArg?.(text, undefined) !== undefined, false);
}

/** The commands and groups that may follow. */
export function commandsAt({ level }: Line): readonly Candidate[] {
  const names = level.command === undefined ? commandsBelow(level.path) : [];
  return [...names].map(([value, description]) => ({ value, description }));
}

/** The flags that may still be given. */
export function flagsAt({ level, given }: Line): readonly Candidate[] {
  return optionsOf(level)
    .filter((option) => !option.hidden && (!given.has(nameOf(option)) || isRepeatable(option)))
    .map((option) => ({
      value: nameOf(option),
      // TAB offers the name without the equals sign, so the description shows it.
      description: option.optional
        ? `[=${valueNameOf(option)}] ${option.description}`
        : option.description,
    }));
}

/** The argument at the cursor; undefined when the command takes no more of them. */
export function argumentAt({ level: { declared }, values }: Line): Argument | undefined {
  const all = declared.registeredArguments;
  const last = all.at(-1);
  return all[values] ?? (last?.variadic === true ? last : undefined);
}

/** What TAB offers for the value of a flag or for an argument. */
export function offerFor(
  command: LoadedCommand | undefined,
  taker: FlagOrArgument,
): Offer | undefined {
  const offers = { ...commonOffers, ...command?.offers };
  if (taker.argChoices !== undefined) return taker.argChoices;
  return taker instanceof Argument
    ? (offers[taker.name()] ?? namedOffers[taker.name()])
    : (offers[nameOf(taker)] ?? namedOffers[valueNameOf(taker)]);
}

function nameOf({ long, short }: Option): string {
  return long ?? short ?? '';
}

function valueNameOf({ flags }: Option): string {
  return /[<[](.*)[>\]]$/.exec(flags)?.[1] ?? '';
}
