import type { Context } from '../../command/context.ts';
import { PolicyError, UsageError } from '../../errors.ts';
import { policyError, tooManyFor, tooManyToday } from '../../policy/refusal.ts';
import { grouped, quantity } from '../../text/quantity.ts';
import { type Counts, howFar } from '../journal/counts.ts';
import type { EarlierRun } from '../journal/find-run.ts';
import type { RunHeader } from '../journal/header.ts';
import type { GivenUp } from '../journal/key-lifetime.ts';
import type { OpenRun } from '../journal/run-store.ts';
import type { Prepared } from '../prepare/prepare.ts';
import type { RowFindings } from '../prepare/row-findings.ts';

/**
 * Throws an error that names the first invalid rows, unless they are skipped: a `PolicyError` if a policy
 * refuses one, otherwise a `UsageError`.
 */
export function refuseInvalid(prepared: Prepared, skip: boolean): void {
  const { invalid, rows, problems, refusal } = prepared;
  if (invalid === 0 || (skip && invalid < rows)) return;
  const message = [
    `${quantity(invalid, 'row')} of ${grouped(rows)} cannot be sent:`,
    ...problems,
  ].join('\n');
  const hint = `Nothing was sent.${invalid < rows ? ' To send the others: --skip-invalid' : ''}`;
  throw refusal === undefined
    ? new UsageError(message, { hint })
    : new PolicyError(message, { hint, refusal });
}

/**
 * Throws a `PolicyError` where a run mails more than the policy allows; `counted` of them were counted
 * for a day when their requests were begun.
 */
export async function refuseTooMany(
  { policy, dayCount }: Pick<Context, 'policy' | 'dayCount'>,
  recipients: number,
  counted = 0,
): Promise<void> {
  const { policy: rules } = await policy();
  const over = rules.maxRecipients.find(({ value }) => recipients > value);
  if (over !== undefined) throw policyError(tooManyFor(over, recipients));
  if (rules.maxPerDay.length === 0) return;
  const units = recipients - counted;
  const exceeded = (await dayCount()).exceeded({ units }, rules.maxPerDay);
  if (exceeded !== undefined) throw policyError(tooManyToday(exceeded, units));
}

/**
 * Throws a `PolicyError` if the policy became stricter since a run was prepared, as far as that can be told
 * before it is resumed: each request is checked again before it is sent.
 */
export async function refuseByPolicy(
  context: Pick<Context, 'policy' | 'dayCount'>,
  { journal, header }: Pick<OpenRun, 'journal' | 'header'>,
): Promise<void> {
  const { ready, begun } = journal.counts();
  await refuseTooMany(context, ready + begun, begun);
  const { policy } = await context.policy();
  const [rule] = policy.redirectTo;
  const redirect = rule?.value;
  if (redirect === header.redirect) return;
  const [was, is] = [header.redirect, redirect].map((one) => one ?? 'nobody');
  throw new PolicyError(`This run was prepared to be redirected to ${was}; now it is ${is}.`, {
    hint: 'Nothing was sent. Start another run from the file, or restore the policy: mailer policy show',
    refusal: rule && { rule: rule.rule, place: rule.place, addresses: [] },
  });
}

/** What to know before confirming: warnings of several lines each. */
export function warnings(
  { duplicates, repeated, invalid, problems }: RowFindings,
  unique: boolean,
): string[][] {
  const skipped = [`${quantity(invalid, 'row')} skipped:`, ...problems];
  const rows = quantity(duplicates, 'row');
  const twice = unique
    ? [`${rows} skipped, because an earlier row has the same recipients:`, ...repeated]
    : [
        `${rows} with the same recipients as an earlier row:`,
        ...repeated,
        'To skip these: --unique',
      ];
  return [...(invalid > 0 ? [skipped] : []), ...(duplicates > 0 ? [twice] : [])];
}

/** A note that replies take a request each; empty if there are none. */
export function aboutReplies({ alone }: Pick<Prepared, 'alone'>): string[] {
  if (alone === 0) return [];
  const rows =
    alone === 1 ? '1 row is a reply and is' : `${grouped(alone)} rows are replies and are`;
  return [`${rows} sent individually, because the service drops inReplyToId in a batch.`];
}

/** Why the outcome of some emails is unknown, in lines. */
export function whyUnknown({ emails, disputed }: GivenUp): string[] {
  const why = (age: string) =>
    `The outcome of ${quantity(emails, 'email')} is unknown: there was no response, and the service ${age} the request by now.`;
  if (disputed === 0) return [why('has forgotten')];
  const clocks = `This machine's clock and the service's disagree on how long ago that was, so one of them was changed. mailer assumes the longer time.`;
  return [why('may have forgotten'), clocks];
}

/** A warning that a file was sent before, by another command or with other content. */
export function sentBefore(path: string, { counts, header }: EarlierRun): string {
  const when = new Date(header.begunAt).toISOString();
  return `${path} was sent before, at ${when}: ${howFar(counts, header)}. This new run sends to every recipient again.`;
}

/** The question before a new run. */
export function questionAbout({ emails, requests }: Prepared, shard: string | undefined): string {
  const which = shard === undefined ? '' : `, shard ${shard} of the file`;
  return `Send ${quantity(emails, 'email')} in ${quantity(requests, 'request')}${which}?`;
}

/** The question before a run is resumed; it names unknown emails if they are to be sent again. */
export function questionAboutRest(
  { ready, begun, unknown }: Counts,
  { emails }: RunHeader,
  resend: boolean,
): string {
  const left = `Resume this run? ${grouped(ready + begun)} of ${quantity(emails, 'email')} are left.`;
  if (!resend) return left;
  return `${left} ${quantity(unknown, 'email')} with an unknown outcome will be sent again, perhaps a second time.`;
}

/** How far a run is, or its outcome. */
export function outcomeInWords(counts: Counts, { emails, invalid }: RunHeader): string {
  const { accepted, refused, unknown, ready, begun } = counts;
  const parts = [
    `Accepted ${grouped(accepted)} of ${quantity(emails, 'email')}`,
    ...(refused > 0 ? [`${grouped(refused)} rejected`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} unknown`] : []),
    ...(ready + begun > 0 ? [`${grouped(ready + begun)} left`] : []),
    ...(invalid > 0 ? [`${quantity(invalid, 'row')} skipped by --skip-invalid`] : []),
  ];
  return `${parts.join('; ')}.`;
}
