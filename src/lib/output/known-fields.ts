import type * as z from 'zod';

/** The fields that the contract gives a response, or a row of it. */
export interface KnownFields {
  has(path: string): boolean;
  /** Those at the top. */
  readonly names: readonly string[];
}

/** The fields of a schema, which may be wrapped, and of each of its members where it is a union. */
export function fieldsOfSchema(schema: z.ZodType): KnownFields {
  return {
    has: (path) => schemasAt([schema], path.split('.')).length > 0,
    names: unwrapped(schema).flatMap((one) => Object.keys(shapeOf(one) ?? {})),
  };
}

/** What the schemas have at a path: an index is of a list's entries, as is a name. */
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

/** A schema without what may be around it, such as `.nullish()`; the members of a union. */
function unwrapped(schema: z.ZodType): readonly z.ZodType[] {
  const { def } = schema as unknown as Typed;
  if (def.type === 'union') return (def.options ?? []).flatMap(unwrapped);
  return def.innerType === undefined ? [schema] : unwrapped(def.innerType);
}

function shapeOf(schema: z.ZodType): Readonly<Record<string, z.ZodType>> | undefined {
  return (schema as unknown as Typed).def.shape;
}

/** The definition that each schema has of itself (Zod, "Library authors"); which parts, its type tells. */
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
