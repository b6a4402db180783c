import { exitMeanings } from '../../src/cli/model/exit-meanings.ts';
import type { CommandPage, Term, TermGroup } from './command-pages.ts';
import { grammarTitle } from './grammar-title.ts';
import { anchor, codeCell, markdown, table } from './markdown.ts';
import { aboutFiles, environment, files } from './overview.ts';

/** `docs/reference.md`: every command, and what applies to all of them. */
export function referencePage(pages: readonly CommandPage[], common: readonly TermGroup[]): string {
  const lines = [
    '<!-- Generated from the commands by npm run docs. Do not edit. -->',
    '',
    '# Reference',
    '',
    'Every command. Its help pages (`mailer email send --help`, and `mailer help flags email send` for every flag) and its',
    'manual page (`man mailer-email-send`) have the same text. For the JSON, see [json.md](json.md).',
    '',
    ...pages.map(
      ({ command: words, summary }) => `- [${words}](${anchor(words)}): ${markdown(summary)}`,
    ),
    '- [Common flags](#common-flags)',
    '- [Exit codes](#exit-codes)',
    '- [Environment](#environment)',
    '- [Files](#files)',
    '',
    ...pages.flatMap(commandLines),
    '## Common flags',
    '',
    ...common.flatMap(({ title, terms }) => [`### ${title}`, '', ...termTable('Flag', terms)]),
    '## Exit codes',
    '',
    ...table(
      ['Code', 'In JSON', 'Meaning'],
      exitMeanings.map(({ code, names, meaning }) => [
        String(code),
        names.map(codeCell).join(', '),
        markdown(meaning),
      ]),
    ),
    '## Environment',
    '',
    ...termTable('Variable', environment),
    '## Files',
    '',
    ...termTable('Path', files),
    aboutFiles,
  ];
  return `${lines.join('\n')}\n`;
}

function commandLines(page: CommandPage): readonly string[] {
  const { command: words, usage, examples, exits } = page;
  return [
    `## ${words}`,
    '',
    markdown(`${page.sentence} ${page.description}`),
    '',
    `    mailer ${words} ${usage}`,
    '',
    ...termTable('Argument', page.arguments),
    ...page.flags.flatMap(({ title, terms }) => [
      ...(page.flags.length === 1 ? [] : [`${title}:`, '']),
      ...termTable('Flag', terms),
    ]),
    ...grammarLines(page),
    `[Common flags](#common-flags): ${page.commonFlags.map(codeCell).join(', ')}`,
    '',
    ...page.prints.map(({ when, what, fields }) => {
      const flags = when === '' ? '`--json`' : `\`--json\` with \`${when}\``;
      const named = fields.length === 0 ? '' : `: ${fields.map(codeCell).join(', ')}`;
      return `- ${flags}: ${what}${named}`;
    }),
    '',
    ...table(
      ['Exit code', 'Meaning'],
      exits.map(({ code, meaning }) => [String(code), markdown(meaning)]),
    ),
    '```sh',
    ...examples.flatMap(({ line, effect }) => [`# ${effect}`, line]),
    '```',
    '',
  ];
}

function grammarLines({ values }: CommandPage): readonly string[] {
  if (values === undefined) return [];
  const { name, rest } = grammarTitle(values);
  const rows = values.rows.map(({ term, meaning }) => [codeCell(term), markdown(meaning)]);
  return [`${name}: ${markdown(rest)}`, '', ...table(['Part', 'Meaning'], rows)];
}

function termTable(header: string, terms: readonly Term[]): readonly string[] {
  if (terms.length === 0) return [];
  return table(
    [header, 'Meaning'],
    terms.map(({ term, text }) => [codeCell(term), markdown(text)]),
  );
}
