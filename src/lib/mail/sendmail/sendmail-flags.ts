import { Option } from '@commander-js/extra-typings';
import type { Flags } from '../../command-line/command/command.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';

/** Flags of other `sendmail` programs, accepted without effect; the first ones take a value. */
const withoutEffect = [
  ...['-A <a>', '-B <b>', '-e <e>', '-h <n>', '-L <l>', '-N <n>', '-O <o>', '-p <p>', '-R <r>'],
  ...['-V <v>', '-G', '-m', '-n', '-s', '-U'],
];

/** Declares the flags of `sendmail`. If a flag is repeated, the last one counts, as in other programs. */
export function addSendmailFlags(command: Flags) {
  const declared = command
    .argument('[recipients...]', 'recipients; those in the headers are not added')
    .option('-t', 'send it to everybody in its headers To, Cc and Bcc')
    .option('-i', 'a line with only a dot does not end the message')
    .addOption(repeatableOption('-f <address>', 'sender, if the message has no usable one'))
    .addOption(repeatableOption('-r <address>', 'the same as -f'))
    .addOption(repeatableOption('-F <name>', 'name of the sender, if the message has none'))
    .addOption(repeatableOption('-o <option>', '-oi is -i; other options have no effect'))
    .addOption(repeatableOption('-b <mode>', '-bm, the default; there are no other modes'))
    .option('-v', 'report the ids of the emails on stderr')
    .option('--from <address>', 'sender, instead of the one in the message')
    .option(
      '--local-mail-to <addresses>',
      'address that gets mail to local users, such as root (default: the setting "local-mail-to")',
    )
    // Those of msmtp, in settings that name another program only. Its sender is the one in the message, as here.
    .addOption(repeatableOption('-a, --account <account>', 'no effect').hideHelp())
    .addOption(new Option('--read-envelope-from', 'no effect').hideHelp())
    .option('--lossy', 'leave out what the service cannot send, and send damaged text');
  for (const flags of withoutEffect) {
    const option = flags.includes('<')
      ? repeatableOption(flags, 'no effect')
      : new Option(flags, 'no effect');
    declared.addOption(option.hideHelp());
  }
  return declared;
}

export type SendmailFlags = ReturnType<ReturnType<typeof addSendmailFlags>['opts']>;
