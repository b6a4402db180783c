import type { Command, Help, Option } from '@commander-js/extra-typings';
import type { CommandDefinition, Declared } from '../lib/command-line/command/command.ts';
import { flagGroups } from '../lib/command-line/command/flags/common-flags.ts';
import { rarelyNeeded } from '../lib/command-line/command/flags/rarely-needed.ts';

type Section = readonly [title: string, rows: readonly (readonly [term: string, text: string])[]];

/** What a help page shows about a command beyond what commander knows; of a group, only examples. */
export type Shown = Pick<CommandDefinition<Declared>, 'examples' | 'grammar' | 'exits'> & {
  readonly description?: string;
  /** The fields of what it prints. */
  readonly fields?: string | undefined;
};

/** Commander's settings for help pages; without colour it removes the styles. */
export const helpStyle: Partial<Help> = {
  // In narrower terminals commander does not wrap, and the terminal breaks long texts anywhere.
  minWidthToWrap: 20,
  // Bold. Node 22's styleText would open stdout for it, which takes a few milliseconds.
  styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
};

/**
 * A help page: what the command does, its usage, examples, commands and flags, exit codes of its own, and the names of
 * flags that few people need, and of those that it shares with others.
 */
export function commandPage(command: Command, helper: Help, shown: Shown): string {
  const { examples, grammar, description = '', exits = {}, fields } = shown;
  const options = Object.groupBy(
    helper.visibleOptions(command),
    ({ helpGroupHeading: title = '' }) =>
      title === rarelyNeeded ? 'rare' : isCommon(title) ? 'common' : 'own',
  );
  return [
    helper.commandDescription(command),
    '',
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    '',
    ...(description === '' ? [] : [helper.boxWrap(description, helper.helpWidth ?? 80), '']),
    helper.styleTitle('Examples:'),
    ...Object.entries(examples).flatMap(([line, effect]) => [`  # ${effect}`, `  $ ${line}`, '']),
    ...sections(helper, [
      [
        'Arguments:',
        command.registeredArguments.map((one) => [helper.argumentTerm(one), one.description]),
      ],
      ['Commands:', command.commands.map((one) => [one.name(), one.summary()])],
      // In a group, some commands take these flags and others do not.
      ...(command.commands.length > 0 ? [] : groupsOf(options.own ?? []).map(sectionOf)),
    ]),
    ...(grammar === undefined ? [] : sections(helper, [[grammar.title, grammar.rows]])),
    ...sections(helper, [['Exit codes:', Object.entries(exits)]]),
    ...(options.rare === undefined
      ? []
      : [namesOf('Rarely needed', ['flags', ...wordsOf(command)], options.rare, helper), '']),
    namesOf('Common flags', ['flags'], (options.common ?? []).filter(isOftenNeeded), helper),
    ...(fields === undefined
      ? []
      : [helper.boxWrap(`${helper.styleTitle('JSON fields:')} ${fields}`, helper.helpWidth ?? 80)]),
    '',
  ].join('\n');
}

/** Whether a shared flag is not one about the connection, which no page of a command names. */
function isOftenNeeded({ long = '' }: Option): boolean {
  return !['--version', '--no-color', '--allow-http', '--timeout', '--retries'].includes(long);
}

/** The shortest names of flags, as one paragraph, and the page of help that explains them. */
function namesOf(
  title: string,
  page: readonly string[],
  options: readonly Option[],
  helper: Help,
): string {
  const names = options.map(({ short, long }) => short ?? long).join(' ');
  const line = `${helper.styleTitle(title)} (mailer help ${page.join(' ')}): ${names}`;
  return helper.boxWrap(line, helper.helpWidth ?? 80);
}

/** The page of `mailer help flags`: the flags that commands share, or every flag of the command that is named. */
export function flagsPage(command: Command, helper: Help): string {
  const name = wordsOf(command).join(' ');
  const intro =
    'The help page of a command names those that it takes; mailer help flags COMMAND explains all of them. Flags can be anywhere after mailer.';
  return [
    name === '' ? 'Flags that commands share.' : `Flags of mailer ${name}.`,
    '',
    ...(name === '' ? [helper.boxWrap(intro, helper.helpWidth ?? 80), ''] : []),
    ...sections(helper, groupsOf(helper.visibleOptions(command)).map(sectionOf)),
  ].join('\n');
}

/** The words that name a command or group; none for the program. */
export function wordsOf(command: Command): readonly string[] {
  const above = parentOf(command);
  return above === null ? [] : [...wordsOf(above), command.name()];
}

export function parentOf(command: Command): Command | null {
  // The declared type has type parameters for options, which do not matter here.
  return command.parent as Command | null;
}

function sections(helper: Help, all: readonly Section[]): readonly string[] {
  const width = Math.max(0, ...all.flatMap(([, rows]) => rows.map(([term]) => term.length)));
  return all
    .filter(([, rows]) => rows.length > 0)
    .flatMap(([title, rows]) => [
      helper.styleTitle(title),
      ...rows.map(([term, text]) => helper.formatItem(term, width, text, helper)),
      '',
    ]);
}

/** A group of flags for a page; its title ends with a colon. */
export function sectionOf([title, options]: readonly [string, readonly Option[]]): Section {
  const shown = isCommon(title) ? `${title.charAt(0).toUpperCase()}${title.slice(1)}:` : title;
  return [shown, options.map(rowOf)];
}

/** A flag as it is typed, and its description. An optional value needs the equals sign. */
function rowOf({ flags, description }: Option): [term: string, text: string] {
  return [flags.replace(/ \[(.+)\]$/, '[=$1]'), description];
}

/** Flags by the titles of their groups: those that few people need, and then the shared ones, are last. */
export function groupsOf(options: readonly Option[]): readonly (readonly [string, Option[]])[] {
  const groups = Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Flags:');
  const place = (title: string) => (isCommon(title) ? 2 : title === rarelyNeeded ? 1 : 0);
  return [...groups].sort(([one], [other]) => place(one) - place(other));
}

/** Whether the title is one of a group of shared flags. */
export function isCommon(title: string): boolean {
  return flagGroups.some((group) => group === title);
}
