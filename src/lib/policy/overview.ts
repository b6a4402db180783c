import { MailerError } from '../errors.ts';
import type { PolicyInForce } from './guard.ts';

/** The rules in force, in short. */
export interface PolicyOverview {
  /** Their names. */
  readonly rules: string[];
  /** Where they stand. */
  readonly places: string[];
  /** Why they cannot be understood, so that nothing is sent; null if they can. */
  readonly problem: MailerError | null;
}

/**
 * What there is to know of the rules at a glance; undefined where there are none. Those that cannot be
 * understood are a finding here.
 */
export async function overviewOf(
  inForce: () => Promise<PolicyInForce>,
): Promise<PolicyOverview | undefined> {
  try {
    const { shown } = (await inForce()).policy;
    if (shown.length === 0) return undefined;
    return {
      rules: [...new Set(shown.map(({ rule }) => rule))],
      places: [...new Set(shown.map(({ place }) => place))],
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof MailerError)) throw error;
    return { rules: [], places: [], problem: error };
  }
}

/** The same for people: `allow-to, campaigns (profile work)`. */
export function overviewInWords({ rules, places, problem }: PolicyOverview): string {
  return problem?.message ?? `${rules.join(', ')} (${places.join(', ')})`;
}
