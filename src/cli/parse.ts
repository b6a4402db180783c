import { type Argument, Command, CommanderError, type Help } from '@commander-js/extra-typings';
import { firstExamples, groups, type LoadedCommand } from '../commands/manifest.ts';
import { UsageError } from '../lib/base/errors.ts';
import type { CommonFlags } from '../lib/command-line/command/flags/common-flags.ts';
import { detachedValue, type Level, type Line, type SwallowedFlag } from './command-line.ts';
import { commandsBelow } from './command-names.ts';
import { commandPage, flagsPage, helpStyle, parentOf, type Shown, wordsOf } from './help.ts';
import { commandMeant, flagMeant, maySuggest, valueMeant } from './synonyms.ts';

/** What the words on the command line ask for. */
export interface Invocation {
  readonly command: LoadedCommand;
  readonly common: CommonFlags;
  readonly options: Record<string, unknown>;
  readonly values: readonly unknown[];
}

export interface ParseOptions {
  /** Width of help pages, in columns. */
  readonly width: number;
  readonly color: boolean;
  /** The fields that the help page of the command names. */
  readonly fields?: string | undefined;
}

/** Ends parsing with a page for stdout: help or the version. */
export class Page extends Error {
  readonly text: string;
  /** Whether it is help about a command or a group. */
  readonly isHelp: boolean;

  constructor(text: string, isHelp = false) {
    super('page');
    this.text = text;
    this.isHelp = isHelp;
  }
}

/** Parses a command line. Throws a `Page` for help and version, and a `UsageError` for mistakes. */
export function parse(line: Line, options: ParseOptions): Invocation {
  const parsing: Parsing = { output: '' };
  if (line.swallowed) throw needsValue(line.swallowed);
  const program = createProgram(line, options, parsing);
  const { declared } = line.level;
  if (line.asksForFlags && !line.isMisspelt) {
    showPage(declared, flagsPage);
    throw new Page(declared.helpInformation());
  }
  try {
    program.parse(line.argv, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode === 0 || error.code === 'commander.help') {
      throw new Page(parsing.output, error.code !== 'commander.version');
    }
    if (error.code === 'commander.missingArgument') throw needsArguments(line);
    const detached = detachedValue(line);
    if (detached && error.code === 'commander.excessArguments') throw needsEquals(detached);
    throw toUsageError(error, parsing.stoppedAt ?? program, line);
  }
  const detached = detachedValue(line);
  if (detached?.fits) throw needsEquals(detached);
  // If no command runs, commander has printed a help page.
  if (parsing.invocation === undefined) throw new Page(program.helpInformation(), true);
  return parsing.invocation;
}

/** The state of commander's parsing. */
interface Parsing {
  /** What commander has printed. */
  output: string;
  /** The group or command at which parsing stopped. */
  stoppedAt?: Command;
  invocation?: Invocation;
}

/**
 * Creates the program with the levels on the line. Other commands get only a name: flags are slow to declare.
 */
function createProgram(line: Line, options: ParseOptions, parsing: Parsing): Command {
  const { levels } = line;
  for (const [index, level] of levels.entries()) {
    prepare(level.declared, options, parsing);
    if (level.command === undefined) declareGroup(level, levels[index + 1]);
    else declareCommand(line, { ...level.command, fields: options.fields }, parsing);
  }
  const [{ declared }] = levels;
  showParts(declared, { examples: firstExamples });
  return declared
    .description('Work with an email delivery service from the command line.')
    .addHelpText('after', exitCodesHelp);
}

/** Declares the names in a group; `next` is the level that follows on the line. */
function declareGroup({ declared, path }: Level, next: Level | undefined): void {
  declared.usage('<command> [flags]').helpCommand(false);
  showParts(declared, { examples: groups[path.join(' ')]?.examples ?? {} });
  for (const [name, summary] of commandsBelow(path)) {
    const below = next?.path.at(-1) === name ? next.declared : new Command(name);
    declared.addCommand(below.summary(summary).description(sentence(summary)));
  }
}

function declareCommand(line: Line, command: LoadedCommand & Shown, parsing: Parsing): void {
  const leaf = line.level.declared;
  showParts(leaf, command);
  leaf.action(() => {
    refuseRepeated(line);
    const values = leaf.processedArgs;
    const common = ownAndInherited(leaf);
    parsing.invocation = { command, common, options: leaf.opts(), values };
  });
}

function prepare(command: Command, { width, color }: ParseOptions, parsing: Parsing): void {
  const print = (text: string) => {
    parsing.output += text;
  };
  command
    .exitOverride((error) => {
      parsing.stoppedAt = command;
      throw error;
    })
    .enablePositionalOptions()
    .configureHelp({ ...helpStyle, helpWidth: Math.min(width, 100) })
    .configureOutput({
      writeOut: print,
      writeErr: print,
      getOutHasColors: () => color,
      getErrHasColors: () => color,
      // Without this, commander would create the process's own stream, which takes time.
      getOutHelpWidth: () => width,
      outputError: () => {},
    });
}

