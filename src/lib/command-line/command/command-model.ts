import * as z from 'zod';
import { effects } from './effects.ts';

/** What `mailer commands` tells of a command: everything that help, manual pages and the reference are made from. */

const choices = z.array(z.string()).describe('the values that it takes, if only these');

const argument = z.strictObject({
  name: z.string(),
  required: z.boolean(),
  repeatable: z.boolean(),
  description: z.string(),
  choices: choices.optional(),
});

const flag = z.strictObject({
  name: z.string().describe('such as `--to`'),
  short: z.string().nullable().describe('such as `-q`'),
  value: z.string().nullable().describe('the name of its value; null if it takes none'),
  valueOptional: z.boolean().describe('whether `--wait` and `--wait=VALUE` are both possible'),
  repeatable: z.boolean(),
  description: z.string(),
  group: z.string().describe('its part of the help page, or the commands that share it'),
  choices: choices.optional(),
  default: z.union([z.string(), z.number(), z.boolean()]).optional(),
  env: z.string().optional().describe('the environment variable that it replaces'),
  excludes: z.array(z.string()).optional().describe('flags that cannot be used together with it'),
});

const jsonSchema = z.record(z.string(), z.unknown()).describe('a JSON Schema (draft 2020-12)');

const printedDocument = z.strictObject({
  when: z.string().describe('the flag or argument that prints it; empty for the usual one'),
  what: z.string(),
  schema: jsonSchema,
  line: jsonSchema.optional().describe('the schema of a line of `--jsonl`'),
  columns: z.array(z.string()).describe('names that `--fields` takes besides those of the schema'),
});

export const commandModel = z.strictObject({
  command: z.string(),
  summary: z.string(),
  description: z.string(),
  usage: z.string().describe('what follows the words of the command'),
  arguments: z.array(argument),
  flags: z.array(flag),
  values: z
    .strictObject({
      title: z.string(),
      rows: z.array(z.strictObject({ term: z.string(), meaning: z.string() })),
    })
    .optional()
    .describe("the syntax of a flag's value"),
  effects: z
    .partialRecord(z.enum(effects), z.union([z.literal(true), z.array(z.string())]))
    .describe('what it does: `true`, or the flags that cause it'),
  exits: z.array(z.strictObject({ code: z.int(), meaning: z.string() })),
  prints: z.array(printedDocument),
  examples: z.array(z.strictObject({ line: z.string(), effect: z.string() })),
});

/** A row of the list of all commands. */
export const commandRow = z.strictObject({
  command: z.string(),
  summary: z.string(),
  effects: z.array(z.enum(effects)),
});

export type CommandModel = z.infer<typeof commandModel>;
export type CommandRow = z.infer<typeof commandRow>;
export type FlagModel = z.infer<typeof flag>;
