import { anchor, codeCell, markdown, table } from '../markdown.ts';
import { fieldRows } from './field-rows.ts';
import { commonOutputs, type JsonCase, jsonOutputs } from './outputs.ts';
import { caseSchema, schemaFile } from './schemas.ts';

/** Documents that were really printed, by command and by the place of their case, from 0. */
export type Examples = ReadonlyMap<string, readonly (string | undefined)[]>;

/** `docs/json.md`: what `--json` and `--jsonl` print, command by command. */
export function jsonPage(examples: Examples): string {
  const lines = [
    '<!-- Made from the schemas and from what the commands print by npm run docs. Do not edit. -->',
    '',
    '# JSON',
    '',
    'With `--json` every command prints one JSON document on stdout, with `--jsonl` those that list',
    'print one JSON object per line, as they arrive. Each document has a JSON Schema (draft 2020-12) in',
    '[schemas](schemas), a line of `--jsonl` under `#/$defs/line` of the same file; the tests validate',
    'what the program prints against them.',
    '',
    '- What the service replied is printed unchanged: fields that are not named here may be there, too,',
    '  and of those that are named a server may leave out any that is not marked as always there.',
    '- `--fields` leaves only what it names, so the schemas do not hold for it.',
    '- On a terminal a document is indented, elsewhere it is one line. Control characters are escaped.',
    '- With the exit codes 9, 10 and 11 the result is on stdout and the error on stderr.',
    '- In the examples long texts are cut with …, and of a list there is only the first entry.',
    '',
    '- [Errors](#errors)',
    '- [Dry runs](#dry-runs)',
    ...Object.keys(jsonOutputs).map((words) => `- [${words}](${anchor(words)})`),
    '',
    '## Errors',
    '',
    `${phrase(commonOutputs.error.what)}, with \`--json\` or \`--jsonl\` ([schema](schemas/error.json)):`,
    '',
    ...caseLines(commonOutputs.error, examples.get('error')?.[0]),
    '## Dry runs',
    '',
    `${phrase(commonOutputs['dry-run'].what)}, with \`--dry-run\` and \`--json\` ([schema](schemas/dry-run.json)):`,
    '',
    ...caseLines(commonOutputs['dry-run'], examples.get('dry-run')?.[0]),
    ...Object.entries(jsonOutputs).flatMap(([words, cases]) => [
      `## ${words}`,
      '',
      `[Schema](schemas/${schemaFile(words)})`,
      '',
      ...cases.flatMap((one, index) => [
        `${one.when === '' ? phrase(one.what) : `With \`${one.when}\`: ${one.what}`}:`,
        '',
        ...caseLines(one, examples.get(words)?.[index]),
      ]),
    ]),
  ];
  return `${lines.join('\n').trimEnd()}\n`;
}

function caseLines(one: JsonCase, example: string | undefined): readonly string[] {
  const rows = fieldRows(caseSchema(one));
  return [
    ...(rows.length === 0
      ? []
      : table(
          ['Field', 'Type', 'Always there', ''],
          rows.map(({ path, type, always, text }) => [
            codeCell(path),
            markdown(type),
            always ? 'yes' : '',
            text.replaceAll('|', '\\|'),
          ]),
        )),
    ...(example === undefined ? [] : ['```json', example, '```', '']),
  ];
}

function phrase(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