function showPage(command: Command, page: (command: Command, helper: Help) => string): void {
  command.configureHelp({
    ...command.configureHelp(),
    // For the reason of the cast, see parentOf.
    formatHelp: (_, helper) => page(command, helper as Help),
  });
}

function showParts(command: Command, shown: Shown): void {
  showPage(command, (of, helper) => commandPage(of, helper, shown));
}

function refuseRepeated({ uses }: Line): void {
  for (const [flags, count] of uses) {
    if (count > 1) throw new UsageError(`${flags} was given ${count} times`);
  }
}

/**
 * The common flags from anywhere on the line; the one nearest to the command wins. Throws a `UsageError` for
 * a flag that the command does not have.
 */
function ownAndInherited(leaf: Command): CommonFlags {
  const merged: Record<string, unknown> = {};
  for (let command: Command | null = leaf; command !== null; command = parentOf(command)) {
    for (const option of command.options) {
      const name = option.attributeName();
      if (command.getOptionValueSource(name) !== 'cli') continue;
      if (!leaf.options.some(({ long }) => long === option.long)) {
        throw noFlag(leaf, option.long ?? '');
      }
      if (!(name in merged)) merged[name] = command.getOptionValue(name);
    }
  }
  // `addCommonFlags` declared the same flags on every level.
  return merged as CommonFlags;
}

function toUsageError(error: CommanderError, reached: Command, line: Line): UsageError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\(|\)$/g, '');
  const [, flag] = /^unknown option '([^=]*).*'$/s.exec(message) ?? [];
  if (flag !== undefined) {
    const meant = flagMeant(flag, line.level);
    const written = flag === '-X' ? valueMeant(line) : undefined;
    if (written !== undefined) return noFlag(reached, flag, `Write ${written}`);
    return noFlag(reached, flag, meant === undefined ? hint : `Did you mean ${meant}?`);
  }
  return new UsageError(message, { hint: hintFor(error, message, hint, line) ?? seeHelp(reached) });
}

/** What is meant by a word that is not known: by its meaning, else by its spelling, which commander compares. */
function hintFor(
  error: CommanderError,
  message: string,
  spelt: string | undefined,
  line: Line,
): string | undefined {
  const meant = line.isMisspelt ? commandMeant(line) : undefined;
  if (meant !== undefined) return `Did you mean mailer ${meant}?`;
  if (error.code === 'commander.excessArguments') {
    const written = valueMeant(line);
    return written === undefined ? spelt : `Write ${written}`;
  }
  const [, typed = ''] = /^unknown command '(.*)'$/s.exec(message) ?? [];
  const [, near = ''] = /^Did you mean (\S+)\?$/.exec(spelt ?? '') ?? [];
  return maySuggest(typed, near) ? spelt : undefined;
}

/** The error for a flag that a command does not have, or that does not take a value. */
function noFlag(command: Command, flag: string, hint = seeHelp(command)): UsageError {
  const isThere = command.options.some(({ long }) => long === flag);
  const name = wordsOf(command).join(' ') || 'mailer';
  if (isThere) return new UsageError(`${flag} takes no value`, { hint });
  // `--markdown news.md` means --markdown-file.
  const longer = command.options.find(({ long }) => long === `${flag}-file`)?.long;
  const meant = longer === undefined ? hint : `Did you mean ${longer}?`;
  return new UsageError(`${name} has no ${flag}`, { hint: meant });
}

function needsEquals({ flag, text }: NonNullable<ReturnType<typeof detachedValue>>): UsageError {
  return new UsageError(`${flag} ${text}: a value of ${flag} needs an equals sign`, {
    hint: `Write ${flag}=${text}`,
  });
}

function needsValue({ taker, text }: SwallowedFlag): UsageError {
  return new UsageError(`${taker} needs a value`, {
    // The value directly follows a short flag.
    hint: `To use the text ${text}, write ${taker}${taker.startsWith('--') ? '=' : ''}${text}`,
  });
}

/** The error for missing arguments, which names all of them. */
function needsArguments({ level: { declared, path }, values }: Line): UsageError {
  const all = declared.registeredArguments.filter(({ required }) => required);
  const missing = all.slice(values).map((one) => `${placeOf(one)} (${one.description})`);
  return new UsageError(`Missing ${missing.join(', ')}`, {
    hint: `Usage: ${['mailer', ...path, ...all.map(placeOf)].join(' ')}`,
  });
}

/** The placeholder for an argument's value: `ID`, or the words that it can be. */
function placeOf(argument: Argument): string {
  const name = argument.name();
  return name.includes('|') ? name : name.toUpperCase();
}

function seeHelp(command: Command): string {
  return `See ${['mailer', ...wordsOf(command), '--help'].join(' ')}`;
}

/** Turns a summary into a sentence. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

const exitCodesHelp = `
Exit codes: 0 done, 1 rejected, 2 usage, 3 key, 4 not found, 5 conflict,
6 rate limit, 7 unavailable, 8 bad response, 9 wait failed, 10 wait timeout,
11 partial, 12 output failed, 130 interrupted, 143 terminated.`;
