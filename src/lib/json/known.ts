import type * as z from 'zod';

/** What a lenient schema names, without the unknown fields that it allows. */
export type Known<Schema extends z.ZodType> = Named<z.infer<Schema>>;

type Named<Value> = Value extends readonly (infer Item)[]
  ? readonly Named<Item>[]
  : Value extends object
    ? {
        readonly [Key in keyof Value as string extends Key
          ? unknown extends Value[Key]
            ? never
            : Key
          : Key]: Named<Value[Key]>;
      }
    : Value;

/** The same, to be filled in step by step. */
export type Mutable<Value> = Value extends readonly (infer Item)[]
  ? Mutable<Item>[]
  : Value extends object
    ? { -readonly [Key in keyof Value]: Mutable<Value[Key]> }
    : Value;
