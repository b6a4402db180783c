import { anchor, codeCell, markdown, table } from '../markdown.ts';
import { fieldRows } from './field-rows.ts';
import { commonOutputs, type JsonCase, jsonOutputs } from './outputs.ts';
import { caseSchema, schemaFile } from './schemas.ts';

/** Documents actually printed, by command and by the index of their case. */
export type Examples = ReadonlyMap<string, readonly (string | undefined)[]>;

/** `docs/json.md`: what `--json` and `--jsonl` print, command by command. */
export function jsonPage(examples: Examples): string {
  const lines = [
    '<!-- Generated from the schemas and the output of the commands by npm run docs. Do not edit. -->',
    '',
    '# JSON',
    '',
    'With `--json`, every command prints one JSON document on stdout. With `--jsonl`, commands that list',
    'print one JSON object per line, as rows arrive. Each document has a JSON Schema (draft 2020-12) in',
    '[schemas](schemas); the schema of a line is `#/$defs/line` in the same file. The tests validate the',
    'output against the schemas.',
    '',
    '- Responses of the service are printed unmodified. They may have more fields than listed here, and',
    '  lack any field that is not marked "always".',
    '- With `--fields`, the schemas do not apply.',
    '- On a terminal, documents are indented; elsewhere, they are one line. Control characters are escaped.',
    '- With exit codes 9, 10 and 11, the result is on stdout and the error on stderr.',
    '- In the examples, long texts are cut with …, and lists after the first entry.',
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
          ['Field', 'Type', 'Always', ''],
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
