import type { Command } from '@commander-js/extra-typings';
import { parseInteger } from '../../base/input/numbers.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { allowEmptyFlag } from '../../command-line/command/flags/allow-empty.ts';
import { expectFlag } from '../../command-line/command/flags/expect-flag.ts';
import { expectedCount } from '../../command-line/command/flags/expected-count.ts';
import { rarelyNeeded } from '../../command-line/command/flags/rarely-needed.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';
import { checkFlag } from '../../mail/check/check-flag.ts';
import { waitFlag, waitFlags } from '../../mail/email/wait/wait-flags.ts';
import {
  addContentFlags,
  type ContentFlags,
  flagGroupsOfSend,
} from '../../mail/email/write/send-flags.ts';
import { columnFlags } from '../../people/rows/column-choices.ts';
import { maxInvalidFlag } from '../../people/rows/max-invalid.ts';

/** The highest number that `--again` accepts. */
const mostSendings = 999;

/**
 * The longest idempotency key that can be given by hand, in characters: with its suffixes it must fit into
 * the 256 that the service accepts.
 */
export const longestGivenKey = 200;

/** Declares the flags of a bulk run: what all rows have in common, and how to send them. */
export function addBulkFlags(command: Flags) {
  // One chain of all flags is too much for TypeScript; commander adds them to the same object.
  addRecipientFlag(command);
  addContentFlags(command);
  const described = addRunFlags(command);
  addSendingFlags(command);
  return described;
}

/** Declares `--to`, for rows that do not name their recipients. */
function addRecipientFlag(command: Flags) {
  return command
    .optionsGroup(flagGroupsOfSend.people)
    .addOption(
      repeatableOption('--to <addresses>', 'recipients (default: the column "to", or "email")'),
    );
}

/** Declares the flags that select which rows are sent, and as which run. */
function addRunFlags(command: Flags) {
  return command
    .argument('<file>', 'JSON, JSON Lines or CSV, also gzipped; - for stdin')
    .optionsGroup('Rows:')
    .addOption(columnFlags.map())
    .option('--skip-opted-out', 'skip who does not want email, or did not say so')
    .option('--unique', 'skip rows with the recipients of an earlier row')
    .option('--skip-invalid', 'leave out invalid rows, send the others')
    .option(...allowEmptyFlag)
    .optionsGroup(flagGroupsOfSend.safety)
    .option(...checkFlag)
    .option(
      '--preview <n>',
      'show the first emails, send nothing',
      parseInteger('--preview', { min: 1 }),
    )
    .option('--row <n>', 'send only a test of this row, to --to', parseInteger('--row', { min: 1 }))
    .optionsGroup(rarelyNeeded)
    .addOption(columnFlags.ignoreColumn())
    .addOption(columnFlags.onlyColumns())
    .addOption(columnFlags.ignoreFileName())
    .option(...maxInvalidFlag)
    .option('--shard <i/n>', 'send one shard of the file, such as 3/8')
    .option('--open', 'show the preview in the browser')
    .option(
      '--again [n]',
      'send the whole file again; --again=2 does so only once, however often you run the command',
      parseSending,
    )
    .option(
      '--idempotency-key <key>',
      'prefix of the idempotency keys (default: from the file and the flags)',
    )
    .option(...expectFlag)
    .option(
      '--expect-rows <n>',
      'start only if this many rows are to be sent, such as 240 or 200..300',
      expectedCount('--expect-rows'),
    );
}

/** Declares the flags that change how a run is sent, not what: it can be resumed with others. */
export function addSendingFlags<Values extends unknown[]>(command: Command<Values>) {
  return command
    .optionsGroup(flagGroupsOfSend.time)
    .option(
      '--concurrency <n>',
      'requests at the same time (default: 8)',
      parseInteger('--concurrency', { min: 1, max: 64 }),
    )
    .option('--rate <n>', 'maximum requests per second', parseInteger('--rate', { min: 1 }))
    .optionsGroup(flagGroupsOfSend.output)
    .option('--results <path>', 'the outcome of each row, in JSON Lines or .csv')
    .addOption(waitFlag())
    .option(...waitFlags.waitTimeoutOfAll)
    .optionsGroup(rarelyNeeded)
    .option('--keep-going', 'continue even if the service rejects every email')
    .option('--resend-unknown', 'resend emails whose outcome is unknown')
    .option('--same-account', 'resume with another key or URL of the account')
    .option(...waitFlags.heartbeat);
}

/** The number of a sending, from 2; `true` without a number, which means the next one. */
function parseSending(value: string): number | true {
  return value === '' || parseInteger('--again', { min: 2, max: mostSendings })(value);
}

/** How to send. */
export type SendingFlags = ReturnType<ReturnType<typeof addSendingFlags>['opts']>;
export type BulkFlags = ReturnType<ReturnType<typeof addRunFlags>['opts']> &
  ReturnType<ReturnType<typeof addRecipientFlag>['opts']> &
  SendingFlags &
  ContentFlags;
