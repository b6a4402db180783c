import type { Command as CommanderCommand, OptionValues } from '@commander-js/extra-typings';
import type { ErrorCode } from '../../base/errors.ts';
import type { Offer } from '../completion/offer.ts';
import type { Result } from '../output/result.ts';
import type { AccountUse } from './command-account.ts';
import type { Context } from './context.ts';
import type { Effects } from './effects.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import type { Printed } from './prints.ts';

/** A commander command whose flags are being declared. */
export type Flags = CommanderCommand;

/** A commander command with its flags declared, as far as their types matter. */
export interface Declared {
  opts(): OptionValues;
  processedArgs: unknown[];
}

/** The effect of each command line to copy. */
export type Examples = Readonly<Record<string, string>>;

/** The syntax of a flag's value. Rows have 80 columns, including 4 for margin and gap. */
export interface Grammar {
  /** Such as `Faults: METHOD PATH EFFECT [xN]`. */
  readonly title: string;
  readonly rows: readonly (readonly [term: string, meaning: string])[];
}

/** What one file under `src/commands/` exports as `command`. */
export interface CommandDefinition<Command extends Declared> extends AccountUse {
  /** Declares arguments and flags. The types of `run` follow from it. A command without any leaves it out. */
  flags(command: Flags): Command;
  /** The flags recorded in an earlier run, for `run`. Flags that are given take precedence. */
  recordedFlags?(
    place: Pick<Context, 'account' | 'flags' | 'system'>,
    ...values: Command['processedArgs']
  ): Promise<CommonFlags>;
  /** Does the work and returns what to show. Prints nothing itself. */
  run(
    context: Context,
    options: ReturnType<Command['opts']>,
    ...values: Command['processedArgs']
  ): Promise<Result>;
  /** Sentences beyond the summary in the manifest. */
  readonly description: string;
  readonly effects: Effects;
  /** The meaning of exit codes that is special here; 0 and those of every command are understood. */
  readonly exits?: Readonly<Record<number, string>>;
  /** The documents that it prints; the usual one first. */
  readonly prints: readonly [Printed, ...Printed[]];
  /** Shown at the top of the help page. */
  readonly examples: Examples;
  /** The syntax of a flag's value, if it needs more than a line: its own part of the help page. */
  readonly grammar?: Grammar;
  /** The exit code of each error, if other programs call it and expect special ones. */
  readonly exitCodes?: Readonly<Record<ErrorCode, number>>;
  /**
   * What TAB offers for a flag (`--status`) or an argument (`id`), unless its name (`<domain>`,
   * `<path>`) tells.
   */
  readonly offers?: Readonly<Record<string, Offer>>;
}

/** Declares a command, inferring the types of `run` from the flags. */
export function defineCommand<Command extends Declared>(
  definition: CommandDefinition<Command>,
): CommandDefinition<Command>;
export function defineCommand(
  definition: Omit<CommandDefinition<Flags>, 'flags'>,
): CommandDefinition<Flags>;
export function defineCommand(definition: Omit<CommandDefinition<Flags>, 'flags'>) {
  return { flags: (command: Flags) => command, ...definition };
}
