import type * as z from 'zod';

/** So many values are looked at in less time than Zod takes to make functions of their schemas. */
const few = 20;

let parsed = 0;

/** What to give to Zod with a value: it is to make functions of schemas only where many follow. */
export function parseContext(): z.core.ParseContext<z.core.$ZodIssue> {
  parsed++;
  return { jitless: parsed <= few };
}

/**
 * The same for what comes from outside: Zod stops at the first problem. It takes a kilobyte for each
 * issue, and of a list of 100,000 empty objects it would find 400,000. Zod calls `abortEarly`
 * internal: its `validate` sets it, which says only whether there is a problem and not where.
 */
export function replyParseContext(): z.core.ParseContextInternal<z.core.$ZodIssue> {
  return { ...parseContext(), abortEarly: true };
}
