import { MailerError } from '../../base/errors.ts';
import type { PolicyInForce } from './policy-guard.ts';

type PolicyOverview = NonNullable<Awaited<ReturnType<typeof overviewOf>>>;

/**
 * The rules at a glance; undefined if there are none. Reports invalid rules instead of throwing.
 */
export async function overviewOf(inForce: () => Promise<PolicyInForce>) {
  try {
    const { shown } = (await inForce()).policy;
    if (shown.length === 0) return undefined;
    return {
      rules: [...new Set(shown.map(({ rule }) => rule))],
      /** Where they are set. */
      places: [...new Set(shown.map(({ place }) => place))],
      /** Why they are invalid, so that nothing is sent; null if they are valid. */
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return { rules: [], places: [], problem: error };
  }
}

/** The same as text: `allow-to, campaigns (profile work)`. */
export function overviewInWords({ rules, places, problem }: PolicyOverview): string {
  return problem?.message ?? `${rules.join(', ')} (${places.join(', ')})`;
}
