import type * as z from 'zod';

/** A field of a reply that is not needed to go on: it may be absent or null. */
export function shown<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}
