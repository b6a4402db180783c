import { withOverflowCount } from '../../../base/text/quoted-names.ts';
import { missingTemplate } from '../../../mail/email/send/missing-template.ts';
import type { Part } from '../journal/run-parts.ts';
import { matchInOrder, type TakenEmail } from './match-in-order.ts';
import { emailsOf } from './part-emails.ts';
import type { Refusals } from './refusals.ts';
import type { SendingOptions } from './sending-options.ts';

/** How often an email is sent that the service does not create, at most. */
const mostMisses = 2;
/** Ids in a message, at most. */
const mostIds = 10;

/**
 * Divides a part of whose emails the service created only those with these ids, as it shows them. Missing ones
 * are sent once more under another key, and are rejected if they are missing again. Those that cannot be told
 * apart are unknown.
 */
export function divide(
  { journal, warnOf, report }: SendingOptions,
  refusals: Pick<Refusals, 'notTaken'>,
  part: Part,
  ids: readonly string[],
  taken: readonly TakenEmail[],
): void {
  const sent = emailsOf(part, journal);
  const emails = sent.map(({ email }) => email);
  const { certain, uncertain, untaken } = matchInOrder(taken, emails);
  const among = (places: readonly number[]) => places.flatMap((place) => sent[place] ?? []);
  const positions = (places: readonly number[]) => among(places).map(({ position }) => position);
  const rows = (places: readonly number[]) => among(places).map(({ row }) => row);
  const known = ids.filter((_, index) => certain[index] !== undefined);
  const others = ids.filter((_, index) => certain[index] === undefined);
  const isLast = part.misses + 1 >= mostMisses;
  const said = 'The service did not create this email and gave no reason.';
  const template = missingTemplate(among(untaken).map(({ email }) => email));
  const problem = [said, template ?? []].flat().join(' ');
  const again = {
    positions: positions(untaken),
    // Under the same key the service would repeat the response that left them out.
    attempt: part.attempt + 1,
    misses: part.misses + 1,
    // If it accepted others of the same request, the rejection is about these emails.
    settled: part.settled || known.length + uncertain.length > 0,
  };
  journal.split(part, [
    {
      positions: positions(certain.filter((one) => one !== undefined)),
      state: 'accepted',
      ids: known,
    },
    {
      positions: positions(uncertain),
      state: 'unknown',
      problem: `it may have been sent; it is unknown which of ${uncertain.length} emails the service created: ${withOverflowCount(others.slice(0, mostIds), others.length).join(', ')}`,
    },
    isLast ? { ...again, state: 'refused', problem } : { ...again, state: 'ready' },
  ]);
  if (uncertain.length > 0) warnOf(rows(uncertain), 'unknown');
  if (untaken.length > 0 && !isLast) warnOf(rows(untaken), 'again');
  // Unknown emails count as decided, too.
  report(known.length + uncertain.length, isLast ? untaken.length : 0);
  if (untaken.length > 0 && isLast) {
    refusals.notTaken(part, { code: 'rejected', message: problem, status: 200 }, ids.length);
  }
}
