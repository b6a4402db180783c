import { emailStatuses } from '../../../api/email-status.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';
import type { Offer } from '../../command-line/completion/offer.ts';
import { offerRuns } from '../bulk/show/offer-runs.ts';

/** Emails that are looked through without `--since`, `--all` and `--max-scanned`. */
export const usuallyScanned = 5000;

/** What TAB offers for the filters. */
export const findOffers: Readonly<Record<string, Offer>> = {
  '--domain': 'domains',
  '--from': 'senders',
  '--run': offerRuns,
};

/** Declares the filters that commands about many emails share. */
export function addFindFlags(command: Flags) {
  return command
    .optionsGroup('Filters:')
    .option('--since <when>', 'created at or after: ISO 8601, yesterday, 2d')
    .option('--until <when>', 'created at or before, or on that day')
    .addOption(repeatableOption('--domain <id or name>', 'sent from this domain; repeat'))
    .addOption(
      repeatableOption(
        '--status <status...>',
        'its status is one of these: BOUNCED, DELIVERED …',
        emailStatuses,
      ),
    )
    .option('--failed', 'it did not arrive: bounced, rejected, suppressed, failed')
    .option('--pending', 'it is scheduled, queued, sent or delayed')
    .option('--permanent', 'of bounces, only permanent ones; implies --events')
    .option('--transient', 'of bounces, only transient ones; implies --events')
    .addOption(
      repeatableOption(
        '--to <addresses>',
        'to, cc or bcc: addresses, or *@example.org; repeat, or separate with commas',
      ),
    )
    .addOption(repeatableOption('--from <addresses>', 'the sender, in the same way'))
    .addOption(
      repeatableOption('--subject <text>', 'the subject contains this, or matches "Order *"'),
    )
    .option('--run <run>', 'sent by this bulk run on this machine')
    .option('--campaign <campaign>', 'looks like an email of this campaign: id or exact name')
    .option('--events', 'with the last event, its time and reason: one request per email');
}

/** The filters of emails as given. */
export type FindFlags = ReturnType<ReturnType<typeof addFindFlags>['opts']>;

/** The flag `--max-scanned`. */
export const maxScannedFlag = [
  '--max-scanned <n>',
  'with filters, emails to look through (default: 5000, all with --since)',
  parseInteger('--max-scanned', { min: 1 }),
] as const;
