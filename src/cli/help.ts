import type { Command, Help, Option } from '@commander-js/extra-typings';
import type { CommandDefinition, Declared } from '../lib/command/command.ts';
import { flagGroups } from '../lib/command/flags/common-flags.ts';

type Section = readonly [title: string, rows: readonly (readonly [term: string, text: string])[]];

/** What a help page shows about a command beyond what commander knows. */
export type Shown = Pick<CommandDefinition<Declared>, 'examples' | 'grammar'>;

/** Commander's settings for help pages; without colour it removes the styles. */
export const helpStyle: Partial<Help> = {
  // In narrower terminals commander does not wrap, and the terminal breaks long texts anywhere.
  minWidthToWrap: 20,
  // Bold. Node 22's styleText would open stdout for it, which takes a few milliseconds.
  styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
};

/**
 * A help page: what the command does, its usage, examples, commands and flags, and one line with the flags
 * that every command has.
 */
export function commandPage(command: Command, helper: Help, { examples, grammar }: Shown): string {
  const isEverywhere = ({ helpGroupHeading }: Option) => helpGroupHeading === 'every command';
  const options = helper.visibleOptions(command);
  return [
    helper.commandDescription(command),
    '',
    `${helper.styleTitle('Usage:')} ${helper.commandUsage(command)}`,
    '',
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
        : pageGroups(options.filter((option) => !isEverywhere(option)))),
    ]),
    ...(grammar === undefined ? [] : sections(helper, [[grammar.title, grammar.rows]])),
    everywhereLine(options.filter(isEverywhere), helper),
    '',
  ].join('\n');
}

/** A command's flags by group title. Flags that several commands share are listed under `Flags:`. */
function pageGroups(options: readonly Option[]): readonly Section[] {
  const plain = 'Flags:';
  const titleOf = ({ helpGroupHeading: title = plain }: Option) =>
    isCommon(title) ? plain : title;
  return [...Map.groupBy(options, titleOf)].map(([title, all]) => [title, all.map(rowOf)]);
}

/** The flags of every command in their shortest form, on one line of 80 columns. Two of them did not fit. */
function everywhereLine(options: readonly Option[], helper: Help): string {
  const names = options
    .filter(({ long }) => long !== '--version' && long !== '--no-color')
    .map(({ short, long }) => short ?? long);
  const line = `${helper.styleTitle('mailer help flags:')} ${names.join(' ')}`;
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
