import * as z from 'zod';
import type { PrintedDocument } from './documents.ts';

/** The parts of a JSON Schema that are used here. */
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

/**
 * The schema of a command's output: the document of `--json`, and under `#/$defs/line` a line of `--jsonl`.
 */
export function commandSchema(words: string, cases: readonly PrintedDocument[]): JsonSchema {
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
export function documentSchema(name: string, one: PrintedDocument): JsonSchema {
  return { ...head(name, `mailer: ${one.what}`), ...caseSchema(one) };
}

/** The schema of one of the documents of a command. */
export function caseSchema({ when, what, schema }: PrintedDocument): JsonSchema {
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

/** The schema of a value as printed, before any transformation. */
export function plainSchema(schema: z.ZodType): JsonSchema {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input' });
  // Plain JSON, for which Zod's type has more names.
  return rest as JsonSchema;
}
