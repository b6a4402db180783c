import { manifest } from '../../src/commands/manifest.ts';
import { fieldsOfSchema } from '../../src/lib/command-line/output/known-fields.ts';

/** `src/cli/field-names.ts`: the fields of what each command usually prints, which help pages name. */
export async function fieldNamesFile(): Promise<string> {
  const lines: string[] = [];
  for (const { words, load } of manifest) {
    const { schema, line } = (await load()).command.prints[0];
    const document = fieldsOfSchema(await schema());
    const row = line ? fieldsOfSchema(await line()) : document;
    const [first] = row?.names ?? [];
    if (row === undefined || first === undefined) continue;
    const place = document?.names.find((name) => document.has(`${name}.0.${first}`));
    const isBelow = line && place !== undefined && !document?.has(first);
    const below = isBelow ? `; in --json, under ${place}` : '';
    lines.push(`${words.join(' ')}: ${row.names.join(', ')}${below}`);
  }
  return [
    '// Generated from the schemas of the commands by npm run docs. Do not edit. Help pages load this, and no schema.',
    '',
    '/** A line for each command: its words, a colon, and the fields that `--json`, `--jq` and `--fields` know. */',
    'export const fieldsOfCommands = `',
    ...lines,
    '`;',
    '',
  ].join('\n');
}
