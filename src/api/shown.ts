import type * as z from 'zod';

/** An optional field of a response: it may be absent or null. */
export function shown<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}
