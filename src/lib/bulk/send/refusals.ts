import { type Problem, toError } from '../../errors.ts';
import type { Unaccepted } from '../../http/outcome.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part, SmallerPart } from '../journal/run-parts.ts';
import { inRows, namedProblems } from './named-rows.ts';
import { positionsOf } from './part-emails.ts';
import type { Handed } from './part-queue.ts';
import type { SendingOptions } from './sending-options.ts';

/** Statuses by which a service says that emails are at fault, not the account or the request. */
const aboutEmails: readonly (number | undefined)[] = [400, 413, 422];

/** Emails rejected in a row, with none accepted in between, after which it is not about single ones. */
const enoughOneByOne = 10;
const enoughAtOnce = 100;

/**
 * Whether emails may be sent under other keys after a rejection: only if the service certainly does not
 * have them. A repetition may be rejected for another reason (a quota) although the first request was
 * accepted. Emails named as invalid were never accepted, nor was what is too large for a proxy.
 */
export function isAboutEmails(unaccepted: Unaccepted, { part, fresh }: Handed): boolean {
  const { outcome, problem, unansweredBefore, mayBeOfProxy } = unaccepted;
  const { code, status } = problem;
  if (code !== 'rejected') return false;
  const first = fresh && !unansweredBefore && outcome === 'refused';
  if (mayBeOfProxy) return status === 413 && first;
  return aboutEmails.includes(status) && (first || namedProblems(problem, part).size > 0);
}

/**
 * Why a part stays as it is, to be repeated later, while the others are sent; undefined for a problem that
 * ends the run.
 */
export function inDoubt(
  { problem, mayBeOfProxy }: Unaccepted,
  { fresh }: Handed,
): Problem | undefined {
  const { code, status } = problem;
  // An invalid response to a request that was sent before must not keep the other emails waiting until
  // the service has forgotten the request.
  if (code === 'bad_reply' && !fresh) return problem;
  if (code !== 'rejected' || mayBeOfProxy || !aboutEmails.includes(status)) return undefined;
  return {
    ...problem,
    hint: 'An earlier response was lost, so the emails of this request may have been sent. It is retried unchanged, and not split. Once it is 24 hours old, --resend-unknown resends them.',
  };
}

export type Refusals = ReturnType<typeof createRefusals>;

/** Records what the service rejects, and notices when the emails (or what `kind` says) are not the cause. */
export function createRefusals(
  { journal, keepGoing, redacted }: Pick<SendingOptions, 'journal' | 'keepGoing' | 'redacted'>,
  kind = 'emails',
) {
  let oneByOne = 0;
  let atOnce = 0;
  let last: { readonly problem: Problem; readonly part: Part } | undefined;
  /** Whether anything was rejected since emails were accepted. */
  let isOpen = false;
  let stopped = false;
  const stop = ({ problem, part }: NonNullable<typeof last>): never => {
    stopped = true;
    throw toError({ ...inRows(problem, part), hint: notAbout(kind) });
  };
  const accepted = () => {
    oneByOne = 0;
    atOnce = 0;
    if (isOpen) journal.settleRefused();
    isOpen = false;
  };
  /** Counts rejected emails of a part. */
  const book = (part: Part, refused: number, problem: Problem) => {
    const { size } = part;
    last = { problem, part };
    isOpen = true;
    // A rejection that names some emails is about these; one that names none is narrowed down first.
    if (size === 1) oneByOne++;
    else if (refused === size) atOnce += size;
    if (!keepGoing && (oneByOne >= enoughOneByOne || atOnce >= enoughAtOnce)) stop(last);
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
      if (accepted + unknown === 0 || oneByOne + atOnce >= enoughOneByOne) stop(last);
    },
    /** The rejection because of which it threw, if it did. */
    stoppedAt: () => (stopped ? last : undefined),
    /** After it threw: makes what was rejected ready again, to be sent once the cause is corrected. */
    reopen(): void {
      if (stopped) journal.reopenRefused();
    },
  };
}

function notAbout(kind: string): string {
  return `The service rejected all recent ${kind}, so the cause may not be in these ${kind}. To send them again, resume the run. To skip rejected ${kind} and send the others: --keep-going.`;
}

/** Takes out the emails at fault, or splits the part to find them; returns how many are known. */
function takeOut(
  part: Part,
  refusal: Problem,
  journal: Journal,
  redacted: (text: string) => string,
): number {
  const positions = positionsOf(part);
  const named = namedProblems(refusal, part);
  const [only = 0, ...others] = positions;
  if (others.length === 0) {
    journal.refuse(part.id, redacted(named.get(only) ?? refusal.message));
    return 1;
  }
  if (named.size === 0) {
    const half = Math.ceil(positions.length / 2);
    const halves = [positions.slice(0, half), positions.slice(half)];
    journal.split(
      part,
      halves.map((half) => ({ positions: half, problem: undefined })),
    );
    return 0;
  }
  const rest = positions.filter((position) => !named.has(position));
  const smaller: SmallerPart[] = [...named].map(([position, problem]) => ({
    positions: [position],
    problem: redacted(problem),
  }));
  if (rest.length > 0) smaller.push({ positions: rest, problem: undefined });
  journal.split(part, smaller);
  return named.size;
}
