import { MailerError } from './errors.ts';

/** Answers of a service that does not have an operation, or cannot do it. */
const lacking: readonly (number | undefined)[] = [404, 405, 500, 501];

/**
 * A function that asks with an operation `beyond` the specification, again and again if need be, and
 * finds out `otherwise` what was asked for where that leads nowhere. A service that lacks the
 * operation is not asked again; one that failed is.
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
      if (!(error instanceof MailerError) || !lacking.includes(error.details.status)) throw error;
      const value = await otherwise(...args);
      offered = error.details.status === 500;
      return value;
    }
  };
}
