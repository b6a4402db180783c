import type { Command, Help, Option } from '@commander-js/extra-typings';
import type { CommandDefinition, Declared } from '../lib/command/command.ts';
import { flagGroups } from '../lib/command/common-flags.ts';

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
 * A help page: what the command does, how it is called, examples, its commands, its own flags. The
 * flags that it shares with others are named only.
 */
export function commandPage(command: Command, helper: Help, { examples, grammar }: Shown): string {
  const groups = groupsOf(helper.visibleOptions(command));
  const own = groups.filter(([title]) => !isCommon(title));
  const shared = groups.filter(([title]) => isCommon(title)).flatMap(([, options]) => options);
  const names = shared.map(({ long }) => long).join(', ');
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
      ...own.map(sectionOf),
    ]),
    ...(grammar === undefined ? [] : sections(helper, [[grammar.title, grammar.rows]])),
    command.commands.length > 0
      ? `${helper.styleTitle('Flags:')} mailer help flags`
      : helper.boxWrap(
          `${helper.styleTitle('Common flags')} (mailer help flags): ${names}`,
          helper.helpWidth ?? 80,
        ),
    '',
  ].join('\n');
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
  return [shown, options.map((option) => [optionTerm(option), option.description])];
}

/** A flag as it is typed. An optional value needs the equals sign. */
function optionTerm({ flags }: Pick<Option, 'flags'>): string {
  return flags.replace(/ \[(.+)\]$/, '[=$1]');
}

/** Flags by the titles of their groups, in the order of help. */
export function groupsOf(options: readonly Option[]): readonly (readonly [string, Option[]])[] {
  return [...Map.groupBy(options, ({ helpGroupHeading }) => helpGroupHeading ?? 'Flags:')];
}

/** Whether a group of flags is of those that commands share. */
export function isCommon(title: string): boolean {
  return flagGroups.some((group) => group === title);
}
