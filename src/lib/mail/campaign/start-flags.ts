import type { Command, OptionValues } from '@commander-js/extra-typings';
import { expectFlag } from '../../command-line/command/flags/expect-flag.ts';
import { allowBlankFlag, literalStartFlag } from '../content/literal-flag.ts';
import { expectContactsFlag } from './expect-contacts.ts';

/** Declares the flags of a command that starts a campaign that the service has. */
export function addStartFlags<Opts extends OptionValues>(command: Command<[string], Opts>) {
  return command
    .option(...expectFlag)
    .option(...expectContactsFlag)
    .option(
      '--again',
      'start it even if it, or another campaign like it, was sent or is scheduled: contacts may get it twice',
    )
    .option(...literalStartFlag)
    .option(...allowBlankFlag);
}
