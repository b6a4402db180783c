import { type Command, Option } from '@commander-js/extra-typings';
import type { AccountFlags } from '../account/account.ts';
import type { Offer } from '../completion/offer.ts';
import { UsageError } from '../errors.ts';
import { parseInteger, parseSeconds } from '../input/numbers.ts';
import type { OutputFlags } from '../output/format.ts';
import type { PromptFlags } from '../terminal/prompts.ts';

/** Flags that every command has. */
export interface CommonFlags extends AccountFlags, OutputFlags, PromptFlags {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly retries?: number;
  readonly timezone?: string;
  readonly debug?: boolean;
}

/** How long to wait for the answer to a request, and how often to ask again. */
export interface RequestLimits {
  /** Milliseconds. */
  readonly timeout: number;
  readonly retries: number;
}

/** What holds where neither a flag, a setting nor the command says otherwise. */
export const usualLimits: RequestLimits = { timeout: 30_000, retries: 4 };

/** What `--json` and `--quiet` show, in words for help. */
export interface HelpTexts {
  readonly json?: string;
  readonly quiet?: string;
}

/** What of a command decides about the flags that every command has, and their texts. */
interface Shape {
  readonly writes?: boolean;
  readonly lists?: boolean;
  readonly defaults?: RequestLimits;
  readonly texts?: HelpTexts;
}

/** Declares the flags of every command; `--dry-run` on writing ones, list formats on lists. */
export function addCommonFlags(
  command: Command,
  { writes = false, lists = false, defaults = usualLimits, texts = {} }: Shape,
): void {
  const { json = "the service's reply as one JSON document", quiet = 'only ids, one per line' } =
    texts;
  command.optionsGroup('Output:').option('--json', json);
  if (lists) {
    command
      .option('--jsonl', 'one JSON object per line, as they arrive')
      .option('--csv', 'header and rows, RFC 4180')
      .option('--csv-safe', '--csv for spreadsheets: formulas become text');
  }
  command
    .option('--fields <a,b.c>', 'only these fields, in this order', parseFields)
    .option('-q, --quiet', quiet)
    .option('--no-color', 'no colour')
    .optionsGroup('Account:')
    .option('--profile <name>', 'which account')
    .option('--base-url <url>', 'which service')
    .option('--sandbox', 'use the embedded local service')
    .option('--allow-http', 'send the key over plain http')
    .optionsGroup('Behaviour:');
  if (writes) command.option('--dry-run', 'print the request, send nothing');
  command
    .option(
      '--timeout <seconds>',
      `for each request (default: ${defaults.timeout / 1000})`,
      parseSeconds('--timeout'),
    )
    .option(
      '--retries <n>',
      `how often to try again (default: ${defaults.retries})`,
      parseInteger('--retries', { min: 0 }),
    )
    .option('--timezone <name>', 'for times without one, such as Europe/Berlin')
    .option('-y, --yes', 'answer yes to confirmations')
    .addOption(noInput())
    .option('--debug', 'trace requests on stderr, key redacted');
}

/** Kept apart from `--input`, which some command has: commander would take one for the other's no. */
function noInput(): Option {
  return Object.assign(new Option('--no-input', 'never ask'), { attributeName: () => 'ask' });
}

/** What TAB offers for the values of these flags. */
export const commonOffers: Readonly<Record<string, Offer>> = {
  '--profile': 'profiles',
  '--base-url': 'base URLs',
  '--timezone': 'time zones',
};

function parseFields(value: string): string[] {
  const fields = value.split(',').map((field) => field.trim());
  if (fields.some((field) => field === '')) {
    throw new UsageError(`--fields: an empty field name in "${value}"`);
  }
  return fields;
}
