import { noRows } from '../bulk/input/allow-empty.ts';
import { resumeCommand } from '../bulk/journal/named-run.ts';
import type { OpenRun } from '../bulk/journal/run-store.ts';
import type { Context } from '../command/context.ts';
import { type MailerError, PartialError, WaitTimeoutError } from '../errors.ts';
import { grouped, quantity } from '../text/quantity.ts';
import { withMore } from '../text/quoted-names.ts';
import {
  type ContactOutcome,
  type ContactResult,
  contactOutcomes,
  contactResults,
} from './contact-results.ts';

/** The outcome of an import, in numbers of rows. */
export interface ImportNumbers
  extends Readonly<Record<Exclude<ContactOutcome, 'not_sent'>, number>> {
  /** The run's name, for `mailer run get`. */
  readonly run: string;
  readonly contactBookId: string;
  /** The book's name. */
  readonly book: string;
  readonly rows: number;
}

export interface ImportOutcome extends ImportNumbers {
  /** The command's error, unless the book matches all rows. */
  readonly failure: MailerError | undefined;
}

/** The most rows named one by one; the others are counted. */
const mostRows = 10;

const notThere: readonly ContactOutcome[] = ['rejected', 'missing', 'unknown', 'not_sent'];

/** The outcome of a run, once nothing more is sent or waited for. */
export function outcomeOf(context: Context, run: OpenRun): ImportOutcome {
  const { name, header, journal } = run;
  const { book = '', bookName = '', compared } = header.contacts ?? {};
  const ofRun = { run: name, contactBookId: book, book: bookName, rows: header.rows };
  const isAccepted = journal.counts().accepted === header.emails;
  if (compared !== undefined && isAccepted && header.invalid === 0) {
    // No row has another outcome, so none needs to be read.
    const { duplicates: duplicate } = header;
    const numbers = {
      ...ofRun,
      ...compared,
      duplicate,
      invalid: 0,
      policy: 0,
      rejected: 0,
      missing: 0,
      unknown: 0,
    };
    return { ...numbers, failure: failureOf(context, run, numbers, []) };
  }
  const counts = Object.fromEntries(contactOutcomes.map((one) => [one, 0])) as Record<
    ContactOutcome,
    number
  >;
  const first: ContactResult[] = [];
  for (const result of contactResults(journal)) {
    counts[result.outcome]++;
    if (notThere.includes(result.outcome) && first.length < mostRows) first.push(result);
  }
  const { not_sent: _, ...numbers } = counts;
  const all = { ...ofRun, ...numbers };
  return { ...all, failure: failureOf(context, run, all, first) };
}

function failureOf(
  context: Context,
  { name }: OpenRun,
  numbers: ImportNumbers,
  first: readonly ContactResult[],
): MailerError | undefined {
  const { rejected, missing, unknown, invalid, policy } = numbers;
  const notDone = rejected + missing + unknown;
  if (notDone + invalid + policy === 0) return undefined;
  const named = first.map(({ row, email, message }) => `row ${row} (${email}): ${message}`);
  const message = [importInWords(numbers), ...withMore(named, notDone)];
  const resend = resumeCommand(context, name, '--resend-unknown');
  const hints = [
    ...(missing > 0
      ? [`To continue waiting for the missing contacts: ${resumeCommand(context, name)}`]
      : []),
    ...(missing > 0 && unknown === 0 ? [`If they do not arrive, send them again: ${resend}`] : []),
    ...(unknown > 0
      ? [
          `Contacts whose outcome is unknown may have received an email that asks for confirmation. To send them again: ${resend}`,
        ]
      : []),
  ];
  const details = hints.length === 0 ? {} : { hint: hints.join('\n') };
  const text = message.join('\n');
  return missing > 0 ? new WaitTimeoutError(text, details) : new PartialError(text, details);
}

/** The outcome of an import, as a sentence. */
export function importInWords(numbers: ImportNumbers): string {
  if (numbers.rows === 0) return noRows;
  const { book, unchanged, unsubscribed, skipped, duplicate, invalid, policy } = numbers;
  const { rejected, missing, unknown } = numbers;
  const others = [
    [unchanged, 'unchanged'],
    [unsubscribed, 'unsubscribed before, and not subscribed again'],
    [skipped, 'left out, because the file does not say that they want email'],
    [duplicate, 'replaced by a later row'],
    [invalid, 'invalid'],
    [policy, 'not allowed by the policy'],
    [rejected, 'rejected'],
    [missing, 'missing'],
    [unknown, 'unknown'],
  ] as const;
  const rest = others.flatMap(([count, word]) =>
    count === 0 ? [] : [`${grouped(count)} ${word}`],
  );
  const { new: added, changed } = numbers;
  return `${[`${quantity(added, 'new contact')} in ${book}, ${grouped(changed)} changed`, ...rest].join('; ')}.`;
}
