import type * as z from 'zod';

/** A field of a response that may be absent or null. */
export function shown<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}
