import { type Problem, toError } from '../../base/errors.ts';
import { createStreak, inRows, namedProblems } from '../rows/rejected-rows.ts';
import { type ContactPart, rowsOfPart } from './parts.ts';
import type { Sending } from './sending.ts';

/** Records which contacts the service rejects, and notices when the contacts are not the cause. */
export function createRejections({
  context: { redacted },
  parts,
  flags: { keepGoing },
}: Pick<Sending, 'context' | 'parts' | 'flags'>) {
  const streak = createStreak();
  let isAnyAccepted = false;
  let last: { readonly problem: Problem; readonly part: ContactPart } | undefined;
  const stop = ({ problem, part }: NonNullable<typeof last>): never => {
    throw toError({ ...inRows(problem, rowsOfPart(part)), hint: notAboutContacts });
  };
  return {
    /** To be called when contacts were accepted: what was rejected before is then about its contacts. */
    accepted(): void {
      streak.end();
      isAnyAccepted = true;
    },
    /**
     * Takes the contacts at fault out of a part, or splits it to find them; returns how many there are. Throws when
     * so many in a row were rejected that the cause must be something else.
     */
    reject(part: ContactPart, problem: Problem): number {
      const { id, size } = part;
      const rows = rowsOfPart(part).map(([row]) => row);
      const named = namedProblems(problem, rows);
      const [only = 0] = rows;
      if (size === 1 && named.size === 0) named.set(only, problem.message);
      last = { problem, part };
      if (named.size === 0) {
        parts.halve(part);
        return 0;
      }
      const notes = new Map([...named].map(([row, why]) => [row, redacted(why)]));
      parts.set(id, 'ready');
      parts.takeOut(id, 'rejected', notes);
      streak.add(size, named.size);
      if (!keepGoing && streak.isLong()) stop(last);
      return named.size;
    },
    /** Throws the last rejection if nothing was accepted, and nothing may have been. */
    end(): void {
      if (last === undefined || keepGoing || isAnyAccepted) return;
      if (parts.counts().begun === undefined) stop(last);
    },
  };
}

const notAboutContacts =
  'The service rejected all recent contacts, so the cause may not be in these contacts. To send them again, run the same command again. To skip rejected contacts and send the others: --keep-going.';
