import type * as z from 'zod';

/** The type of a schema's values, `readonly` in all depths. */
export type ReadonlyInfer<Schema extends z.ZodType> = Frozen<z.infer<Schema>>;

type Frozen<Value> = Value extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: Frozen<Value[Key]> }
    : Value;
