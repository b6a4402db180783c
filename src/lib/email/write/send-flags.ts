import type { Command, OptionValues } from '@commander-js/extra-typings';
import type { SendBody } from '../../../api/email.ts';
import { checkFlag } from '../../check/check-flag.ts';
import type { Flags } from '../../command/command.ts';
import { repeatableOption } from '../../command/flags/repeatable.ts';
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
  'send once under this key, however often you run the command within 24 hours; set it in jobs that may be killed (default: a new one)',
] as const;

/** Declares the flags of a send request. */
export function addSendFlags(command: Flags) {
  return addContentFlags(
    command
      .optionsGroup('Email:')
      .addOption(
        repeatableOption('--to <addresses>', 'recipients; repeat, or separate with commas'),
      ),
  )
    .option('--file <path>', 'the request as JSON, - for stdin; flags override it')
    .option('--eml <path>', 'the email as a message (.eml), - for stdin; flags override it')
    .option('--lossy', 'leave out what the service cannot send of --eml')
    .option(...checkFlag)
    .option('--preview', 'show the email, send nothing')
    .option('--open', 'show the preview in the browser');
}

/** Declares the flags for everything but recipients. */
export function addContentFlags<Opts extends OptionValues>(command: Command<[], Opts>) {
  return command
    .optionsGroup('Email:')
    .option('--from <address>', 'sender (default: the setting "from")')
    .option('--subject <text>', 'subject')
    .option('--text <text>', 'plain-text body')
    .option('--text-file <path>', 'plain-text body from a file, - for stdin')
    .option('--html <html>', 'HTML body')
    .option('--html-file <path>', 'HTML body from a file, - for stdin')
    .option(...writingFlags.markdownFile)
    .option(...writingFlags.layout)
    .option(...writingFlags.mjmlFile)
    .option(...writingFlags.reactEmail)
    .option(...writingFlags.inlineCss)
    .option('--no-text', 'send HTML without a text part (default: generate one from the HTML)')
    .option(
      '--template <template>',
      'stored template for subject and HTML; most services also require --text',
    )
    .addOption(
      repeatableOption('--var <name=value>', 'value for a placeholder such as {{ name }}; repeat'),
    )
    .option('--vars-file <path>', 'values for placeholders from a JSON file')
    .option(...literalFlag)
    .addOption(repeatableOption('--cc <addresses>', 'copies'))
    .addOption(repeatableOption('--bcc <addresses>', 'blind copies'))
    .addOption(
      repeatableOption(
        '--reply-to <addresses>',
        'address for replies (default: the setting "reply-to")',
      ),
    )
    .addOption(repeatableOption('--header <"Name: value">', 'custom header; repeat'))
    .addOption(repeatableOption('--attach <path>', 'file to attach; repeat, up to 10'))
    .option('--scheduled-at <when>', 'send later: ISO 8601, "tomorrow 9am", 2h')
    .option('--allow-past', 'allow a --scheduled-at in the past, which sends at once')
    .option('--in-reply-to <id>', 'id of the email this one replies to');
}

export type SendFlags = ReturnType<ReturnType<typeof addSendFlags>['opts']>;
export type ContentFlags = Omit<SendFlags, 'to' | 'file' | 'eml' | 'lossy' | 'check'>;
