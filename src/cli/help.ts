import type { Help, Option } from '@commander-js/extra-typings';

/**
 * A help page: what the command does, how it is called, its commands, then its flags by group,
 * those that every command has last.
 */
export const helpPage: Partial<Help> = {
  // Below this commander leaves long texts to the terminal, which breaks them anywhere.
  minWidthToWrap: 20,
  subcommandTerm: (command) => command.name(),
  optionTerm,
  formatHelp(command, helper) {
    const width = helper.padWidth(command, helper);
    const item = (term: string, text: string) => helper.formatItem(term, width, text, helper);
    const section = (title: string, items: readonly string[]) =>
      items.length === 0 ? [] : [title, ...items, ''];
    const flags = helper.visibleOptions(command);
    return [
      helper.commandDescription(command),
      '',
      `Usage: ${helper.commandUsage(command)}`,
      '',
      ...section(
        'Arguments:',
        helper
          .visibleArguments(command)
          .map((one) => item(helper.argumentTerm(one), helper.argumentDescription(one))),
      ),
      ...section(
        'Commands:',
        helper
          .visibleCommands(command)
          .map((one) => item(helper.subcommandTerm(one), helper.subcommandDescription(one))),
      ),
      ...groupsOf(flags).flatMap(([title, options]) =>
        section(
          title,
          options.map((one) => item(helper.optionTerm(one), helper.optionDescription(one))),
        ),
      ),
    ].join('\n');
  },
};

/** A flag as it is typed. An optional value needs the equals sign. */
export function optionTerm({ flags }: Pick<Option, 'flags'>): string {
  return flags.replace(/ \[(.+)\]$/, '[=$1]');
}

const commonGroups = ['Output:', 'Account:', 'Behaviour:'];

/** Flags under the titles of their groups, in the order of help; a title ends with a colon. */
export function groupsOf(options: readonly Option[]): (readonly [title: string, Option[]])[] {
  const groups = new Map<string, Option[]>();
  // Help and version, which commander adds itself, have no group.
  const isBuiltIn = ({ long }: Option) => long === '--help' || long === '--version';
  const ordered = [...options].sort((a, b) => Number(isBuiltIn(a)) - Number(isBuiltIn(b)));
  for (const option of ordered) {
    const title = isBuiltIn(option) ? 'Behaviour:' : (option.helpGroupHeading ?? 'Flags:');
    const inGroup = groups.get(title);
    if (inGroup === undefined) groups.set(title, [option]);
    else inGroup.push(option);
  }
  const rank = ([title]: readonly [string, unknown]) => commonGroups.indexOf(title);
  return [...groups].sort((a, b) => rank(a) - rank(b));
}
