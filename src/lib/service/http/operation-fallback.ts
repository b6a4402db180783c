import { BadReplyError, MailerError } from '../../base/errors.ts';

/** Statuses of a service that does not have an operation, or fails at it. */
const unofferedStatuses: readonly (number | undefined)[] = [404, 405, 500, 501];

/**
 * Wraps `ask`, an operation `beyond` the specification. A call falls back to `otherwise` if the
 * service does not have the operation, fails at it, or returns something else, such as a web page.
 * After a 500 or a web page the next call tries `ask` again; after the others, later calls use
 * `otherwise` at once.
 */
export function withFallback<Args extends readonly unknown[], Value>(
  ask: (...args: Args) => Promise<Value>,
  otherwise: (...args: Args) => Promise<Value>,
): (...args: Args) => Promise<Value> {
  let offered = true;
  return async (...args) => {
    if (!offered) return await otherwise(...args);
    try {
      return await ask(...args);
    } catch (error) {
      if (!(error instanceof MailerError && isNotOffered(error))) throw error;
      const value = await otherwise(...args);
      offered = error.details.status === 500 || error.details.lasts === false;
      return value;
    }
  };
}

function isNotOffered(error: MailerError): boolean {
  return error instanceof BadReplyError || unofferedStatuses.includes(error.details.status);
}
