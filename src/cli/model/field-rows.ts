import type { JsonSchema } from './schemas.ts';

/** A field of a document. */
export interface FieldRow {
  /** `data[].id` */
  readonly path: string;
  /** `string or null`, `"ok" or "wrong"` */
  readonly type: string;
  /** Whether it is present in every document, or in every object of its parent. */
  readonly always: boolean;
  readonly text: string;
}

/** All fields of a document, parents before their parts. */
export function fieldRows(schema: JsonSchema, prefix = ''): FieldRow[] {
  if (schema.items !== undefined) return fieldRows(schema.items, `${prefix}[]`);
  if (schema.anyOf !== undefined) return ofAll(schema.anyOf.map((one) => fieldRows(one, prefix)));
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    const always = schema.required?.includes(name) === true;
    const row = { path, type: typeOf(field), always, text: field.description ?? '' };
    return [row, ...fieldRows(field, path)];
  });
}

/** The fields of several kinds of documents; `always` if every kind always has the field. */
function ofAll(kinds: readonly (readonly FieldRow[])[]): FieldRow[] {
  const withFields = kinds.filter((rows) => rows.length > 0);
  const rows = new Map(withFields.flat().map((row) => [row.path, row]));
  return [...rows.values()].map((row) => ({
    ...row,
    always: withFields.every((kind) => kind.some((one) => one.path === row.path && one.always)),
  }));
}

/** The type of a field in words. */
export function typeOf(schema: JsonSchema): string {
  return [...new Set(typesOf(schema))].join(' or ');
}

function typesOf(schema: JsonSchema): readonly string[] {
  const { type, items } = schema;
  if (schema.anyOf !== undefined) return schema.anyOf.flatMap(typesOf);
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one));
  if (type === 'array') return [items === undefined ? 'array' : `array of ${typeOf(items)}`];
  if (type === undefined) return ['anything'];
  return typeof type === 'string' ? [type] : type;
}
