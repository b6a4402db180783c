import { Option } from '@commander-js/extra-typings';
import type { CreateCampaignBody } from '../../../api/campaign.ts';
import { limits } from '../../../api/limits.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { Flags } from '../../command-line/command/command.ts';
import { rarelyNeeded } from '../../command-line/command/flags/rarely-needed.ts';
import { repeatableOption } from '../../command-line/command/flags/repeatable.ts';
import { checkFlag } from '../check/check-flag.ts';
import { allowBlankFlag, literalFlag } from '../content/literal-flag.ts';
import { writingFlags } from '../content/writing-flags.ts';

/** The flag that gives each field of a campaign. A field without one fails the type check. */
export const createFlagOf = {
  name: '--name',
  from: '--from',
  subject: '--subject',
  contactBookId: '--book',
  previewText: '--preview-text',
  content: '--content',
  html: '--html',
  replyTo: '--reply-to',
  cc: '--cc',
  bcc: '--bcc',
  sendNow: '--now',
  scheduledAt: '--scheduled-at',
  batchSize: '--batch-size',
} as const satisfies Record<keyof CreateCampaignBody, `--${string}`>;

/** Declares the flags of a campaign to create. */
export function addCreateFlags(command: Flags) {
  return command
    .optionsGroup('Campaign:')
    .option('--name <text>', 'internal name')
    .option('--from <address>', 'sender (default: the setting "from")')
    .option('--book <book>', 'contact book to send to: id or exact name')
    .option('--subject <text>', 'subject')
    .option('--preview-text <text>', 'text that mail programs show beside the subject')
    .option('--html <html>', 'HTML body, with {{usesend_unsubscribe_url}}')
    .option('--html-file <path>', 'HTML body from a file, - for stdin')
    .option(...writingFlags.markdownFile)
    .addOption(repeatableOption('--cc <addresses>', 'copies of every email'))
    .addOption(repeatableOption('--bcc <addresses>', 'blind copies of every email'))
    .addOption(
      repeatableOption(
        '--reply-to <addresses>',
        'address for replies (default: the setting "reply-to")',
      ),
    )
    .option('--now', 'start at once (default: create a draft)')
    .addOption(new Option('--send-now', 'the same as --now').hideHelp())
    .option('--scheduled-at <when>', 'start later: ISO 8601, "tomorrow 9am", 2h')
    .option(...checkFlag)
    .option('--preview', 'show the campaign, create nothing')
    .option('--file <path>', 'the request as JSON, - for stdin; flags override it')
    .optionsGroup(rarelyNeeded)
    .option(...writingFlags.layout)
    .option(...writingFlags.mjmlFile)
    .option(...writingFlags.reactEmail)
    .option(...writingFlags.inlineCss)
    .option(
      '--content <json>',
      "body in the JSON format of the dashboard's editor, instead of HTML",
    )
    .option('--content-file <path>', 'the same from a file, - for stdin')
    .option(...literalFlag)
    .option(...allowBlankFlag)
    .option('--allow-past', 'allow a --scheduled-at in the past, which starts at once')
    .option(
      '--batch-size <n>',
      'emails per batch, 1 to 100000',
      parseInteger('--batch-size', limits.campaignBatchSize),
    )
    .option('--open', 'show the preview in the browser');
}

export type CreateFlags = ReturnType<ReturnType<typeof addCreateFlags>['opts']>;
