import type * as z from 'zod';

/** The fields of a response, or of its rows, in the contract. */
export interface KnownFields {
  has(path: string): boolean;
  /** The top-level fields. */
  readonly names: readonly string[];
}

/** The fields of a schema, wrapped or not; for a union, those of all members. Undefined if it allows anything. */
export function fieldsOfSchema(schema: z.ZodType): KnownFields | undefined {
  if ((schema as unknown as Typed).def.type === 'unknown') return undefined;
  return {
    has: (path) => schemasAt([schema], path.split('.')).length > 0,
    names: unwrapped(schema).flatMap((one) => Object.keys(shapeOf(one) ?? {})),
  };
}

/** The schemas at a path. Both an index and a field name lead into the entries of a list. */
function schemasAt(schemas: readonly z.ZodType[], path: readonly string[]): readonly z.ZodType[] {
  const [first, ...rest] = path;
  if (first === undefined) return schemas;
  return schemas.flatMap(unwrapped).flatMap((schema) => {
    const { def } = schema as unknown as Typed;
    if (def.type === 'unknown' || def.type === 'any') return [schema];
    if (def.type === 'record') return def.valueType ? schemasAt([def.valueType], rest) : [];
    if (def.type === 'array') {
      const entries = def.element ? [def.element] : [];
      return schemasAt(entries, /^\d+$/.test(first) ? rest : path);
    }
    const below = shapeOf(schema)?.[first];
    return below === undefined ? [] : schemasAt([below], rest);
  });
}

/** A schema without wrappers such as `.nullish()`; for a union, its members. */
function unwrapped(schema: z.ZodType): readonly z.ZodType[] {
  const { def } = schema as unknown as Typed;
  if (def.type === 'union') return (def.options ?? []).flatMap(unwrapped);
  return def.innerType === undefined ? [schema] : unwrapped(def.innerType);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  return (schema as unknown as Typed).def.shape;
}

/**
 * The definition in each schema (Zod, "Library authors"); its type decides which parts there are.
 */
interface Typed {
  readonly def: {
    readonly type: string;
    readonly shape?: Readonly<Record<string, z.ZodType>>;
    readonly element?: z.ZodType;
    readonly valueType?: z.ZodType;
    readonly innerType?: z.ZodType;
    readonly options?: readonly z.ZodType[];
  };
}
