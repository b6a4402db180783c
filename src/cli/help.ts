import type { Command, Help, Option } from '@commander-js/extra-typings';
import type { CommandDefinition, Declared } from '../lib/command/command.ts';
import { flagGroups } from '../lib/command/flags/common-flags.ts';

type Section = readonly [title: string, rows: readonly (readonly [term: string, text: string])[]];

/** What a page shows of a command beyond what commander knows. */
export type Shown = Pick<CommandDefinition<Declared>, 'examples' | 'grammar'>;

/** How commander sets a page; without colour it takes the styles away. */
export const helpStyle: Partial<Help> = {
  // Below this commander leaves long texts to the terminal, which breaks them anywhere.
  minWidthToWrap: 20,
  // Bold. Node 22's styleText would open stdout for it, which takes a few milliseconds.
  styleTitle: (title) => `\x1b[1m${title}\x1b[22m`,
};

/**
 * A help page: what the command does, how it is called, examples, its commands, its flags; then a
 * line that names the flags of every command.
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
      // A group has commands that take some of these, and others that do not.
      ...(command.commands.length > 0
        ? []
        : pageGroups(options.filter((option) => !isEverywhere(option)))),
    ]),
    ...(grammar === undefined ? [] : sections(helper, [[grammar.title, grammar.rows]])),
    everywhereLine(options.filter(isEverywhere), helper),
    '',
  ].join('\n');
}

/** A command's flags by their titles: those that only some commands share have none of their own. */
function pageGroups(options: readonly Option[]): readonly Section[] {
  const plain = 'Flags:';
  const titleOf = ({ helpGroupHeading: title = plain }: Option) =>
    isCommon(title) ? plain : title;
  return [...Map.groupBy(options, titleOf)].map(([title, all]) => [title, all.map(rowOf)]);
}

/** The flags of every command, as short as they go, on one line of 80 columns; two did not fit. */
function everywhereLine(options: readonly Option[], helper: Help): string {
  const names = options
    .filter(({ long }) => long !== '--version' && long !== '--no-color')
    .map(({ short, long }) => short ?? long);
  const line = `${helper.styleTitle('mailer help flags:')} ${names.join(' ')}`;
  return helper.boxWrap(line, helper.helpWidth ?? 80);
}

/** The page that explains the flags that commands share: those of this command. */
export function flagsPage(command: Command, helper: Help): string {
  const intro =
    "A command's help page names those that it takes. They can stand anywhere after mailer.";
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

/** A group of flags as it is shown; its title ends with a colon. */
export function sectionOf([title, options]: readonly [string, readonly Option[]]): Section {
  const shown = isCommon(title) ? `${title.charAt(0).toUpperCase()}${title.slice(1)}:` : title;
  return [shown, options.map(rowOf)];
}

/** A flag as it is typed, and what it does. An optional value needs the equals sign. */
function rowOf({ flags, description }: Option): [term: string, text: string] {
  return [flags.replace(/ \[(.+)\]$/, '[=$1]'), description];
}

/** Flags by the titles of their groups, in the order of help. */
export function groupsOf(options: readonly Option[]): readonly (readonly [string, Option[]])[] {
  return [...Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Flags:')];
}

/** Whether a group of flags is of those that commands share. */
export function isCommon(title: string): boolean {
  return flagGroups.some((group) => group === title);
}
