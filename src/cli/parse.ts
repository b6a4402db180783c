import { Command, CommanderError, type Help } from '@commander-js/extra-typings';
import {
  firstExamples,
  groups,
  type LoadedCommand,
  type ManifestEntry,
} from '../commands/manifest.ts';
import { addCommonFlags, type CommonFlags, flagGroups } from '../lib/command/common-flags.ts';
import { isRepeatable } from '../lib/command/repeatable.ts';
import { UsageError } from '../lib/errors.ts';
import { commandNamed, commandsBelow } from './command-names.ts';
import { commandPage, flagsPage, helpStyle, type Shown } from './help.ts';
import { bindOptionalValues } from './optional-values.ts';

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
}

/** Ends parsing with a page for stdout: help or the version. */
export class Page extends Error {
  readonly text: string;

  constructor(text: string) {
    super('page');
    this.text = text;
  }
}

/**
 * Parses a command line. Only the file of the command that it names is loaded, once its name is
 * known. Throws a `Page` for help and version, and a `UsageError` for words that fit no command.
 */
export async function parse(argv: readonly string[], options: ParseOptions): Promise<Invocation> {
  const words = helpFlagged(argv);
  let output = '';
  let invocation: Invocation | undefined;
  let reached: Command | undefined;
  const program = createProgram(options, {
    print: (text) => {
      output += text;
    },
    reached: (command) => {
      reached = command;
    },
    found: (value) => {
      invocation = value;
    },
  });
  if (argv[0] === 'help' && argv[1] === 'flags') {
    showPage(program, flagsPage);
    throw new Page(program.helpInformation());
  }
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help was asked for of something that is not there; without that it is said what was meant.
    if (words.some((word) => !isNotHelp(word)) && isMisspelt(reached ?? program))
      return await parse(words.filter(isNotHelp), options);
    if (error.exitCode === 0 || error.code === 'commander.help') throw new Page(output);
    throw toUsageError(error, reached ?? program);
  }
  // Without a command that runs, commander has shown help, which ends above.
  if (invocation === undefined) throw new Page(program.helpInformation());
  return invocation;
}

/** The words with `help`, where it stands in place of a command, as the flag. */
function helpFlagged(argv: readonly string[]): readonly string[] {
  const at = argv.indexOf('help');
  const before = argv.slice(0, Math.max(at, 0)).join(' ');
  if (at === -1 || (at > 0 && !Object.hasOwn(groups, before))) return argv;
  return [...argv.slice(0, at), ...argv.slice(at + 1), '--help'];
}

/** Whether the words got no further than a group, and then name none of its commands. */
function isMisspelt({ args, commands }: Command): boolean {
  const [word = '-'] = args;
  return commands.length > 0 && !word.startsWith('-');
}

function isNotHelp(word: string): boolean {
  return word !== '-h' && word !== '--help';
}

interface Handlers {
  print(text: string): void;
  /** Is told of each group and command on the way. */
  reached(command: Command): void;
  found(invocation: Invocation): void;
}

function createProgram(options: ParseOptions, handlers: Handlers): Command {
  const program = prepare(new Command('mailer'), options, handlers)
    .description('Operate an account on an email delivery service.')
    .usage('<command> [flags]')
    .helpCommand(false)
    .addHelpText('after', exitCodesHelp);
  showParts(program, { examples: firstExamples });
  addCommonFlags(program, { takes: flagGroups });
  countUses(program);
  addNames(program, [], options, handlers);
  return program;
}

/**
 * Adds what is below `path` by name only. The flags of a command, and what is below a group, come
 * when it is the one that was named: to declare them all takes longer than all the rest.
 */
function addNames(
  parent: Command,
  path: readonly string[],
  options: ParseOptions,
  handlers: Handlers,
): void {
  for (const [name, summary] of commandsBelow(path)) {
    parent.addCommand(new Command(name).summary(summary).description(sentence(summary)));
  }
  parent.hook('preSubcommand', async (_, named) => {
    // As in parentOf.
    const command = prepare(named as unknown as Command, options, handlers);
    const words = [...path, command.name()];
    handlers.reached(command);
    const entry = commandNamed(words);
    if (entry === undefined) declareGroup(command, words, options, handlers);
    else await declareCommand(command, entry, handlers);
  });
}

function declareGroup(
  group: Command,
  path: readonly string[],
  options: ParseOptions,
  handlers: Handlers,
): void {
  group.usage('<command> [flags]').helpCommand(false);
  const { example } = groups[path.join(' ')] ?? {};
  showParts(group, { examples: example === undefined ? [] : [example] });
  addCommonFlags(group, { takes: flagGroups });
  countUses(group);
  addNames(group, path, options, handlers);
}

