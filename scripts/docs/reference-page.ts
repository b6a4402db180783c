import type { CommandPage, Term, TermGroup } from './command-pages.ts';
import { exitCodesShown, exitMeanings } from './exit-codes.ts';
import { grammarTitle } from './grammar-title.ts';
import { schemaFile } from './json/schemas.ts';
import { anchor, codeCell, markdown, table } from './markdown.ts';
import { aboutFiles, environment, files } from './overview.ts';

/** `docs/reference.md`: every command, and what applies to all of them. */
export function referencePage(pages: readonly CommandPage[], common: readonly TermGroup[]): string {
  const lines = [
    '<!-- Generated from the commands by npm run docs. Do not edit. -->',
    '',
    '# Reference',
    '',
    'Every command. Its help page (`mailer email send --help`) and its manual page',
    '(`man mailer-email-send`) have the same text. For the JSON, see [json.md](json.md).',
    '',
    ...pages.map(({ words, summary }) => `- [${words}](${anchor(words)}): ${markdown(summary)}`),
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
      exitMeanings.map(([code, names, meaning]) => [
        String(code),
        names.split(', ').filter(Boolean).map(codeCell).join(', '),
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
  const { words, usage, examples } = page;
  return [
    `## ${words}`,
    '',
    markdown(`${page.sentence} ${page.about}`),
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
    `The JSON: [${words}](json.md${anchor(words)}), [schema](schemas/${schemaFile(words)}).`,
    '',
    ...table(
      ['Exit code', 'Meaning'],
      exitCodesShown(words).map(([code, text]) => [String(code), markdown(text)]),
    ),
    '```sh',
    ...examples.flatMap(([line, effect]) => [`# ${effect}`, line]),
    '```',
    '',
  ];
}

function grammarLines({ grammar }: CommandPage): readonly string[] {
  if (grammar === undefined) return [];
  const { name, rest } = grammarTitle(grammar);
  const rows = grammar.rows.map(([term, meaning]) => [codeCell(term), markdown(meaning)]);
  return [`${name}: ${markdown(rest)}`, '', ...table(['Part', 'Meaning'], rows)];
}

function termTable(header: string, terms: readonly Term[]): readonly string[] {
  if (terms.length === 0) return [];
  return table(
    [header, 'Meaning'],
    terms.map(({ term, text }) => [codeCell(term), markdown(text)]),
  );
}
