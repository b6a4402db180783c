import { UsageError } from '../../errors.ts';

/** A journal that does not say what has been sent. Nothing is sent on its word. */
export class JournalError extends UsageError {
  constructor(path: string, what: string, cause?: unknown) {
    super(`The journal of this run ${what}: ${path}`, {
      hint: 'What was sent is in: mailer email list. Move the directory of the run away to begin a new one.',
      cause,
    });
  }
}
