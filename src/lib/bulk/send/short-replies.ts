import type { SendBody } from '../../../api/email.ts';
import { missingTemplate } from '../../email/send/missing-template.ts';
import { MailerError, problemOf, toError } from '../../errors.ts';
import { withMore } from '../../text/quoted-names.ts';
import type { BegunPart, Part } from '../journal/run-parts.ts';
import { matchInOrder, type TakenEmail } from './match-in-order.ts';
import { emailsOf } from './part-emails.ts';
import type { Refusals } from './refusals.ts';
import type { SendingOptions } from './sending-options.ts';

interface Tools {
  readonly refusals: Pick<Refusals, 'notTaken'>;
  /** Whether to continue reading. */
  readonly goesOn: () => boolean;
  /** Receives an error about this part only, to be thrown at the end. */
  readonly later: (error: MailerError) => void;
}

/** How often an email is sent that the service does not create, at most. */
const mostMisses = 2;
/** Ids in a message, at most. */
const mostIds = 10;

/**
 * Settles a part whose request the service accepted without creating all of its emails. The created ones
 * are read back by their ids, and matched. Missing ones are sent once more under another key, and are
 * rejected if they are missing again. Those that cannot be told apart are unknown. The ids are in the
 * journal before the first email is read, so that another process can continue.
 */
export function createShortReplies(
  { journal, bodies, readBack, signal, warnOf, report }: SendingOptions,
  { refusals, goesOn, later }: Tools,
): (part: Part | BegunPart, ids: readonly string[]) => Promise<void> {
  const settle = (part: Part, ids: readonly string[], taken: readonly TakenEmail[]) => {
    const sent = emailsOf(part, bodies);
    const emails = sent.map(({ email }) => email);
    const { certain, uncertain, untaken } = matchInOrder(taken, emails);
    const among = (places: readonly number[]) => places.flatMap((place) => sent[place] ?? []);
    const positions = (places: readonly number[]) => among(places).map(({ position }) => position);
    const rows = (places: readonly number[]) => among(places).map(({ row }) => row);
    const known = ids.filter((_, index) => certain[index] !== undefined);
    const others = ids.filter((_, index) => certain[index] === undefined);
    const isLast = part.misses + 1 >= mostMisses;
    const problem = whyNotTaken(among(untaken).map(({ email }) => email));
    journal.divide(part, {
      accepted: { positions: positions(certain.filter((one) => one !== undefined)), ids: known },
      unknown: {
        positions: positions(uncertain),
        problem: `it may have been sent; it is unknown which of ${uncertain.length} emails the service created: ${shownIds(others)}`,
      },
      untaken: { positions: positions(untaken), problem: isLast ? problem : undefined },
    });
    if (uncertain.length > 0) warnOf(rows(uncertain), 'unknown');
    if (untaken.length > 0 && !isLast) warnOf(rows(untaken), 'again');
    // Unknown emails count as decided, too.
    report(known.length + uncertain.length, isLast ? untaken.length : 0);
    if (untaken.length > 0 && isLast) {
      refusals.notTaken(part, { code: 'rejected', message: problem, status: 200 }, ids.length);
    }
  };
  return async (part, ids) => {
    if (!('ids' in part) || part.ids === undefined) journal.short(part.id, ids);
    let taken: readonly TakenEmail[] | undefined;
    try {
      taken = await readBack(ids, goesOn);
    } catch (error) {
      if (signal.aborted || !(error instanceof MailerError)) throw error;
      const message = `Cannot read which emails of a request the service created: ${error.message}`;
      later(toError({ ...problemOf(error), message }));
      return;
    }
    if (taken !== undefined) settle(part, ids, taken);
  };
}

/** All emails of a part have the same template, or none. */
function whyNotTaken(emails: readonly SendBody[]): string {
  const said = 'The service did not create this email and gave no reason.';
  return [said, missingTemplate(emails) ?? []].flat().join(' ');
}

function shownIds(ids: readonly string[]): string {
  return withMore(ids.slice(0, mostIds), ids.length).join(', ');
}
