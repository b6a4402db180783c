import * as z from 'zod';
import { UsageError } from '../../base/errors.ts';
import { parseContext } from '../../base/json/zod-context.ts';
import { visible } from '../../base/text/visible.ts';
import { deleteRules } from './delete-rules.ts';

const patterns = z.array(z.string().trim().min(1));
const most = z.int().min(0);

/**
 * The rules of a policy as JSON. Strict, because a misspelt rule would otherwise be silently ignored.
 */
export const policyShape = z.strictObject({
  // Addresses, and patterns such as `*@example.com`.
  allowTo: patterns.optional(),
  denyTo: patterns.optional(),
  allowFrom: patterns.optional(),
  // Per command.
  maxRecipients: most.optional(),
  maxPerDay: most.optional(),
  campaigns: z.boolean().optional(),
  deletes: z.enum(deleteRules).optional(),
  readOnly: z.boolean().optional(),
  // `always`, `above 50` or `outside example.com`.
  approval: z.string().trim().min(1).optional(),
  // Who gets the email in place of everybody.
  redirectTo: z.string().trim().min(1).optional(),
});

/** The stored rules of a profile. Throws a `UsageError` if they are invalid. */
export function storedRules(name: string, stored: unknown): z.infer<typeof policyShape> {
  const parsed = policyShape.safeParse(stored, parseContext);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const what = visible([...(issue?.path ?? []), issue?.message].join(': '));
  throw new UsageError(`The policy of profile ${visible(name)} is damaged: ${what}`, {
    hint: 'Nothing was sent. To remove all its rules: mailer policy unset --all',
  });
}
