import { MailerError, PartialError, WaitTimeoutError } from '../../base/errors.ts';
import { compact } from '../../base/text/compact.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { sayingHowFar } from '../../command-line/command/after-sending.ts';
import type { Context } from '../../command-line/command/context.ts';
import { noRows } from '../../command-line/command/flags/allow-empty.ts';
import { sameCommand } from '../../command-line/command/repeat-command.ts';
import type { InvalidFlags } from '../rows/max-invalid.ts';
import { type ContactOutcome, type ContactResult, contactResult } from './contact-results.ts';
import type { ImportNumbers } from './import-shape.ts';
import type { Parts } from './parts.ts';
import type { PreparedImport } from './sending.ts';

export interface ImportOutcome extends ImportNumbers {
  /** The command's error, unless the book matches all rows. */
  readonly failure: MailerError | undefined;
}

/** The most rows named one by one; the others are counted. */
const mostRows = 10;

/** The outcome of an import, once nothing more is sent or waited for. */
export function outcomeOf(prepared: PreparedImport): ImportOutcome {
  const { context, flags, book, plan, parts, ledger } = prepared;
  const leftOut = parts.leftOut();
  const countOf = (one: ContactOutcome) => leftOut.get(one) ?? 0;
  const counts: Record<ContactOutcome, number> = {
    ...{ new: plan.new + plan.inDoubt, changed: plan.changed, unchanged: plan.unchanged },
    ...{ unsubscribed: plan.unsubscribed, skipped: plan.skipped },
    ...{ duplicate: countOf('duplicate'), invalid: countOf('invalid'), policy: countOf('policy') },
    ...{ rejected: 0, missing: 0, unknown: 0 },
  };
  const first: ContactResult[] = [];
  for (const row of parts.notThere()) {
    const [, , kind] = row.said;
    const result = contactResult(row);
    counts[kind]--;
    counts[result.outcome]++;
    if (first.length < mostRows) first.push(result);
  }
  const { rows, toCheck: columnsToCheck } = plan;
  const numbers = {
    ...{ contactBookId: book.id, book: book.name, rows, ...counts, columnsToCheck },
  };
  return {
    ...numbers,
    failure: failureOf(context, numbers, first, { mails: ledger !== undefined, flags }),
  };
}

function failureOf(
  context: Context,
  numbers: ImportNumbers,
  first: readonly ContactResult[],
  { mails, flags }: { readonly mails: boolean; readonly flags: InvalidFlags },
): MailerError | undefined {
  const { rejected, missing, unknown, invalid, policy } = numbers;
  const notDone = rejected + missing + unknown;
  const skipped = flags.maxInvalid === undefined ? invalid : 0;
  if (notDone + skipped + policy === 0) return undefined;
  const named = first.map(({ row, email, message }) => `row ${row} (${email}): ${message}`);
  const message = [importInWords(numbers), ...withOverflowCount(named, notDone)];
  const resend = again(context, '--resend-unknown').line;
  const { line, needs } = again(context);
  const hints = compact(
    missing > 0 && mails && `To continue waiting for the missing contacts${needs}: ${line}`,
    missing > 0 && !mails && `To send the missing contacts again${needs}: ${line}`,
    missing > 0 && mails && unknown === 0 && `If they do not arrive, send them again: ${resend}`,
    unknown > 0 &&
      `Contacts whose outcome is unknown may have received an email that asks for confirmation. To send them again${needs}: ${resend}`,
  );
  const details = hints.length === 0 ? {} : { hint: hints.join('\n') };
  const text = message.join('\n');
  return missing + unknown > 0
    ? new WaitTimeoutError(text, details)
    : new PartialError(text, details);
}

/** This command again, without a decision that was for once. */
function again(context: Context, ...flags: readonly string[]) {
  return sameCommand(context, ['--resend-unknown'], flags);
}

/** Adds to an error how far the import is, and that the same command continues it. */
export function withImportProgress(thrown: unknown, context: Context, parts: Parts): unknown {
  if (!(thrown instanceof MailerError)) return thrown;
  const { ready = 0, taken = 0, there = 0, rejected = 0, ...open } = parts.counts();
  const mayArrive = Object.values(open).reduce((sum, size) => sum + size, 0);
  const all = ready + taken + there + rejected + mayArrive;
  const more = mayArrive === 0 ? '' : `, ${grouped(mayArrive)} may still arrive`;
  const { line, needs } = again(context);
  const known = `${grouped(there)} of ${quantity(all, 'contact')} ${all === 1 ? 'is' : 'are'} known to be in the book so far`;
  return sayingHowFar(
    thrown,
    `${known}${more}. To continue, run the same command again${needs}:\n${line}`,
  );
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
