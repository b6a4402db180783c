import type * as z from 'zod';

/**
 * Zod options for checking values. It takes longer to compile schemas to functions than that saves
 * here.
 */
export const parseContext: z.core.ParseContext<z.core.$ZodIssue> = { jitless: true };

/**
 * The same for data from outside: Zod stops at the first issue. An issue takes a kilobyte, and a
 * list of 100,000 empty objects would have 400,000. Zod calls `abortEarly` internal. Its `validate`
 * sets it, but only tells whether there is an issue, not where; no documented option does that. A
 * test shows that the first issue is the same as with `parseContext`.
 */
export const replyParseContext: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  ...parseContext,
  abortEarly: true,
};

/**
 * For long lists from outside: compiled functions take a third of the time for hundreds of items.
 */
export const longReplyParseContext: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  ...replyParseContext,
  jitless: false,
};
