import { missingTemplate, needsTemplate } from '../../../mail/email/send/missing-template.ts';
import type { Unaccepted } from '../../../service/http/outcome.ts';
import type { Part } from '../journal/run-parts.ts';
import { emailsOf } from './part-emails.ts';
import type { Event, QueuedPart } from './part-story.ts';
import type { SendingOptions } from './sending-options.ts';

/** Failures in a row, with no email accepted in between, after which it is not about single requests. */
const mostInRow = 10;

/** Tells which responses with 500 are like all others, and which are in vain. */
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
    /** The event of such a response; the journal has what was accepted before. */
    event({ part, stage }: QueuedPart, { problem, ...rest }: Unaccepted): Event {
      const template = missingTemplate(bodiesOf(part));
      const sentence = problem.message.replace(/[^.!?]$/, '$&.');
      const message = template === undefined ? problem.message : `${sentence} ${template}`;
      const reply = { ...rest, problem: { ...problem, message } };
      // Parts that an earlier process began come first, and must not keep others from being sent.
      const isCounted = stage === 'ready' && part.misses === 0;
      if (isCounted && ++inRow > mostInRow) return { kind: 'fails like all', reply };
      return { kind: stage === 'put off' && isInVain(part) ? 'fails in vain' : 'fails', reply };
    },
  };
}

/** Whether the service itself reports its failure, and not a proxy in front of it. */
export function isInOwnWords({ problem, mayBeOfProxy }: Unaccepted): boolean {
  return problem.status === 500 && problem.apiCode !== undefined && !mayBeOfProxy;
}
