import * as z from 'zod';

/** A field of a response that may be absent or null. */
export function shown<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

// One for all fields: each takes three schemas, and most responses have dozens of such fields.
export const shownBoolean = shown(z.boolean());
export const shownNumber = shown(z.number());
export const shownString = shown(z.string());
