import { UsageError } from '../../../base/errors.ts';
import { byNewer, newerHint } from '../../../base/files/newer-format.ts';

const usualStep = 'To start a new run, move the directory of this one away.';

/** A journal that cannot tell what has been sent. Nothing is sent then. */
export class JournalError extends UsageError {
  constructor(path: string, what: string, cause?: unknown, step = usualStep) {
    super(`The journal of this run ${what}: ${path}`, {
      hint: `To see what was sent: mailer email list. ${step}`,
      cause,
    });
  }
}

/** A journal that a newer mailer wrote: it is not damaged, and must stay where it is. */
export class NewerJournalError extends JournalError {
  constructor(path: string, version: number, known: number) {
    super(path, byNewer(version, known), undefined, newerHint);
  }
}
