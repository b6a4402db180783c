import { exitMeanings } from '../../src/cli/model/exit-meanings.ts';
import { version } from '../../src/lib/base/version.ts';
import { brokenLine } from './broken-line.ts';
import {
  type CommandPage,
  commandPages,
  commonFlags,
  type GroupPage,
  groupPages,
  type Term,
  type TermGroup,
} from './command-pages.ts';
import { grammarTitle } from './grammar-title.ts';
import { aboutFiles, description, environment, files } from './overview.ts';
import { releaseDate } from './release-date.ts';
import { bold, italic, roff, shownTerm } from './roff.ts';

/** Columns for an example: 80 without its indentation. */
const exampleWidth = 69;

type Example = GroupPage['examples'][number];

/** A manual page of a command, in section 1. */
export function commandManual(page: CommandPage): string {
  const { command: words, usage } = page;
  return manual(words, page.summary, [
    section('SYNOPSIS', [`${bold(`mailer ${words}`)} ${synopsis(usage)}`]),
    section('DESCRIPTION', paragraphs([`${page.sentence} ${page.description}`, ...kindOf(page)])),
    section('ARGUMENTS', page.arguments.flatMap(termLines)),
    section('OPTIONS', [
      ...page.flags.flatMap(groupLines),
      ...grammarLines(page),
      '.SS Common flags',
      `${page.commonFlags.map((flag) => bold(flag)).join(', ')}: see ${reference('')}.`,
    ]),
    section('EXIT STATUS', [
      ...page.exits.flatMap(({ code, meaning }) => definition(bold(String(code)), meaning)),
      '.PP',
      `All exit codes are in ${reference('')}.`,
    ]),
    section('EXAMPLES', page.examples.flatMap(exampleLines)),
    section('SEE ALSO', [seeAlso(words)]),
  ]);
}

/** The manual page of a group of commands. */
export function groupManual(page: GroupPage): string {
  const summary = page.sentence.charAt(0).toLowerCase() + page.sentence.slice(1, -1);
  return manual(page.words, summary, [
    section('SYNOPSIS', [`${bold(`mailer ${page.words}`)} ${italic('command')} [flags]`]),
    section('COMMANDS', memberLines(page)),
    section('EXAMPLES', page.examples.flatMap(exampleLines)),
    section('SEE ALSO', [seeAlso(page.words)]),
  ]);
}

/** The manual page of the program: its commands, and what applies to all of them. */
export function programManual(page: GroupPage, common: readonly TermGroup[]): string {
  return manual('', 'work with an email delivery service', [
    section('SYNOPSIS', [`${bold('mailer')} ${italic('command')} [flags]`]),
    section('DESCRIPTION', paragraphs(description)),
    section('COMMANDS', memberLines(page)),
    section('OPTIONS', common.flatMap(groupLines)),
    section('ENVIRONMENT', environment.flatMap(termLines)),
    section('FILES', [...files.flatMap(pathLines), '.PP', roff(aboutFiles)]),
    section('EXIT STATUS', exitMeanings.flatMap(exitLines)),
    section('EXAMPLES', page.examples.flatMap(exampleLines)),
  ]);
}

/** Every manual page: its file, and its text. */
export async function manualPages(): Promise<readonly (readonly [file: string, text: string])[]> {
  const common = commonFlags();
  return [
    ...groupPages().map((page) => {
      const text = page.words === '' ? programManual(page, common) : groupManual(page);
      return [manualFile(page.words), text] as const;
    }),
    ...(await commandPages()).map(
      (page) => [manualFile(page.command), commandManual(page)] as const,
    ),
  ];
}

/** The file of a manual page: `mailer-email-send.1`. */
export function manualFile(words: string): string {
  return `${manualName(words)}.1`;
}

function manualName(words: string): string {
  return ['mailer', ...words.split(' ')].filter((word) => word !== '').join('-');
}

function manual(words: string, summary: string, sections: readonly (readonly string[])[]): string {
  const name = manualName(words);
  const lines = [
    '.\\" Generated from the commands.',
    `.TH "${roff(name.toUpperCase())}" "1" "${releaseDate(version)}" "mailer ${version}" "mailer"`,
    ...section('NAME', [`${roff(name)} \\- ${roff(summary)}`]),
    ...sections.flat(),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [`.SH ${title}`, ...lines];
}

function synopsis(usage: string): string {
  return usage
    .split(' ')
    .map((word) => (word === '[flags]' ? word : shownTerm(word)))
    .join(' ');
}

function groupLines({ title, terms }: TermGroup): string[] {
  return [`.SS ${roff(title)}`, ...terms.flatMap(termLines)];
}

function grammarLines({ values }: CommandPage): string[] {
  if (values === undefined) return [];
  const { name, rest } = grammarTitle(values);
  return [
    `.SS ${roff(name)}`,
    roff(`${rest}.`),
    ...values.rows.flatMap(({ term, meaning }) => definition(bold(term), meaning)),
  ];
}

function termLines({ term, text }: Term): string[] {
  return definition(shownTerm(term), text);
}

function pathLines({ term, text }: Term): string[] {
  return definition(italic(term), text);
}

function exitLines({ code, names, meaning }: (typeof exitMeanings)[number]): string[] {
  const inJson = names.length === 0 ? '' : ` (in JSON: ${names.join(', ')})`;
  return definition(bold(String(code)), `${meaning}${inJson}`);
}

function definition(term: string, text: string): string[] {
  return ['.TP', term, roff(text)];
}

function memberLines({ members }: GroupPage): string[] {
  return members.flatMap(({ words, summary }) => definition(reference(words), summary));
}

function exampleLines({ line, effect }: Example, index: number): string[] {
  const start = index === 0 ? [] : ['.PP'];
  // In PowerShell, the backslash does not continue a line.
  const isPosix = !/\$PROFILE/.test(line);
  const rows = isPosix ? brokenLine(line, exampleWidth) : [line];
  return [...start, `${roff(effect)}:`, '.PP', '.RS 4', '.nf', ...rows.map(roff), '.fi', '.RE'];
}

function paragraphs(texts: readonly string[]): string[] {
  return texts.flatMap((text, index) => (index === 0 ? [roff(text)] : ['.PP', roff(text)]));
}

/** Sentences that apply to all commands of a kind. */
function kindOf({ commonFlags, lists }: CommandPage): string[] {
  return [
    ...(commonFlags.includes('--dry-run')
      ? [
          'This command changes something at the service. With --dry-run, it prints the request and sends nothing.',
        ]
      : []),
    ...(lists ? ['The result is a list, with one row for each item.'] : []),
  ];
}

/** A reference to another page, which `man` follows. */
function reference(words: string): string {
  return `${bold(manualName(words))}(1)`;
}

/** The pages above a page, the nearest first. */
function seeAlso(words: string): string {
  const parts = words.split(' ').slice(0, -1);
  const above = parts.map((_, at) => parts.slice(0, parts.length - at).join(' '));
  return [...above, ''].map(reference).join(', ');
}
