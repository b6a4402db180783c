import * as z from 'zod';
import { parseContext } from '../json/zod-context.ts';
import type { PolicyRules } from './policy-rules.ts';

const patterns = z.array(z.string().trim().min(1));
const most = z.int().min(0);

/**
 * The rules of a policy as JSON. Strict, because a misspelt rule would otherwise be silently ignored.
 */
export const policyShape = z.strictObject({
  allowTo: patterns.optional(),
  denyTo: patterns.optional(),
  allowFrom: patterns.optional(),
  maxRecipients: most.optional(),
  maxPerDay: most.optional(),
  campaigns: z.boolean().optional(),
  redirectTo: z.string().trim().min(1).optional(),
}) satisfies z.ZodType<PolicyRules>;

/** The rules in a value, or a text that says what is wrong with it. */
export function parseRules(value: unknown): PolicyRules | string {
  const parsed = policyShape.safeParse(value, parseContext);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return [...(issue?.path ?? []), issue?.message].join(': ');
}
