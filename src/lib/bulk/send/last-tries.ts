import type { SendBody } from '../../../api/email.ts';
import { missingTemplate, needsTemplate } from '../../email/send/missing-template.ts';
import type { Unaccepted } from '../../http/outcome.ts';
import type { BodyReader } from '../journal/bodies.ts';
import type { Part } from '../journal/run-parts.ts';
import { emailsOf } from './part-emails.ts';
import type { Handed } from './part-queue.ts';
import type { SendingOptions } from './sending-options.ts';

/** What follows for a part after a response: another try at the end, none, or one by a later process. */
type NextTry = 'later' | 'given up' | 'in doubt';

export type LastTries = ReturnType<typeof createLastTries>;

/** Parts put off in a row, with no email accepted in between, after which the service must be failing. */
const mostInRow = 10;

/**
 * A service may respond with 500 to one request forever, because of its content. Such a request is put off
 * until all others are sent, and then tried once more.
 *
 * Live servers leave out emails that they cannot create, and respond with 500 if that is all of a request. So
 * emails that were left out before, or whose template no accepted email has, are given up: they must not keep
 * the run from ending. The others stay in doubt, to be repeated under the same key when the run is resumed.
 *
 * A 500 may follow a creation: emails that are given up are unknown, and no part is divided, because that
 * would send the same emails under other keys.
 */
export function createLastTries({ journal, bodies, redacted, warnOf, report }: SendingOptions) {
  const putOff = new Set<number>();
  const waiting: Handed[] = [];
  let due: Handed[] = [];
  let isEnd = false;
  let inRow = 0;
  /** Templates of accepted emails that the service could not have created without them. */
  const templates = new Set<string>();
  let isRead = false;

  const note = (part: Pick<Part, 'chunk' | 'positions' | 'size'>) => {
    // All emails of a part have the same template, or none.
    const [first] = emailsOf(part, bodies).flatMap(({ email }) =>
      needsTemplate(email) ? (email.templateId ?? []) : [],
    );
    if (first !== undefined) templates.add(first);
  };
  const hasAccepted = (templateId = ''): boolean => {
    if (!isRead) {
      for (const { chunk, parts } of journal.outcomes()) {
        for (const { state, positions, size } of parts) {
          if (state === 'accepted') note({ chunk, positions, size });
        }
      }
    }
    isRead = true;
    return templates.has(templateId);
  };
  /** Whether another try would almost certainly make no difference. */
  const isHopeless = ({ misses }: Part, emails: readonly SendBody[]): boolean => {
    if (misses > 0) return true;
    if (!emails.every(needsTemplate) || journal.counts().accepted === 0) return false;
    return !hasAccepted(emails[0]?.templateId);
  };

  return {
    /** To be called when emails of a part were accepted. */
    accepted(part: Part): void {
      inRow = 0;
      // Before the end, reading the journal finds it.
      if (isEnd) note(part);
    },
    /**
     * Takes over a part with this response, and says what is next. Undefined if the response is about the
     * run: it is not in the service's own words, or is one of too many in a row.
     */
    takes({ part, fresh }: Handed, unaccepted: Unaccepted): NextTry | undefined {
      const isLast = putOff.has(part.id);
      if (!isInOwnWords(unaccepted)) return isLast ? 'in doubt' : undefined;
      const sent = emailsOf(part, bodies);
      const emails = sent.map(({ email }) => email);
      if (!isLast) {
        // Parts that an earlier process began come first, and must not keep others from being sent.
        if (fresh && part.misses === 0 && ++inRow > mostInRow) return undefined;
        putOff.add(part.id);
        waiting.push({ part, fresh: false });
        return 'later';
      }
      const rows = sent.map(({ row }) => row);
      if (!isHopeless(part, emails)) {
        warnOf(rows, 'in doubt');
        return 'in doubt';
      }
      journal.giveUp(part.id, redacted(whyGivenUp(part.misses > 0, unaccepted.problem.message)));
      warnOf(rows, 'given up');
      // Unknown emails count as decided, too.
      report(rows.length, 0);
      return 'given up';
    },
    /** To be called when all others were sent. False if nothing is left to try. */
    begin(): boolean {
      isEnd = true;
      due = waiting.splice(0);
      return due.length > 0;
    },
    /** The next part to try for the last time. */
    next: (): Handed | undefined => due.shift(),
  };
}

/** Whether the service itself reports its failure, and not a proxy in front of it. */
function isInOwnWords({ problem, mayBeOfProxy }: Unaccepted): boolean {
  return problem.status === 500 && problem.apiCode !== undefined && !mayBeOfProxy;
}

/** Adds to a failure in the service's own words the template that its emails need. */
export function namingTemplate(unaccepted: Unaccepted, part: Part, bodies: BodyReader): Unaccepted {
  if (!isInOwnWords(unaccepted)) return unaccepted;
  const template = missingTemplate(emailsOf(part, bodies).map(({ email }) => email));
  if (template === undefined) return unaccepted;
  const { problem } = unaccepted;
  return {
    ...unaccepted,
    problem: { ...problem, message: `${sentence(problem.message)} ${template}` },
  };
}

function whyGivenUp(wasLeftOut: boolean, said: string): string {
  const before = wasLeftOut
    ? 'The service accepted a request without creating this email, and failed when it was sent again. '
    : '';
  return `it may have been sent, but probably was not. ${before}${said}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
