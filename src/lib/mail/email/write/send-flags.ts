import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { SendBody } from '../../../../api/email.ts';
import type { Flags } from '../../../command-line/command/command.ts';
import { rarelyNeeded } from '../../../command-line/command/flags/rarely-needed.ts';
import { repeatableOption } from '../../../command-line/command/flags/repeatable.ts';
import { checkFlag } from '../../check/check-flag.ts';
import { literalFlag } from '../../content/literal-flag.ts';
import { writingFlags } from '../../content/writing-flags.ts';

/** The flag that sets each field of a send request. A field without one fails the type check. */
export const sendFlagOf = {
  to: '--to',
  from: '--from',
  subject: '--subject',
  templateId: '--template',
  variables: '--var',
  replyTo: '--reply-to',
  cc: '--cc',
  bcc: '--bcc',
  text: '--text',
  html: '--html',
  headers: '--header',
  attachments: '--attach',
  scheduledAt: '--scheduled-at',
  inReplyToId: '--in-reply-to',
} as const satisfies Record<keyof SendBody, `--${string}`>;

/** The flag that makes a send repeatable, as help shows it. */
export const idempotencyKeyFlag = [
  '--idempotency-key <key>',
  'send once under this key, however often you run the command in 24 hours; for jobs that may be killed',
] as const;

/** The groups of flags in help, in this order. */
export const flagGroupsOfSend = {
  people: 'Who:',
  content: 'Content:',
  time: 'When:',
  safety: 'Safety:',
  output: 'Output:',
} as const;

/** Declares the flags of a send request. */
export function addSendFlags(command: Flags) {
  return addContentFlags(
    command
      .optionsGroup(flagGroupsOfSend.people)
      .addOption(
        repeatableOption('--to <addresses>', 'recipients; repeat, or separate with commas'),
      ),
  )
    .optionsGroup(flagGroupsOfSend.content)
    .option('--file <path>', 'the request as JSON, - for stdin; flags override it')
    .option('--eml <path>', 'a message (.eml), - for stdin; flags override it')
    .optionsGroup(flagGroupsOfSend.safety)
    .option(...checkFlag)
    .option('--preview', 'show the email, send nothing')
    .optionsGroup(rarelyNeeded)
    .option('--lossy', 'leave out what the service cannot send of --eml, and send damaged text')
    .option('--open', 'show the preview in the browser');
}

/** Declares the flags for everything but recipients. */
export function addContentFlags<Opts extends OptionValues>(command: Command<[], Opts>) {
  return command
    .optionsGroup(flagGroupsOfSend.people)
    .option('--from <address>', 'sender (default: the setting "from")')
    .addOption(repeatableOption('--cc <addresses>', 'copies'))
    .addOption(repeatableOption('--bcc <addresses>', 'blind copies'))
    .addOption(
      repeatableOption(
        '--reply-to <addresses>',
        'address for replies (default: setting "reply-to")',
      ),
    )
    .optionsGroup(flagGroupsOfSend.content)
    .option('--subject <text>', 'subject')
    .option('--text <text>', 'plain-text body')
    .option('--text-file <path>', 'plain-text body from a file, - for stdin')
    .option('--html <html>', 'HTML body')
    .option('--html-file <path>', 'HTML body from a file, - for stdin')
    .option(...writingFlags.markdownFile)
    .option('--template <template>', 'stored template; most services need --text, too')
    .addOption(
      repeatableOption('--var <name=value>', 'value for a placeholder such as {{ name }}; repeat'),
    )
    .addOption(repeatableOption('--header <"Name: value">', 'custom header; repeat'))
    .addOption(repeatableOption('--attach <path>', 'file to attach; repeat, up to 10'))
    .optionsGroup(flagGroupsOfSend.time)
    .option('--scheduled-at <when>', 'send later: ISO 8601, "tomorrow 9am", 2h')
    .optionsGroup(rarelyNeeded)
    .option('--vars-file <path>', 'values for placeholders from a JSON file')
    .option(...writingFlags.layout)
    .option(...writingFlags.mjmlFile)
    .option(...writingFlags.reactEmail)
    .option(...writingFlags.inlineCss)
    .option('--no-text', 'send HTML without a text part made from it')
    .option(...literalFlag)
    .option('--in-reply-to <id>', 'id of the email this one replies to')
    .option('--allow-past', 'send at once if --scheduled-at is in the past');
}

export type SendFlags = ReturnType<ReturnType<typeof addSendFlags>['opts']>;
export type ContentFlags = Omit<SendFlags, 'to' | 'file' | 'eml' | 'lossy' | 'check'>;
