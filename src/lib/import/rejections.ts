import { type Problem, toError } from '../errors.ts';
import { describeIssue } from '../http/reply.ts';
import { withMore } from '../text/quoted-names.ts';
import { type ContactPart, type Parts, rowsOfPart } from './parts.ts';

/** Contacts rejected in a row, with none accepted in between, after which it is not about single ones. */
const enoughOneByOne = 10;
const enoughAtOnce = 100;

/** Rows named in one message, at most. */
const mostRows = 10;

interface Options {
  readonly parts: Parts;
  readonly keepGoing: boolean;
  readonly redacted: (text: string) => string;
}

/** Records which contacts the service rejects, and notices when the contacts are not the cause. */
export function createRejections({ parts, keepGoing, redacted }: Options) {
  let oneByOne = 0;
  let atOnce = 0;
  let isAnyAccepted = false;
  let last: { readonly problem: Problem; readonly part: ContactPart } | undefined;
  const stop = ({ problem, part }: NonNullable<typeof last>): never => {
    throw toError({ ...inRows(problem, part), hint: notAboutContacts });
  };
  return {
    /** To be called when contacts were accepted: what was rejected before is then about its contacts. */
    accepted(): void {
      oneByOne = 0;
      atOnce = 0;
      isAnyAccepted = true;
    },
    /**
     * Takes the contacts at fault out of a part, or splits it to find them; returns how many there are. Throws when
     * so many in a row were rejected that the cause must be something else.
     */
    reject(part: ContactPart, problem: Problem): number {
      const named = namedProblems(problem, part);
      const { id, size } = part;
      const [[only] = [0]] = rowsOfPart(part);
      if (size === 1 && named.size === 0) named.set(only, problem.message);
      last = { problem, part };
      if (named.size === 0) {
        parts.halve(part);
        return 0;
      }
      const notes = new Map([...named].map(([row, why]) => [row, redacted(why)]));
      parts.set(id, 'ready');
      parts.takeOut(id, 'rejected', notes);
      // A rejection that names some contacts is about these.
      if (size === 1) oneByOne++;
      else if (named.size === size) atOnce += size;
      if (!keepGoing && (oneByOne >= enoughOneByOne || atOnce >= enoughAtOnce)) stop(last);
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

/** Which rows of a part the service names, and why: an issue's path starts with the index in the request. */
function namedProblems({ issues = [] }: Problem, part: ContactPart): Map<number, string> {
  const rows = rowsOfPart(part);
  const named = new Map<number, string>();
  for (const { path, message } of issues) {
    const [index, ...rest] = path;
    const [row] = (typeof index === 'number' ? rows[index] : undefined) ?? [];
    if (row === undefined) continue;
    const said = describeIssue({ path: rest, message });
    named.set(row, [named.get(row), said].filter(Boolean).join('; '));
  }
  return named;
}

/** Describes a rejection by rows and addresses, because nobody sees indexes in a request. */
function inRows(problem: Problem, part: ContactPart): Problem {
  if (problem.code !== 'rejected') return problem;
  const named = namedProblems(problem, part);
  const lines = rowsOfPart(part).flatMap(([row, email]) => {
    const said = named.get(row) ?? (part.size === 1 ? problem.message : undefined);
    return said === undefined ? [] : [`row ${row} (${email}): ${said}`];
  });
  const [only, ...others] = lines;
  if (only === undefined) return problem;
  const message =
    others.length === 0
      ? only
      : ['The service rejected:', ...withMore(lines.slice(0, mostRows), lines.length)].join('\n  ');
  return { ...problem, message, issues: undefined };
}
