import type { Command as CommanderCommand, OptionValues } from '@commander-js/extra-typings';
import type { Offer } from '../completion/offer.ts';
import type { ErrorCode } from '../errors.ts';
import type { Result } from '../output/result.ts';
import type { Context } from './context.ts';
import type { CommonFlags, FlagGroup, RequestLimits } from './flags/common-flags.ts';

/** A commander command whose flags are being declared. */
export type Flags = CommanderCommand;

/** A commander command whose flags have been declared, as far as their types matter. */
export interface Declared {
  opts(): OptionValues;
  processedArgs: unknown[];
}

/** A command line to copy, and what it does. */
export type Example = readonly [commandLine: string, effect: string];

/** How the value of a flag is written. Rows have 80 columns, with 4 of margin and between. */
export interface Grammar {
  /** Such as `Faults: METHOD PATH EFFECT [xN]`. */
  readonly title: string;
  readonly rows: readonly (readonly [term: string, meaning: string])[];
}

/** What one file under `src/commands/` exports as `command`. */
export interface CommandDefinition<Command extends Declared> {
  /** Declares arguments and flags. The types of `run` follow from it. */
  flags(command: Flags): Command;
  /** The recorded flags that every command has, for `run`; those that are given take precedence. */
  recordedFlags?(
    place: Pick<Context, 'flags' | 'system'>,
    ...values: Command['processedArgs']
  ): Promise<CommonFlags>;
  /** Does the work and returns what to show. Prints nothing itself. */
  run(
    context: Context,
    options: ReturnType<Command['opts']>,
    ...values: Command['processedArgs']
  ): Promise<Result>;
  /** Shown at the top of the help page. */
  readonly examples: readonly Example[];
  /** What a flag takes, where that is more than a line: a part of the help page of its own. */
  readonly grammar?: Grammar;
  /** The groups of common flags that do something in it, besides those of every command. */
  readonly takes?: readonly FlagGroup[];
  /** What help says of `--quiet`, where that is special. */
  readonly quiet?: string;
  /** Whether it examines the configuration: nothing is repaired before, and nothing prevents it. */
  readonly examines?: boolean;
  /** Whether it needs no account, and so runs where the configuration cannot be read. */
  readonly withoutAccount?: boolean;
  /** Whether single letters mean something of its own, so that common flags have only long names. */
  readonly ownLetters?: boolean;
  /** The exit code of each error, where others call it and expect special ones. */
  readonly exitCodes?: Readonly<Record<ErrorCode, number>>;
  /** The limits of its requests without flags and settings, where these are special. */
  readonly defaults?: RequestLimits;
  /**
  /** What TAB offers for a flag (`--status`) or an argument (`id`), unless `<domain>`, `<path>` say it. */
  readonly offers?: Readonly<Record<string, Offer>>;
}

/** Declares a command, inferring the types of `run` from the flags. */
export function defineCommand<Command extends Declared>(
  definition: CommandDefinition<Command>,
): CommandDefinition<Command> {
  return definition;
}
