import { RejectedError } from '../errors.ts';
import { describeIssue } from '../reply.ts';
import type { Journal, Part, SmallerPart } from './journal.ts';
import type { Handed } from './part-queue.ts';

/** Statuses by which a service says that emails are at fault, and not the account or the request. */
const aboutEmails: readonly (number | undefined)[] = [400, 413, 422];

/** Refusals without an acceptance in between after which it is not about single emails any more. */
const enough = 10;

/**
 * Whether emails may go out under other keys because of a refusal. A proxy may refuse what the
 * service has accepted before, except that what is too large for it cannot have got that far.
 */
export function isAboutEmails(error: unknown, { fresh }: Handed): error is RejectedError {
  if (!(error instanceof RejectedError)) return false;
  const { status } = error.details;
  if (!error.mayBeOfProxy) return aboutEmails.includes(status);
  return status === 413 && fresh && !error.outcomeUnknown;
}

/** Books what the service refuses, and notices when it is not about the emails. */
export interface Refusals {
  /** Emails have been accepted. */
  accepted(): void;
  /**
   * Takes what is at fault out of a part, and returns how many emails that is. Throws when the
   * service has refused so much in a row that it must be about something else.
   */
  refuse(part: Part, error: RejectedError): number;
  /** Throws the last refusal when the service has accepted nothing at all of the run. */
  end(): void;
  /** After it threw: what was refused since the last acceptance is to be sent after all. */
  reopen(): void;
}

export interface RefusalsOptions {
  readonly journal: Journal;
  /** Whether it is always about the emails. */
  readonly keepGoing: boolean;
  /** Takes out of what the service says that which must not be kept. */
  readonly redacted: (text: string) => string;
}

export function createRefusals({ journal, keepGoing, redacted }: RefusalsOptions): Refusals {
  let inARow = 0;
  let last: RejectedError | undefined;
  let stopped = false;
  const chunks = new Set<number>();
  return {
    accepted() {
      inARow = 0;
      chunks.clear();
    },
    refuse(part, error) {
      inARow++;
      chunks.add(part.chunk.number);
      last = error;
      const refused = takeOut(part, error, journal, redacted);
      if (inARow < enough || keepGoing) return refused;
      stopped = true;
      throw notAboutEmails(error);
    },
    reopen() {
      if (stopped) journal.reopen([...chunks]);
    },
    end() {
      if (last === undefined || keepGoing) return;
      const { accepted, unknown } = journal.counts();
      if (accepted + unknown > 0) return;
      stopped = true;
      throw notAboutEmails(last);
    },
  };
}

function notAboutEmails(error: RejectedError): RejectedError {
  error.details = {
    ...error.details,
    hint: 'The service has refused everything of late, so it may not be about these emails, and none of them is given up. To give up what it refuses and send the others: --keep-going.',
  };
  return error;
}

/** Some of the emails of a part are at fault, or one of them; returns how many are known to be. */
function takeOut(
  part: Part,
  error: RejectedError,
  journal: Journal,
  redacted: (text: string) => string,
): number {
  const positions = part.positions ?? part.chunk.rows.map((_, index) => index);
  if (positions.length === 1) {
    journal.refuse(part.id, redacted(error.message));
    return 1;
  }
  const named = namedProblems(error, positions);
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

/** Which emails the service names, and why: an issue's path starts with the place in the request. */
function namedProblems(
  { details }: RejectedError,
  positions: readonly number[],
): Map<number, string> {
  const named = new Map<number, string>();
  for (const { path, message } of details.issues ?? []) {
    const [index, ...rest] = path;
    const position = typeof index === 'number' ? positions[index] : undefined;
    if (position === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(position, [named.get(position), said].filter(Boolean).join('; '));
  }
  return named;
}
