import { MailerError, UnavailableError } from '../errors.ts';
import { missingTemplate, needsTemplate } from '../missing-template.ts';
import type { BodyReader } from './bodies.ts';
import { type EmailOfPart, emailsOf } from './emails-of-part.ts';
import type { Journal } from './journal.ts';
import type { Handed } from './part-queue.ts';

export interface LastTriesOptions {
  readonly journal: Journal;
  readonly bodies: BodyReader;
  /** Takes out of what the service says that which must not be kept. */
  readonly redacted: (text: string) => string;
  /** Told of rows that are given up although they may have been sent. */
  readonly leftOut: (rows: readonly number[], next: 'given up') => void;
  /** Told of emails that have been decided on. */
  readonly report: (accepted: number, refused: number) => void;
}

/** Parts that the service seems to fail at because of what is in them. */
export interface LastTries {
  /** To be called when emails have been accepted. */
  accepted(): void;
  /**
   * Takes a part over that was answered like this: it is tried again `later`, or was given up.
   * Undefined where the answer is not about what is in it.
   */
  takes(handed: Handed, error: unknown): 'later' | 'given up' | undefined;
  /** To be called when all others have gone out. False when nothing is left to try. */
  begin(): boolean;
  /** The next one that is to be tried for the last time. */
  next(): Handed | undefined;
  /** What ended a last try without a decision: no reason not to try the others. */
  inDoubt(handed: Handed, error: unknown): MailerError | undefined;
}

/** Parts put off in a row, with no email accepted in between, after which it is the service. */
const mostInRow = 10;

/**
 * Of a request with several emails, live servers leave out those that they cannot create; where that
 * is all of them, they answer 500, however often it is repeated. So what is answered 500 on all tries
 * is put off until all others have gone out, if the service has left it out before, or if it needs a
 * template that may not exist. Answered so once more, it is given up: it must not keep the run from
 * ending. What was not left out before only where the service has accepted others of the run, and
 * none with this template.
 *
 * Nobody knows whether a 500 has followed a creation: what is given up is unknown. For the same
 * reason it is not divided, as that would send the same emails under other keys.
 */
export function createLastTries({
  journal,
  bodies,
  redacted,
  leftOut,
  report,
}: LastTriesOptions): LastTries {
  const putOff = new Set<number>();
  const waiting: Handed[] = [];
  let due: Handed[] = [];
  let inRow = 0;

  const hasAccepted = (templateId: string | undefined): boolean => {
    const isOfIt = ({ email }: EmailOfPart) =>
      needsTemplate(email) && email.templateId === templateId;
    for (const { chunk, parts } of journal.outcomes()) {
      const accepted = parts.filter(({ state }) => state === 'accepted');
      if (accepted.some(({ positions }) => emailsOf({ chunk, positions }, bodies).some(isOfIt)))
        return true;
    }
    return false;
  };

  return {
    accepted: () => {
      inRow = 0;
    },
    takes(handed, error) {
      const { part } = handed;
      if (!isInOwnWords(error)) return undefined;
      const sent = emailsOf(part, bodies);
      const emails = sent.map(({ email }) => email);
      const wasLeftOut = part.misses > 0;
      if (!wasLeftOut && (!emails.every(needsTemplate) || hasAccepted(emails[0]?.templateId)))
        return undefined;
      error.message = [sentence(error.message), missingTemplate(emails) ?? []].flat().join(' ');
      if (!putOff.has(part.id)) {
        if (!wasLeftOut && ++inRow > mostInRow) return undefined;
        putOff.add(part.id);
        waiting.push(handed);
        return 'later';
      }
      if (!wasLeftOut && journal.counts().accepted === 0) return undefined;
      journal.giveUp(part.id, redacted(whyGivenUp(wasLeftOut, error.message)));
      const rows = sent.map(({ row }) => row);
      leftOut(rows, 'given up');
      // Unknown emails are settled, too.
      report(rows.length, 0);
      return 'given up';
    },
    begin() {
      due = waiting.splice(0);
      return due.length > 0;
    },
    next: () => due.shift(),
    inDoubt: ({ part }, error) =>
      putOff.has(part.id) && error instanceof MailerError ? error : undefined,
  };
}

/** Whether the service itself says that it failed, and not a proxy before it. */
function isInOwnWords(error: unknown): error is UnavailableError {
  if (!(error instanceof UnavailableError) || error.mayBeOfProxy) return false;
  return error.details.status === 500 && error.details.apiCode !== undefined;
}

function whyGivenUp(wasLeftOut: boolean, said: string): string {
  const before = wasLeftOut
    ? 'The service accepted a request without creating this email, and failed when it was sent again. '
    : '';
  return `it may have been sent, though most likely it was not. ${before}${said}`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
