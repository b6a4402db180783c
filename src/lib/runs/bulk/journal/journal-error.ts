import { UsageError } from '../../../base/errors.ts';

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
