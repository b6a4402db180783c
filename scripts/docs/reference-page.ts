import type { CommandPage, Term, TermGroup } from './command-pages.ts';
import { exitCodesShown, exitMeanings } from './exit-codes.ts';
import { grammarTitle } from './grammar-title.ts';
import { schemaFile } from './json/schemas.ts';
import { anchor, codeCell, markdown, table } from './markdown.ts';
import { aboutFiles, environment, files } from './overview.ts';

/** `docs/reference.md`: every command, and what holds for all of them. */
export function referencePage(pages: readonly CommandPage[], common: readonly TermGroup[]): string {
  const lines = [
    '<!-- Made from the commands by npm run docs. Do not edit. -->',
    '',
    '# Reference',
    '',
    'Every command. Its help page (`mailer email send --help`) and its manual page',
    '(`man mailer-email-send`) have the same. For the JSON, see [json.md](json.md).',
    '',
    ...pages.map(({ words, summary }) => `- [${words}](${anchor(words)}): ${markdown(summary)}`),
    '- [Flags of every command](#flags-of-every-command)',
    '- [Exit codes](#exit-codes)',
    '- [Environment](#environment)',
    '- [Files](#files)',
    '',
    ...pages.flatMap((page) => commandLines(page, common)),
    '## Flags of every command',
    '',
    'Commands that change something at the service have `--dry-run`; commands that list have `--jsonl`,',
    '`--csv` and `--csv-safe`.',
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

function commandLines(page: CommandPage, common: readonly TermGroup[]): readonly string[] {
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
    'Of the [flags of every command](#flags-of-every-command):',
    '',
    ...termTable('Flag', special(page, common)),
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

/** The forms of its result, and flags of every command that are not the same here. */
function special({ commonFlags }: CommandPage, common: readonly TermGroup[]): readonly Term[] {
  const forms = ['--json', '--jsonl', '--csv', '--csv-safe', '-q, --quiet', '--dry-run'];
  const usual = common.flatMap(({ terms }) => terms);
  const isUsual = ({ term, text }: Term) =>
    usual.some((one) => one.term === term && one.text === text);
  return commonFlags
    .flatMap(({ terms }) => terms)
    .filter((one) => forms.includes(one.term) || !isUsual(one));
}

function termTable(header: string, terms: readonly Term[]): readonly string[] {
  if (terms.length === 0) return [];
  return table(
    [header, 'Meaning'],
    terms.map(({ term, text }) => [codeCell(term), markdown(text)]),
  );
}