async function declareCommand(
  leaf: Command,
  entry: ManifestEntry,
  handlers: Handlers,
): Promise<void> {
  const { command } = await entry.load();
  declare(leaf, command);
  bindOptionalValues(leaf);
  showParts(leaf, command);
  leaf.action(() => {
    refuseRepeated(leaf);
    const values = leaf.processedArgs;
    handlers.found({
      command,
      common: ownAndInherited(leaf),
      options: leaf.opts(),
      values,
    });
  });
  countUses(leaf);
}

/** Declares what a command takes: its own arguments and flags, and those that every command has. */
export function declare(leaf: Command, command: LoadedCommand): void {
  command.flags(leaf);
  leaf.usage(usageOf(leaf));
  addCommonFlags(leaf, command);
}

function prepare(command: Command, { width, color }: ParseOptions, { print }: Handlers): Command {
  command
    .exitOverride()
    .enablePositionalOptions()
    .configureHelp({ ...helpStyle, helpWidth: Math.min(width, 100) })
    .configureOutput({
      writeOut: print,
      writeErr: print,
      getOutHasColors: () => color,
      getErrHasColors: () => color,
      // Else it looks at the process's own stream, which takes time to make.
      getOutHelpWidth: () => width,
      outputError: () => {},
    });
  countUses(command);
  return command;
}

function showPage(command: Command, page: (command: Command, helper: Help) => string): void {
  command.configureHelp({
    ...command.configureHelp(),
    // As in parentOf.
    formatHelp: (_, helper) => page(command, helper as Help),
  });
}

function showParts(command: Command, shown: Shown): void {
  showPage(command, (of, helper) => commandPage(of, helper, shown));
}

const uses = new WeakMap<Command, Map<string, number>>();

/** Counts how often each single-value flag is given: commander lets the last one win, silently. */
function countUses(command: Command): void {
  const counts = uses.get(command) ?? new Map<string, number>();
  uses.set(command, counts);
  for (const option of command.options) {
    if (!(option.required || option.optional) || isRepeatable(option) || counts.has(option.flags)) {
      continue;
    }
    counts.set(option.flags, 0);
    command.on(`option:${option.name()}`, () => {
      counts.set(option.flags, (counts.get(option.flags) ?? 0) + 1);
    });
  }
}

function refuseRepeated(leaf: Command): void {
  const total = new Map<string, number>();
  for (let command: Command | null = leaf; command !== null; command = parentOf(command)) {
    for (const [flags, count] of uses.get(command) ?? []) {
      total.set(flags, (total.get(flags) ?? 0) + count);
    }
  }
  for (const [flags, count] of total) {
    if (count > 1) throw new UsageError(`${flags} was given ${count} times`);
  }
}

/**
 * Common flags may stand anywhere on the line; the one nearest to the command wins. Throws a
 * `UsageError` for one that the command does not take.
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
  // The same flags were declared on every level, by addCommonFlags.
  return merged as CommonFlags;
}

function parentOf(command: Command): Command | null {
  // Typed with options that are of no concern here.
  return command.parent as Command | null;
}

function toUsageError(error: CommanderError, reached: Command): UsageError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const hint = suggestion?.replace(/^\(|\)$/g, '');
  const [, flag] = /^unknown option '([^=]*).*'$/s.exec(message) ?? [];
  return flag === undefined
    ? new UsageError(message, { hint: hint ?? seeHelp(reached) })
    : noFlag(reached, flag, hint);
}

/** What to say of a flag that a command does not have, or not with a value. */
function noFlag(command: Command, flag: string, hint = seeHelp(command)): UsageError {
  const isThere = command.options.some(({ long }) => long === flag);
  const name = wordsOf(command).join(' ') || 'mailer';
  return new UsageError(isThere ? `${flag} takes no value` : `${name} has no ${flag}`, { hint });
}

function seeHelp(command: Command): string {
  return `See ${['mailer', ...wordsOf(command), '--help'].join(' ')}`;
}

/** The words that name a command or a group; none for the program. */
function wordsOf(command: Command): readonly string[] {
  const above = parentOf(command);
  return above === null ? [] : [...wordsOf(above), command.name()];
}

function usageOf(leaf: Command): string {
  const values = leaf.registeredArguments.map((one) =>
    one.required ? `<${one.name()}>` : `[${one.name()}]`,
  );
  return [...values, '[flags]'].join(' ');
}

/** The line for help as a sentence. */
export function sentence(summary: string): string {
  return `${summary.charAt(0).toUpperCase()}${summary.slice(1)}.`;
}

const exitCodesHelp = `
Exit codes: 0 done, 1 refused, 2 usage, 3 key, 4 not found, 5 conflict,
6 rate limit, 7 unavailable, 8 bad reply, 9 ended badly, 10 not in time,
11 partly done, 130 interrupted, 143 terminated.`;
