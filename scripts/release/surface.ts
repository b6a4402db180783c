import { isCommon } from '../../src/cli/help.ts';
import { commonDocuments } from '../../src/cli/model/documents.ts';
import { exitMeanings } from '../../src/cli/model/exit-meanings.ts';
import { fieldRows } from '../../src/cli/model/field-rows.ts';
import { modelsOf } from '../../src/cli/model/list.ts';
import { type JsonSchema, plainSchema } from '../../src/cli/model/schemas.ts';
import type { CommandModel, FlagModel } from '../../src/lib/command-line/command/command-model.ts';

/**
 * What scripts may rely on, a line each, sorted: commands, arguments, flags, their choices, exit codes, and the
 * fields of JSON, once for documents that have the same. A line that is gone may break a script.
 */
export async function surface(): Promise<readonly string[]> {
  const models = await modelsOf([]);
  const documents = [
    ...models.flatMap(documentsOf),
    ...Object.entries(commonDocuments).map(([name, { schema }]) =>
      fieldsOf(`json of ${name}`, plainSchema(schema)),
    ),
  ];
  const common = models.flatMap(({ flags }) => flags.filter(({ group }) => isCommon(group)));
  const lines = [
    ...models.flatMap(commandLines),
    ...common.map((flag) => `${flag.group}: ${inWords(flag)}`),
    ...exitMeanings.flatMap(({ code, names }) =>
      (names.length === 0 ? [''] : names).map((name) => `exit ${code} ${name}`),
    ),
    ...withoutRepetition(documents),
  ];
  return [...new Set(lines.map((line) => line.trimEnd()))].sort();
}

/** The fields of a document, as `json: id string`; `json` is its name. */
interface Fields {
  readonly name: string;
  readonly fields: readonly string[];
}

/** A line for each field; for a document with the fields of another one, or a list of these, one line that names it. */
function withoutRepetition(documents: readonly Fields[]): readonly string[] {
  const written = new Map<string, string>();
  const inOrder = documents.toSorted((one, other) => (one.name < other.name ? -1 : 1));
  for (const { name, fields } of inOrder) {
    const known = written.get(fields.join('\n'));
    if (known === undefined) written.set(fields.join('\n'), name);
  }
  return inOrder.flatMap(({ name, fields }) => {
    const isList = fields.every((field) => field.startsWith('[].'));
    const of = isList ? fields.map((field) => field.slice('[].'.length)) : fields;
    const known = written.get(of.join('\n')) ?? name;
    if (known !== name && fields.length > 1) return `${name}: ${isList ? 'list ' : ''}as ${known}`;
    return fields.map((field) => `${name}: ${field}`);
  });
}

/** The lines with those of each document that is only named. */
function withRepetition(lines: readonly string[]): readonly string[] {
  return lines.flatMap((line) => {
    const [, name, list, other] = /^(.* jsonl?\b.*): (list )?as (.*)$/.exec(line) ?? [];
    if (other === undefined) return line;
    const fields = lines.filter((one) => one.startsWith(`${other}: `));
    return fields.map((one) => `${name}: ${list ? '[].' : ''}${one.slice(other.length + 2)}`);
  });
}

/**
 * The lines that are gone, except those whose flag, code or field the newest part of the changelog names between
 * backticks or in words.
 */
export function gone(
  before: readonly string[],
  after: readonly string[],
  changelog: string,
): readonly string[] {
  const [, newest = ''] = changelog.split(/^## .*$/m);
  const isNamed = (line: string) => {
    const name = /--[a-z-]+|(?<=exit )\d+|(?<=: )[\w[\].]+/.exec(line)?.[0] ?? line;
    return newest.includes(name);
  };
  const present = new Set(withRepetition(after));
  return withRepetition(before).filter(
    (line) => line !== '' && !present.has(line) && !isNamed(line),
  );
}

function commandLines(model: CommandModel): readonly string[] {
  const { command, arguments: values, flags, effects, exits } = model;
  const shared = flags.filter(({ group }) => isCommon(group));
  return [
    `${command} ${values.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ')}`,
    `${command} effects: ${Object.keys(effects).join(', ') || 'none'}`,
    ...[...new Set(shared.map(({ group }) => group))]
      .filter((group) => group !== 'every command')
      .map((group) => `${command} takes: ${group}`),
    ...flags.filter((flag) => !shared.includes(flag)).map((flag) => `${command} ${inWords(flag)}`),
    ...[...values, ...flags.filter((flag) => !shared.includes(flag))].flatMap(
      ({ name, choices = [] }) => choices.map((choice) => `${command} ${name}=${choice}`),
    ),
    ...exits.filter(({ code }) => code !== 0).map(({ code }) => `${command} exit ${code}`),
  ];
}

function documentsOf({ command, prints }: CommandModel): readonly Fields[] {
  return prints.flatMap(({ when, schema, line }) => {
    // Once for all commands.
    if (Object.values(commonDocuments).some((one) => when !== '' && one.when === when)) return [];
    const end = when && ` with ${when}`;
    // The model has JSON Schemas as plain objects.
    return [
      fieldsOf(`${command} json${end}`, schema as JsonSchema),
      ...(line === undefined ? [] : [fieldsOf(`${command} jsonl${end}`, line as JsonSchema)]),
    ];
  });
}

function inWords({ name, short, value, valueOptional, repeatable }: FlagModel): string {
  const names = short === null ? name : `${short}, ${name}`;
  if (value === null) return names;
  return `${names}${valueOptional ? '[=]' : ' <>'}${repeatable ? ' repeatable' : ''}`;
}

function fieldsOf(name: string, schema: JsonSchema): Fields {
  const rows = fieldRows(schema);
  return {
    name,
    fields: rows.map(({ path, type, always }) => `${path} ${always ? '' : 'optional '}${type}`),
  };
}
