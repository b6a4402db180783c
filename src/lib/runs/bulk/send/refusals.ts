import { type Problem, toError } from '../../../base/errors.ts';
import { createStreak, inRows, namedProblems } from '../../../people/rows/rejected-rows.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part } from '../journal/run-parts.ts';
import { partRows, positionsOf } from './part-emails.ts';
import type { SendingOptions } from './sending-options.ts';

export type Refusals = ReturnType<typeof createRefusals>;

/** Records what the service rejects, and notices when the emails are not the cause. */
export function createRefusals({
  journal,
  keepGoing,
  redacted,
}: Pick<SendingOptions, 'journal' | 'keepGoing' | 'redacted'>) {
  const streak = createStreak();
  let last: { readonly problem: Problem; readonly part: Part } | undefined;
  /** Whether anything was rejected since emails were accepted. */
  let isOpen = false;
  let stoppedAt: typeof last;
  const stop = ({ problem, part }: NonNullable<typeof last>): never => {
    stoppedAt = { problem, part };
    throw toError({ ...inRows(problem, partRows(part)), hint: notAboutEmails });
  };
  const accepted = () => {
    streak.end();
    if (isOpen) journal.settleRefused();
    isOpen = false;
  };
  /** Counts rejected emails of a part. */
  const book = (part: Part, refused: number, problem: Problem) => {
    last = { problem, part };
    isOpen = true;
    streak.add(part.size, refused);
    if (!keepGoing && streak.isLong()) stop(last);
  };
  return {
    /** To be called when emails were accepted: what was rejected before is then about its emails. */
    accepted,
    /**
     * Takes the emails at fault out of a part, and returns how many there are. Throws when so many in a row
     * were rejected that the cause must be something else. Settled emails do not count.
     */
    refuse(part: Part, problem: Problem): number {
      const refused = takeOut(part, problem, journal, redacted);
      if (!part.settled) book(part, refused, problem);
      return refused;
    },
    /**
     * Records emails that the service did not create although it accepted their request; `taken` is how many
     * others it created. Throws like `refuse`.
     */
    notTaken(part: Part, problem: Problem, taken: number): void {
      isOpen = true;
      if (taken > 0) accepted();
      else if (!part.settled) book(part, part.size, problem);
    },
    /** Throws the last rejection if nothing of the run was accepted, or nothing at its end. */
    end(): void {
      if (last === undefined || keepGoing) return;
      const { accepted, unknown } = journal.counts();
      if (accepted + unknown === 0 || streak.isLongAtEnd()) stop(last);
    },
    /**
     * After it threw: makes what was rejected ready again, to be sent once the cause is corrected. Returns the
     * rejection because of which it threw, if it did.
     */
    reopen() {
      if (stoppedAt !== undefined) journal.reopenRefused();
      return stoppedAt;
    },
  };
}

const notAboutEmails =
  'The service rejected all recent emails, so the cause may not be in these emails. To send them again, resume the run. To skip rejected emails and send the others: --keep-going.';

/** Takes out the emails at fault, or splits the part to find them; returns how many are known. */
function takeOut(
  part: Part,
  refusal: Problem,
  journal: Journal,
  redacted: (text: string) => string,
): number {
  const positions = positionsOf(part);
  const named = namedProblems(refusal, positions);
  const [only = 0, ...others] = positions;
  if (others.length === 0) {
    journal.refuse(part.id, redacted(named.get(only) ?? refusal.message));
    return 1;
  }
  const half = Math.ceil(positions.length / 2);
  const rest =
    named.size === 0
      ? [positions.slice(0, half), positions.slice(half)]
      : [positions.filter((position) => !named.has(position))];
  journal.split(part, [
    ...[...named].map(
      ([at, why]) => ({ positions: [at], state: 'refused', problem: redacted(why) }) as const,
    ),
    ...rest.map((positions) => ({ positions, state: 'ready' }) as const),
  ]);
  return named.size;
}
