import { grouped, quantity } from '../../../base/text/quantity.ts';
import type { AccountInUse } from '../../../command-line/command/account-in-use.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { noRows } from '../../../command-line/command/flags/allow-empty.ts';
import type { RowFindings } from '../../../people/rows/row-findings.ts';
import { type Counts, howFar, redirectedTo } from '../journal/counts.ts';
import type { FoundRun } from '../journal/find-run.ts';
import type { GivenUp } from '../journal/forgotten.ts';
import { shortRunName } from '../journal/named-run.ts';
import type { RunHeader } from '../journal/run-header.ts';
import type { ReadRun } from '../journal/run-store.ts';
import { resumeWith } from '../journal/same-account.ts';
import type { Prepared } from '../prepare/prepare.ts';

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

/** How many rows are left out, because people do not want email or did not say that they do. */
export function skippedInWords({
  optedOut,
  unanswered,
}: Pick<Prepared, 'optedOut' | 'unanswered'>): string {
  const skipped = `${quantity(optedOut + unanswered, 'row')} skipped`;
  if (unanswered === 0) {
    return `${skipped}: ${optedOut === 1 ? 'that person does' : 'these people do'} not want email.`;
  }
  const without = `${grouped(unanswered)} ${unanswered === 1 ? 'has' : 'have'} no answer`;
  const no = `${grouped(optedOut)} ${optedOut === 1 ? 'says' : 'say'} no, `;
  return `${skipped}: ${optedOut === 0 ? '' : no}${without}.`;
}

/** A note that replies take a request each; empty if there are none. */
export function replyNotes({ alone }: Pick<Prepared, 'alone'>): string[] {
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

/** Warnings, of several lines each, that a file was sent before. */
export function othersInWords(
  path: string,
  { before, elsewhere, newer = [] }: Pick<FoundRun, 'before' | 'elsewhere' | 'newer'>,
  account: AccountInUse,
  context: Pick<Context, 'flags' | 'system'>,
): string[][] {
  return [
    ...(before === undefined ? [] : [[sentBefore(path, before)]]),
    ...(elsewhere === undefined ? [] : [sentElsewhere(path, elsewhere, account, context)]),
    ...newer.map((name) => [
      `Run ${shortRunName(name)} was written by a newer mailer, so mailer cannot tell whether it mailed these people.`,
    ]),
  ];
}

/** A warning that a file was sent before, by another command or with other content. */
function sentBefore(path: string, { counts, header }: ReadRun): string {
  const when = new Date(header.begunAt).toISOString();
  return `${path} was sent before, at ${when}: ${howFar(counts, header)}. This new run sends every email again.`;
}

/**
 * A warning that a file was sent by another account before, which would be wrong if it is the same one with a
 * new key and a new URL.
 */
function sentElsewhere(
  path: string,
  { name, counts, header }: ReadRun,
  account: AccountInUse,
  context: Pick<Context, 'flags' | 'system'>,
): string[] {
  const when = new Date(header.begunAt).toISOString();
  const resume = resumeWith(context, name, account, 'other account');
  return [
    `${path} was sent before by another account, with another API key at ${header.baseUrl}, at ${when}: ${howFar(counts, header)}. This new run sends every email from ${account.baseUrl}.`,
    `To resume that run instead, if it is the same account: ${resume}`,
  ];
}

/** The question before a new run. */
export function questionAbout(
  { emails, requests }: Prepared,
  { shard, redirect }: Pick<RunHeader, 'shard' | 'redirect'>,
): string {
  const which = shard === undefined ? '' : `, shard ${shard} of the file`;
  const sent = quantity(requests, 'request');
  return `Send ${quantity(emails, 'email')} in ${sent}${which}${redirectedTo(redirect)}?`;
}

/** The question before a run is resumed; it names unknown emails if they are to be sent again. */
export function questionAboutRest(
  { ready, begun, unknown }: Counts,
  { emails, redirect }: RunHeader,
  resend: boolean,
): string {
  const left = `Resume this run? ${grouped(ready + begun)} of ${quantity(emails, 'email')} are left${redirectedTo(redirect)}.`;
  if (!resend) return left;
  return `${left} ${quantity(unknown, 'email')} with an unknown outcome will be sent again, perhaps a second time.`;
}

/** How far a run is, or its outcome. */
export function outcomeInWords(
  counts: Counts,
  { rows, emails, invalid, redirect }: RunHeader,
): string {
  if (rows === 0) return noRows;
  const { accepted, refused, unknown, ready, begun } = counts;
  const parts = [
    `Accepted ${grouped(accepted)} of ${quantity(emails, 'email')}${redirectedTo(redirect)}`,
    ...(refused > 0 ? [`${grouped(refused)} rejected`] : []),
    ...(unknown > 0 ? [`${grouped(unknown)} with an unknown outcome`] : []),
    ...(ready + begun > 0 ? [`${grouped(ready + begun)} still to send`] : []),
    ...(invalid > 0 ? [`${quantity(invalid, 'invalid row')} skipped`] : []),
  ];
  return `${parts.join('; ')}.`;
}

/** What happens to accepted emails if the account is blocked. */
export function heldInWords(accepted: number): string {
  return `${quantity(accepted, 'email')} accepted, but the account is blocked: they stay queued.`;
}
