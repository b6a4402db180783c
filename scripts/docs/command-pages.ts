import { Command, Help } from '@commander-js/extra-typings';
import { declare } from '../../src/cli/command-line.ts';
import { groupsOf, isCommon, sectionOf } from '../../src/cli/help.ts';
import { sentence } from '../../src/cli/parse.ts';
import {
  firstExamples,
  groups,
  type LoadedCommand,
  type ManifestEntry,
  manifest,
} from '../../src/commands/manifest.ts';
import type { Example } from '../../src/lib/command/command.ts';
import { addCommonFlags, flagGroups } from '../../src/lib/command/flags/common-flags.ts';
import { descriptions } from './descriptions.ts';

/** A word of a command line, and its description. */
export interface Term {
  /** As typed: `--to <addresses>`, `--wait[=status]`, `<id>`, `[file]`. */
  readonly term: string;
  readonly text: string;
}

export interface TermGroup {
  readonly title: string;
  readonly terms: readonly Term[];
}

/** The help page of a command, as data. */
export interface CommandPage {
  /** Without the program: `email send`. */
  readonly words: string;
  readonly summary: string;
  /** The summary as a sentence. */
  readonly sentence: string;
  /** The description beyond the summary. */
  readonly about: string;
  /** The usage after the words: `<id> [flags]`. */
  readonly usage: string;
  readonly arguments: readonly Term[];
  /** Its own flags, in their groups. */
  readonly flags: readonly TermGroup[];
  /** The syntax of a flag's value, if help has a section for it. */
  readonly grammar: LoadedCommand['grammar'];
  /** The names of the flags it shares with other commands. */
  readonly commonFlags: readonly string[];
  /** Whether it can change something at the service. */
  readonly writes: boolean;
  /** Whether its result is a list. */
  readonly lists: boolean;
  readonly examples: readonly Example[];
}

/** A group of commands: `email`, `contact book`; without words, all commands. */
export interface GroupPage {
  readonly words: string;
  readonly sentence: string;
  /** The commands and groups directly below it. */
  readonly members: readonly { readonly words: string; readonly summary: string }[];
  readonly examples: readonly Example[];
}

/** The pages of all commands, in the order of help. */
export async function commandPages(): Promise<readonly CommandPage[]> {
  return await Promise.all(manifest.map(commandPage));
}

/** The flags that commands share, grouped by the kinds of commands that take them. */
export function commonFlags(): readonly TermGroup[] {
  const program = new Command();
  addCommonFlags(program, { takes: flagGroups });
  return shown(visibleGroups(program));
}

async function commandPage({ words, summary, load }: ManifestEntry): Promise<CommandPage> {
  const { command } = await load();
  const leaf = new Command(words.at(-1));
  declare(leaf, command);
  const all = visibleGroups(leaf);
  const common = all.filter(([title]) => isCommon(title)).flatMap(([, options]) => options);
  return {
    words: words.join(' '),
    summary,
    sentence: sentence(summary),
    about: descriptions[words.join(' ')] ?? '',
    usage: leaf.usage(),
    arguments: leaf.registeredArguments.map((one) => ({
      term: one.required ? `<${one.name()}>` : `[${one.name()}]`,
      text: one.description,
    })),
    flags: shown(all.filter(([title]) => !isCommon(title))),
    grammar: command.grammar,
    commonFlags: common.map(({ long }) => long ?? ''),
    writes: command.takes?.includes('dry runs') === true,
    lists: command.takes?.includes('lists') === true,
    examples: command.examples,
  };
}

type Groups = ReturnType<typeof groupsOf>;

function visibleGroups(command: Command): Groups {
  return groupsOf(new Help().visibleOptions(command));
}

function shown(groups: Groups): readonly TermGroup[] {
  return groups.map((group) => {
    const [title, rows] = sectionOf(group);
    return { title: title.replace(/:$/, ''), terms: rows.map(([term, text]) => ({ term, text })) };
  });
}

/** The page of the program, and those of the groups. */
export function groupPages(): readonly GroupPage[] {
  const summaries = new Map(manifest.map(({ words, summary }) => [words.join(' '), summary]));
  const names = manifest.flatMap(({ words }) => words.map((_, at) => words.slice(0, at + 1)));
  const everything = [...new Set(names.map((words) => words.join(' ')))];
  const page = (words: string, summary: string, examples: readonly Example[]): GroupPage => ({
    words,
    examples,
    sentence: sentence(summary),
    members: everything
      .filter((name) => parentOf(name) === words)
      .map((name) => ({
        words: name,
        summary: groups[name]?.summary ?? summaries.get(name) ?? '',
      })),
  });
  return [
    page('', 'work with an email delivery service', firstExamples),
    ...Object.entries(groups).map(([words, { summary, example }]) =>
      page(words, summary, [example]),
    ),
  ];
}

function parentOf(words: string): string {
  return words.split(' ').slice(0, -1).join(' ');
}
