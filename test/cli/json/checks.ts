import { Ajv2020 } from 'ajv/dist/2020.js';
import type { JsonSchema } from '../../../src/cli/model/schemas.ts';

/** Compiles each schema once, because compiling takes longer than checking. */
const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });

/** What is wrong with a document, if anything. */
export function problem(schema: JsonSchema, document: unknown): string | undefined {
  const validate = ajv.compile(schema);
  return validate(document) ? undefined : ajv.errorsText(validate.errors);
}

/** The ways to break the document that its schema does not detect. */
export function acceptedBroken(schema: JsonSchema, document: unknown): readonly string[] {
  return [...brokenBy(schema, document)]
    .filter(([, broken]) => problem(schema, broken) === undefined)
    .map(([what]) => what);
}

type Broken = readonly [what: string, document: unknown];

/**
 * The document, broken in every way that its schema must detect: a value of another type anywhere,
 * or a required field missing.
 */
function* brokenBy(schema: JsonSchema, value: unknown): Generator<Broken> {
  if (saysNothing(schema)) return;
  // No schema allows both types.
  yield ['is of another type', value === null ? [7] : typeof value === 'boolean' ? 7 : false];
  for (const one of alternatives(schema)) {
    if (one !== schema && problem(one, value) !== undefined) continue;
    if (Array.isArray(value)) {
      for (const [index, item] of value.entries()) {
        for (const [what, broken] of brokenBy(one.items ?? {}, item)) {
          yield [`${index}/${what}`, value.with(index, broken)];
        }
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, field] of Object.entries(value)) {
        const { [name]: _, ...rest } = value as Readonly<Record<string, unknown>>;
        if (one.required?.includes(name)) yield [`${name} is not there`, rest];
        const others = typeof one.additionalProperties === 'object' ? one.additionalProperties : {};
        for (const [what, broken] of brokenBy(one.properties?.[name] ?? others, field)) {
          yield [`${name}/${what}`, { ...value, [name]: broken }];
        }
      }
    }
  }
}

/** The places at which a schema accepts any value. */
export function* silentIn(schema: JsonSchema, path: string): Generator<string> {
  if (saysNothing(schema)) yield path;
  for (const [name, one] of Object.entries({ ...schema.properties, ...schema.$defs })) {
    yield* silentIn(one, `${path}/${name}`);
  }
  const { items, additionalProperties: others } = schema;
  if (items !== undefined) yield* silentIn(items, `${path}/0`);
  if (typeof others === 'object' && !saysNothing(others)) yield* silentIn(others, `${path}/*`);
  for (const one of schema.anyOf ?? []) yield* silentIn(one, path);
}

function alternatives(schema: JsonSchema): readonly JsonSchema[] {
  return schema.anyOf?.flatMap(alternatives) ?? [schema];
}

/** Whether a schema accepts any value. */
function saysNothing(schema: JsonSchema): boolean {
  return !['type', 'enum', 'const', 'anyOf'].some((keyword) => schema[keyword] !== undefined);
}
