import { Command, CommanderError } from '@commander-js/extra-typings';
import { groups, type LoadedCommand, type ManifestEntry } from '../commands/manifest.ts';
import { addCommonFlags, type CommonFlags } from '../lib/command/common-flags.ts';
import { isRepeatable } from '../lib/command/repeatable.ts';
import { UsageError } from '../lib/errors.ts';
import { version } from '../lib/version.ts';
import { commandNamed, commandsBelow } from './command-names.ts';
import { helpPage } from './help.ts';
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
  const program = createProgram(options, {
    print: (text) => {
      output += text;
    },
    found: (value) => {
      invocation = value;
    },
  });
  try {
    await program.parseAsync(words, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    // Help was asked for of something that is not there; without that it is said what was meant.
    if (words.some((word) => !isNotHelp(word)) && isMisspelt(program))
      return await parse(words.filter(isNotHelp), options);
    if (error.exitCode === 0 || error.code === 'commander.help') throw new Page(output);
    throw toUsageError(error, program, words);
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

/** Whether the words got as far as a group, and then name none of its commands. */
function isMisspelt(program: Command): boolean {
  let at = program;
  for (;;) {
    const [word = '-'] = at.args;
    const next = at.commands.find((one) => one.name() === word);
    if (next === undefined) return at.commands.length > 0 && !word.startsWith('-');
    // As in find.
    at = next as unknown as Command;
  }
}

function isNotHelp(word: string): boolean {
  return word !== '-h' && word !== '--help';
}

interface Handlers {
  print(text: string): void;
  found(invocation: Invocation): void;
}

function createProgram(options: ParseOptions, handlers: Handlers): Command {
  const program = prepare(new Command('mailer'), options, handlers)
    .description('Operate an account on an email delivery service.')
    .usage('<command> [flags]')
    .helpCommand(false)
    .addHelpText('after', rootHelp);
  addCommonFlags(program, { writes: true, lists: true });
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
  addCommonFlags(group, { writes: true, lists: true });
  for (const option of group.options) option.hideHelp();
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
  leaf.addHelpText('after', `${grammarHelp(command)}${examplesHelp(command)}`);
  leaf.action(() => {
    refuseRepeated(leaf);
    const values = leaf.processedArgs;
    handlers.found({ command, common: ownAndInherited(leaf), options: leaf.opts(), values });
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
    .version(version, '-V, --version', 'the version')
    .helpOption('-h, --help', 'this page')
    .configureHelp({ ...helpPage, helpWidth: Math.min(width, 100) })
    .configureOutput({
      writeOut: print,
      writeErr: print,
      getOutHasColors: () => color,
      // Else it looks at the process's own stream, which takes time to make.
      getOutHelpWidth: () => width,
      outputError: () => {},
    });
  countUses(command);
  return command;
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

/** Common flags may stand anywhere on the line; the one nearest to the command wins. */
function ownAndInherited(leaf: Command): CommonFlags {
  const merged: Record<string, unknown> = {};
  for (let command: Command | null = leaf; command !== null; command = parentOf(command)) {
    for (const [name, value] of Object.entries(command.opts())) {
      if (command.getOptionValueSource(name) === 'cli' && !(name in merged)) merged[name] = value;
    }
  }
  // The same flags were declared on every level, by addCommonFlags.
  return merged as CommonFlags;
}

function parentOf(command: Command): Command | null {
  // Typed with options that are of no concern here.
  return command.parent as Command | null;
}

function toUsageError(
  error: CommanderError,
  program: Command,
  words: readonly string[],
): UsageError {
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n');
  const named: string[] = [];
  let at: Command | undefined = program;
  for (const word of words) {
    at = at?.commands.find((one) => one.name() === word) as unknown as Command | undefined;
    if (at === undefined) break;
    named.push(word);
  }
  const help = ['mailer', ...named, '--help'].join(' ');
  return new UsageError(message, {
    hint: suggestion === undefined ? `See ${help}` : suggestion.replace(/^\(|\)$/g, ''),
  });
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

function grammarHelp({ grammar }: LoadedCommand): string {
  if (grammar === undefined) return '';
  const width = Math.max(...grammar.rows.map(([term]) => term.length));
  const lines = grammar.rows.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`);
  return `\n${grammar.title}\n${lines.join('\n')}\n`;
}

function examplesHelp({ examples }: LoadedCommand): string {
  const lines = examples.flatMap(([line, effect]) => [`  # ${effect}`, `  $ ${line}`, '']);
  return `\nExamples:\n${lines.slice(0, -1).join('\n')}`;
}

const rootHelp = `
Start here:
  # Send an email on the embedded service; nothing leaves this machine
  $ mailer email send --sandbox --from hello@example.com --to you@example.org --subject Hi --text Hello

  # Use a real account
  $ mailer login

Exit codes: 0 done, 1 refused, 2 usage, 3 key, 4 not found, 5 conflict,
6 rate limit, 7 unavailable, 8 bad reply, 9 ended badly, 10 not in time,
11 partly done, 130 interrupted, 143 terminated.`;
