import type { Command, Help, Option } from '@commander-js/extra-typings';
import type { CommandDefinition, Declared } from '../lib/command/command.ts';
import { flagGroups } from '../lib/command/flags/common-flags.ts';

type Section = readonly [title: string, rows: readonly (readonly [term: string, text: string])[]];

/** What a help page shows about a command beyond what commander knows; of a group, only examples. */
export type Shown = Pick<CommandDefinition<Declared>, 'examples' | 'grammar' | 'exits'> & {
  readonly description?: string;
};

/** Commander's settings for help pages; without colour it removes the styles. */
export const helpStyle: Partial<Help> = {
  // In narrower terminals commander does not wrap, and the terminal breaks long texts anywhere.
  minWidthToWrap: 20,
  // Bold. Node 22's styleText would open stdout for it, which takes a few milliseconds.
  styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
};

/**
 * A help page: what the command does, its usage, examples, commands and flags, exit codes of its own, and one line
 * with the flags that it shares with others.
 */
export function commandPage(command: Command, helper: Help, shown: Shown): string {
  const { examples, grammar, description = '', exits = {} } = shown;
  const options = helper.visibleOptions(command);
  const isShared = ({ helpGroupHeading: title }: Option) => title !== undefined && isCommon(title);
  return [
    helper.commandDescription(command),
    '',
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    '',
    ...(description === '' ? [] : [helper.boxWrap(description, helper.helpWidth ?? 80), '']),
    helper.styleTitle('Examples:'),
    ...examples.flatMap(([line, effect]) => [`  # ${effect}`, `  $ ${line}`, '']),
    ...sections(helper, [
      [
        'Arguments:',
        command.registeredArguments.map((one) => [helper.argumentTerm(one), one.description]),
      ],
      ['Commands:', command.commands.map((one) => [one.name(), one.summary()])],
      // In a group, some commands take these flags and others do not.
      ...(command.commands.length > 0
        ? []
        : groupsOf(options.filter((option) => !isShared(option))).map(sectionOf)),
    ]),
    ...(grammar === undefined ? [] : sections(helper, [[grammar.title, grammar.rows]])),
    ...sections(helper, [['Exit codes:', Object.entries(exits)]]),
    sharedLine(options.filter(isShared), helper),
    '',
  ].join('\n');
}

/** Flags about the connection, which few people need: only `mailer help flags` shows them. */
const rarelyNeeded = ['--version', '--no-color', '--allow-http', '--timeout', '--retries'];

/** The shared flags in their shortest form, as one paragraph. */
function sharedLine(options: readonly Option[], helper: Help): string {
  const names = options
    .filter(({ long }) => !rarelyNeeded.includes(long ?? ''))
    .map(({ short, long }) => short ?? long);
  const line = `${helper.styleTitle('Common flags')} (mailer help flags): ${names.join(' ')}`;
  return helper.boxWrap(line, helper.helpWidth ?? 80);
}

/** The help page of the shared flags that this command takes. */
export function flagsPage(command: Command, helper: Help): string {
  const intro =
    'The help page of a command names those that it takes. Flags can be anywhere after mailer.';
  return [
    'Flags that commands share.',
    '',
    helper.boxWrap(intro, helper.helpWidth ?? 80),
    '',
    ...sections(helper, groupsOf(helper.visibleOptions(command)).map(sectionOf)),
  ].join('\n');
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

/** Flags by the titles of their groups, in the order of help. */
export function groupsOf(options: readonly Option[]): readonly (readonly [string, Option[]])[] {
  return [...Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Flags:')];
}

/** Whether the title is one of a group of shared flags. */
export function isCommon(title: string): boolean {
  return flagGroups.some((group) => group === title);
}
