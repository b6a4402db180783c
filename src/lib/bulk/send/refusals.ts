import { type Problem, toError } from '../../errors.ts';
import type { Unaccepted } from '../../http/outcome.ts';
import type { Journal } from '../journal/journal.ts';
import type { Part, SmallerPart } from '../journal/parts.ts';
import { inRows, namedProblems } from './named-rows.ts';
import { positionsOf } from './part-emails.ts';
import type { Handed } from './part-queue.ts';
import type { SendingOptions } from './sending-options.ts';

/** Statuses by which a service says that emails are at fault, and not the account or the request. */
const aboutEmails: readonly (number | undefined)[] = [400, 413, 422];

/** Emails in a row, with none accepted in between, after which it is not about single ones. */
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
 * Why a part stays as it is, to be repeated later, while the others are sent, where it is not about its
 * emails; undefined for what ends the run.
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

/** Books what the service refuses, and notices when it is not about the emails, or what else `kind` says. */
export function createRefusals(
  { journal, keepGoing, redacted }: Pick<SendingOptions, 'journal' | 'keepGoing' | 'redacted'>,
  kind = 'emails',
) {
  let oneByOne = 0;
  let atOnce = 0;
  let last: { readonly problem: Problem; readonly part: Part } | undefined;
  /** Whether something was refused since emails were accepted. */
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
  /** Counts emails of a part that were refused. */
  const book = (part: Part, refused: number, problem: Problem) => {
    const { size } = part;
    last = { problem, part };
    isOpen = true;
    // A refusal that names some emails is about these; one that names none is narrowed down first.
    if (size === 1) oneByOne++;
    else if (refused === size) atOnce += size;
    if (!keepGoing && (oneByOne >= enoughOneByOne || atOnce >= enoughAtOnce)) stop(last);
  };
  return {
    /** Emails have been accepted: what was refused before them is about those emails. */
    accepted,
    /**
     * Takes what is at fault out of a part, and returns how many emails that is. Throws when so much in a
     * row was rejected that it must be about something else. Settled emails do not count.
     */
    refuse(part: Part, problem: Problem): number {
      const refused = takeOut(part, problem, journal, redacted);
      if (!part.settled) book(part, refused, problem);
      return refused;
    },
    /**
     * Records emails that the service did not create although it accepted their request; `taken` are
     * how many others it created. Throws like `refuse`.
     */
    notTaken(part: Part, problem: Problem, taken: number): void {
      isOpen = true;
      if (taken > 0) accepted();
      else if (!part.settled) book(part, part.size, problem);
    },
    /** Throws the last refusal when nothing of the run was accepted, or nothing of its end. */
    end(): void {
      if (last === undefined || keepGoing) return;
      const { accepted, unknown } = journal.counts();
      if (accepted + unknown === 0 || oneByOne + atOnce >= enoughOneByOne) stop(last);
    },
    /** What made it throw, if it did. */
    stoppedAt: () => (stopped ? last : undefined),
    /** After it threw: what was refused is to be sent after all, once the cause is mended. */
    reopen(): void {
      if (stopped) journal.reopenRefused();
    },
  };
}

function notAbout(kind: string): string {
  return `The service rejected all recent ${kind}, so the cause may not be these ${kind}. They can still be resumed. To skip rejected ${kind} and send the others: --keep-going.`;
}

/** Some of the emails of a part are at fault, or one of them; returns how many are known to be. */
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
