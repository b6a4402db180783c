import { type Command, Option } from '@commander-js/extra-typings';
import { UsageError } from '../../../base/errors.ts';
import { parseDuration } from '../../../base/input/duration.ts';
import { parseInteger } from '../../../base/input/numbers.ts';
import type { PromptFlags } from '../../../base/terminal/prompts.ts';
import { version } from '../../../base/version.ts';
import type { AccountFlags } from '../../../service/account/resolve-account.ts';
import type { RequestLimits } from '../../../service/http/client.ts';
import type { Offer } from '../../completion/offer.ts';
import type { OutputFlags } from '../../output/format.ts';
import { expectFlag } from './expect-flag.ts';

/** The values of the flags that commands share. */
export interface CommonFlags extends AccountFlags, OutputFlags, PromptFlags {
  /** Milliseconds. */
  readonly timeout?: number;
  readonly retries?: number;
  readonly timezone?: string;
  readonly encoding?: string;
  /** The digest that what is changed must have. */
  readonly expect?: string;
  readonly debug?: boolean;
  readonly forApproval?: boolean;
}

/** The limits unless a flag, a setting or the command has others. */
export const usualLimits: RequestLimits = {
  timeout: 30_000,
  retries: 4,
  // Services lock a key for 60 s while they carry out its request. Giving up earlier, and repeating it after that,
  // could carry it out twice.
  keyedTimeout: 120_000,
};

/** The groups of common flags, in the order of the help page. A title has its own section there. */
export const flagGroups = [
  'every command',
  'lists',
  'files',
  'times',
  'dry runs',
  'expected digests',
  'approval',
  'confirmation',
  'sandbox',
  'service',
] as const;

export type FlagGroup = (typeof flagGroups)[number];

/** What a command tells about the common flags. */
export interface CommonFlagUse {
  /** The groups that it uses, besides those of every command. */
  readonly takes?: readonly FlagGroup[];
  /** The default limits of its requests, if they are special. */
  readonly defaults?: RequestLimits;
  /** What help says about `--quiet`, if it differs from other commands. */
  readonly quiet?: string;
  /** Whether it has short flags of its own, so that common flags have only long names. */
  readonly ownLetters?: boolean;
}

/** Declares the flags of every command, and those of the groups that this command takes. */
export function addCommonFlags(
  command: Command,
  { takes = [], defaults, quiet, ownLetters = false }: CommonFlagUse,
): void {
  const letter = (short: string) => (ownLetters ? '' : `${short}, `);
  const { timeout, retries, keyedTimeout } = defaults ?? usualLimits;
  const flags: Readonly<Record<FlagGroup, () => readonly Option[]>> = {
    'every command': () => [
      new Option('--json', 'the result as one JSON document'),
      new Option('--jq <expression>', 'filter the JSON with a jq expression, whose env is empty'),
      new Option('--fields <a,b.c>', 'only these fields, in this order').argParser(parseFields),
      new Option(`${letter('-q')}--quiet`, quiet ?? 'only ids or names, one per line'),
      new Option('--no-color', 'no colour'),
      new Option('--profile <name>', 'account to use'),
      // Another name than `input`: some commands have `--input`, and commander would read this as
      // its negation.
      Object.assign(new Option('--no-input', 'never ask questions, as in CI and for AI agents'), {
        attributeName: () => 'ask',
      }),
      new Option('--debug', 'trace requests on stderr, key redacted'),
    ],
    lists: () => [
      new Option('--jsonl', 'one JSON object per line, as they arrive'),
      new Option('--csv', 'CSV with a header, RFC 4180'),
      new Option('--csv-safe', 'CSV for spreadsheets: formulas become text'),
      // Not `header`, for the same reason.
      Object.assign(new Option('--no-header', 'leave out the header'), {
        attributeName: () => 'headerLine',
      }),
    ],
    files: () => [
      new Option('--encoding <label>', 'charset of files that are not UTF-8, such as windows-1252'),
    ],
    times: () => [new Option('--timezone <name>', 'time zone for times, such as Europe/Berlin')],
    'dry runs': () => [new Option('--dry-run', 'print the request, send nothing')],
    'expected digests': () => [new Option(expectFlag[0], expectFlag[1]).argParser(expectFlag[2])],
    approval: () => [
      new Option('--for-approval', 'store it in the outbox, send nothing; see mailer outbox'),
    ],
    confirmation: () => [new Option(`${letter('-y')}--yes`, 'answer yes to confirmations')],
    sandbox: () => [new Option('--sandbox', 'use the local sandbox, not the network')],
    service: () => [
      new Option('--base-url <url>', 'URL of the service'),
      new Option('--allow-http', 'allow sending the key over plain http'),
      new Option(
        '--timeout <duration>',
        `limit for each request, such as 2m (default: ${timeout / 1000}s${keyedTimeout === undefined ? '' : `, for sends ${keyedTimeout / 1000}s`})`,
      ).argParser(parseDuration('--timeout')),
      new Option('--retries <n>', `retries per request (default: ${retries})`).argParser(
        parseInteger('--retries', { min: 0 }),
      ),
    ],
  };
  // If a command has its own text for a flag, help lists it with the command's own flags.
  const special = [quiet && '--quiet', ...(defaults ? ['--timeout', '--retries'] : [])];
  for (const group of flagGroups) {
    const isTaken = group === 'every command' || takes.includes(group);
    // Scripts may give --yes to any command, so where nothing is confirmed it is only not shown.
    if (!isTaken && group !== 'confirmation') continue;
    for (const option of flags[group]()) {
      command.addOption(
        option.helpGroup(special.includes(option.long) ? 'Flags:' : group).hideHelp(!isTaken),
      );
    }
  }
  command
    .optionsGroup('every command' satisfies FlagGroup)
    .version(version, `${letter('-V')}--version`, 'show the version')
    .addHelpOption(new Option(`${letter('-h')}--help`, 'show help').helpGroup('every command'));
}

/** The environment variables of these flags. */
export const variableOf: Readonly<Record<string, string>> = {
  '--profile': 'MAILER_PROFILE',
  '--base-url': 'MAILER_BASE_URL',
};

/** What TAB offers for the values of these flags. */
export const commonOffers: Readonly<Record<string, Offer>> = {
  '--profile': 'profiles',
  '--fields': 'fields',
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
