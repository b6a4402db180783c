import * as z from 'zod';
import type { JsonCase } from './outputs.ts';

/** A JSON Schema, as far as it is looked into here. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly $defs?: Readonly<Record<string, JsonSchema>> | undefined;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
}

/** The file of the schema of a command, or of a document that any command may print. */
export function schemaFile(words: string): string {
  return `${words.replaceAll(' ', '-')}.json`;
}

/**
 * The schema of what a command prints: with `--json` the document itself, with `--jsonl` a line of
 * it under `#/$defs/line`.
 */
export function commandSchema(words: string, cases: readonly JsonCase[]): JsonSchema {
  const lines = [...new Set(cases.flatMap(({ line }) => line ?? []))];
  return {
    ...head(words, `mailer ${words} --json`),
    ...oneOrAny(cases.map(caseSchema)),
    ...(lines.length === 0
      ? {}
      : {
          $defs: {
            line: {
              title: `A line of mailer ${words} --jsonl`,
              ...oneOrAny(lines.map(plainSchema)),
            },
          },
        }),
  };
}

/** The schema of a document that any command may print. */
export function documentSchema(name: string, one: JsonCase): JsonSchema {
  return { ...head(name, `mailer: ${one.what}`), ...caseSchema(one) };
}

/** The schema of one of the documents of a command. */
export function caseSchema({ when, what, schema }: JsonCase): JsonSchema {
  return { description: `${when === '' ? '' : `With ${when}: `}${what}`, ...plainSchema(schema) };
}

function head(name: string, title: string): JsonSchema {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    $id: `urn:mailer:json:${name.replaceAll(' ', '-')}`,
    title,
  };
}

function oneOrAny(schemas: readonly JsonSchema[]): JsonSchema {
  const [first, second] = schemas;
  return first !== undefined && second === undefined ? first : { anyOf: schemas };
}

/** A value before it is read: texts are what is printed, not what is made of them. */
function plainSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  // Zod's type says the same with more names; it is plain JSON.
  return rest as JsonSchema;
}
