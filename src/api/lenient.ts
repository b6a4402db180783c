import * as z from 'zod';

/**
 * An object of a response or a printed document. Unknown fields are kept and shown, but only those of `shape` can be
 * read: a misspelt one does not compile.
 */
export function lenientObject<Shape extends z.ZodRawShape>(shape: Shape) {
  // By the type that Zod gives a loose object, it has every field, as `unknown`.
  return z.looseObject(shape) as unknown as z.ZodObject<Shape>;
}

/** A field of a response that may be absent or null. */
export function nullish<T extends z.ZodType>(schema: T) {
  return schema.nullish();
}

// One for all fields: each takes three schemas, and most responses have dozens of such fields.
export const nullishBoolean = nullish(z.boolean());
export const nullishNumber = nullish(z.number());
export const nullishString = nullish(z.string());
