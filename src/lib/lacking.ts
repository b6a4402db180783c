import { MailerError } from './errors.ts';

/** Answers of a service that does not have an operation, or cannot do it. */
const lacking: readonly (number | undefined)[] = [404, 405, 500, 501];

/**
 * Whether an error of an operation that is `beyond` the specification may mean that the service
 * lacks it, so that what was asked for is to be found out in another way.
 */
export function mayBeLacking(error: unknown): error is MailerError {
  return error instanceof MailerError && lacking.includes(error.details.status);
}
