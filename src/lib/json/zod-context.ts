import type * as z from 'zod';

/** What to give to Zod with a value: to make functions of schemas takes longer than it saves here. */
export const parseContext: z.core.ParseContext<z.core.$ZodIssue> = { jitless: true };

/**
 * The same for what comes from outside: Zod stops at the first problem. It takes a kilobyte for each
 * issue, and of a list of 100,000 empty objects it would find 400,000. Zod calls `abortEarly`
 * internal: its `validate` sets it, which says only whether there is a problem and not where. No
 * documented option does it. With `parseContext` the first problem is the same, as a test shows.
 */
export const replyParseContext: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  ...parseContext,
  abortEarly: true,
};

/** For long lists from outside: functions take a third of the time once there are hundreds of items. */
export const longReplyParseContext: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  ...replyParseContext,
  jitless: false,
};
