import { Command, Help } from '@commander-js/extra-typings';
import { groupsOf, isCommon, sectionOf } from '../../src/cli/help.ts';
import { fieldRows } from '../../src/cli/model/field-rows.ts';
import { modelOf } from '../../src/cli/model/model.ts';
import type { JsonSchema } from '../../src/cli/model/schemas.ts';
import { sentence } from '../../src/cli/parse.ts';
import {
  firstExamples,
  groups,
  type ManifestEntry,
  manifest,
} from '../../src/commands/manifest.ts';
import type { Examples } from '../../src/lib/command-line/command/command.ts';
import type { CommandModel, FlagModel } from '../../src/lib/command-line/command/command-model.ts';
import {
  addCommonFlags,
  flagGroups,
} from '../../src/lib/command-line/command/flags/common-flags.ts';

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
export interface CommandPage extends Omit<CommandModel, 'arguments' | 'flags' | 'prints'> {
  /** What it prints, with the names of the fields at the top. */
  readonly prints: readonly {
    readonly when: string;
    readonly what: string;
    readonly fields: readonly string[];
  }[];
  /** The summary as a sentence. */
  readonly sentence: string;
  readonly arguments: readonly Term[];
  /** Its own flags, in their groups. */
  readonly flags: readonly TermGroup[];
  /** The names of the flags it shares with other commands. */
  readonly commonFlags: readonly string[];
  /** Whether its result is a list. */
  readonly lists: boolean;
}

/** A group of commands: `email`, `contact book`; without words, all commands. */
export interface GroupPage {
  readonly words: string;
  readonly sentence: string;
  /** The commands and groups directly below it. */
  readonly members: readonly { readonly words: string; readonly summary: string }[];
  readonly examples: CommandModel['examples'];
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

async function commandPage(entry: ManifestEntry): Promise<CommandPage> {
  const model = await modelOf(entry);
  // Dry runs are described once, for all commands.
  const prints = model.prints.filter(({ when }) => when !== '--dry-run');
  const groups = [...Map.groupBy(model.flags, ({ group }) => group)];
  return {
    ...model,
    sentence: sentence(model.summary),
    arguments: model.arguments.map(({ name, required, description }) => ({
      term: required ? `<${name}>` : `[${name}]`,
      text: description,
    })),
    flags: groups
      .filter(([group]) => !isCommon(group))
      .map(([title, flags]) => ({ title, terms: flags.map(termOf) })),
    commonFlags: model.flags.filter(({ group }) => isCommon(group)).map(({ name }) => name),
    prints: prints.map(({ when, what, schema, line }) => {
      // The model has JSON Schemas as plain objects.
      const rows = fieldRows((line ?? schema) as JsonSchema);
      const names = rows.map(({ path }) => path).filter((path) => !/[.]|\w\[/.test(path));
      return { when, what, fields: names };
    }),
    lists: prints.some(({ line }) => line !== undefined),
  };
}

function termOf({ name, short, value, valueOptional, description }: FlagModel): Term {
  const names = short === null ? name : `${short}, ${name}`;
  if (value === null) return { term: names, text: description };
  return { term: `${names}${valueOptional ? `[=${value}]` : ` <${value}>`}`, text: description };
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
  const page = (words: string, summary: string, examples: Examples): GroupPage => ({
    words,
    examples: Object.entries(examples).map(([line, effect]) => ({ line, effect })),
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
    ...Object.entries(groups).map(([words, { summary, examples }]) =>
      page(words, summary, examples),
    ),
  ];
}

function parentOf(words: string): string {
  return words.split(' ').slice(0, -1).join(' ');
}
