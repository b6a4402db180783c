import { isCommon } from '../../src/cli/help.ts';
import { commonDocuments } from '../../src/cli/model/documents.ts';
import { exitMeanings } from '../../src/cli/model/exit-meanings.ts';
import { fieldRows } from '../../src/cli/model/field-rows.ts';
import { modelsOf } from '../../src/cli/model/list.ts';
import { type JsonSchema, plainSchema } from '../../src/cli/model/schemas.ts';
import type { CommandModel, FlagModel } from '../../src/lib/command/command-model.ts';

/**
 * What scripts may rely on, a line each, sorted: commands, arguments, flags, their choices, exit codes, and the
 * fields of JSON. A line that is gone may break a script.
 */
export async function surface(): Promise<readonly string[]> {
  const models = await modelsOf([]);
  const common = models.flatMap(({ flags }) => flags.filter(({ group }) => isCommon(group)));
  const lines = [
    ...models.flatMap(commandLines),
    ...common.map((flag) => `${flag.group}: ${inWords(flag)}`),
    ...exitMeanings.flatMap(({ code, names }) =>
      (names.length === 0 ? [''] : names).map((name) => `exit ${code} ${name}`),
    ),
    ...Object.entries(commonDocuments).flatMap(([name, { schema }]) =>
      fieldLines(`json of ${name}`, plainSchema(schema)),
    ),
  ];
  return [...new Set(lines.map((line) => line.trimEnd()))].sort();
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
  return before.filter((line) => line !== '' && !after.includes(line) && !isNamed(line));
}

function commandLines(model: CommandModel): readonly string[] {
  const { command, arguments: values, flags, effects, exits, prints } = model;
  const shared = flags.filter(({ group }) => isCommon(group));
  return [
    `${command} ${values.map(({ name, required }) => (required ? `<${name}>` : `[${name}]`)).join(' ')}`,
    `${command} effects: ${Object.keys(effects).join(', ') || 'none'}`,
    ...[...new Set(shared.map(({ group }) => group))].map((group) => `${command} takes: ${group}`),
    ...flags.filter((flag) => !shared.includes(flag)).map((flag) => `${command} ${inWords(flag)}`),
    ...[...values, ...flags.filter((flag) => !shared.includes(flag))].flatMap(
      ({ name, choices = [] }) => choices.map((choice) => `${command} ${name}=${choice}`),
    ),
    ...exits.map(({ code }) => `${command} exit ${code}`),
    ...prints.flatMap(({ when, schema, line }) => [
      // The model has JSON Schemas as plain objects.
      ...fieldLines(`${command} json${when && ` with ${when}`}`, schema as JsonSchema),
      ...(line === undefined
        ? []
        : fieldLines(`${command} jsonl${when && ` with ${when}`}`, line as JsonSchema)),
    ]),
  ];
}

function inWords({ name, short, value, valueOptional, repeatable }: FlagModel): string {
  const names = short === null ? name : `${short}, ${name}`;
  if (value === null) return names;
  return `${names}${valueOptional ? '[=]' : ' <>'}${repeatable ? ' repeatable' : ''}`;
}

function fieldLines(start: string, schema: JsonSchema): readonly string[] {
  const rows = fieldRows(schema);
  return rows.map(
    ({ path, type, always }) => `${start}: ${path} ${always ? '' : 'optional '}${type}`,
  );
}
