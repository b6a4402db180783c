import { toError } from '../../../base/errors.ts';
import { missingTemplate, needsTemplate } from '../../../mail/email/send/missing-template.ts';
import type { Unaccepted } from '../../../service/http/outcome.ts';
import type { Part } from '../journal/run-parts.ts';
import { emailsOf } from './part-emails.ts';
import { type QueuedPart, stop, type TurnEnd } from './part-story.ts';
import type { SendingOptions } from './sending-options.ts';

/** Failures in a row, with no email accepted in between, after which it is not about single requests. */
const mostInRow = 10;

/**
 * Tells what follows from responses with 500 in the service's own words.
 *
 * A service may respond so to one request forever, because of its content, so all others come first. Live
 * servers leave out emails that they cannot create, and respond with 500 if that is all of a request: what is in
 * vain must not keep the run from ending. It may follow a creation, so nothing is divided because of it.
 */
export function createFailures({ journal }: Pick<SendingOptions, 'journal'>) {
  let inRow = 0;
  /** Templates of accepted emails that the service could not have created without them, once they are read. */
  let templates: Set<string | undefined> | undefined;
  const bodiesOf = (part: Pick<Part, 'chunk' | 'positions' | 'size'>) =>
    emailsOf(part, journal).map(({ email }) => email);
  const hasAccepted = (templateId: string | undefined): boolean => {
    if (templates !== undefined) return templates.has(templateId);
    templates = new Set();
    for (const { chunk, parts } of journal.outcomes()) {
      const accepted = parts.filter(({ state }) => state === 'accepted');
      for (const part of accepted)
        templates.add(bodiesOf({ chunk, ...part }).find(needsTemplate)?.templateId);
    }
    return templates.has(templateId);
  };
  /** Whether the emails were left out before, or no accepted email has their template, which all of them have. */
  const isInVain = (part: Part): boolean => {
    if (part.misses > 0) return true;
    const emails = bodiesOf(part);
    if (!emails.every(needsTemplate) || journal.counts().accepted === 0) return false;
    return !hasAccepted(emails[0]?.templateId);
  };
  return {
    /** To be called when emails of a part were accepted. */
    accepted(part: Part): void {
      inRow = 0;
      templates?.add(bodiesOf(part).find(needsTemplate)?.templateId);
    },
    /** What follows from such a response; the journal has what was accepted before. */
    after({ part, stage }: QueuedPart, { problem, ...rest }: Unaccepted): TurnEnd {
      const template = missingTemplate(bodiesOf(part));
      const sentence = problem.message.replace(/[^.!?]$/, '$&.');
      const message = template === undefined ? problem.message : `${sentence} ${template}`;
      const reply = { ...rest, problem: { ...problem, message } };
      // Parts that an earlier process began come first, and must not keep others from being sent.
      const isCounted = stage === 'ready' && part.misses === 0;
      if (isCounted && ++inRow > mostInRow) return stop(reply);
      if (stage !== 'put off') return { do: 'put off' };
      if (!isInVain(part))
        return { do: 'leave', error: toError(reply.problem), warning: 'in doubt' };
      return { do: 'give up', why: whyInVain(part, message), warning: 'given up' };
    },
  };
}

/** Whether the service itself reports its failure, and not a proxy in front of it. */
export function isInOwnWords({ problem, mayBeOfProxy }: Unaccepted): boolean {
  return problem.status === 500 && problem.apiCode !== undefined && !mayBeOfProxy;
}

function whyInVain({ misses }: Part, message: string): string {
  const leftOut =
    'The service accepted a request without creating this email, and failed when it was sent again. ';
  return `it may have been sent, but probably was not. ${misses > 0 ? leftOut : ''}${message}`;
}
