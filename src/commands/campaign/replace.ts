import type { Campaign, CreateCampaignBody } from '../../api/campaign.ts';
import { schemas } from '../../json-schemas/load.ts';
import { refuseFileName } from '../../lib/base/input/file-name-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { rememberLastCreated } from '../../lib/command-line/command/names/last-made.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { checkPlan } from '../../lib/command-line/command/plan-of.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { refuseDeletes } from '../../lib/command-line/command/refuse-deletes.ts';
import { whenSent } from '../../lib/command-line/command/summary.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { readChecked } from '../../lib/mail/campaign/check-create.ts';
import { createdInWords, createOnce } from '../../lib/mail/campaign/create-campaign.ts';
import { addCreateFlags, type CreateFlags } from '../../lib/mail/campaign/create-flags.ts';
import { expectContactsFlag } from '../../lib/mail/campaign/expect-contacts.ts';
import { callsToReplace } from '../../lib/mail/campaign/plan-replacement.ts';
import { refuseCampaign } from '../../lib/mail/campaign/refuse-start.ts';
import {
  startReplacement,
  stillPaused,
  stopToReplace,
} from '../../lib/mail/campaign/replace-started.ts';
import {
  campaignToReplace,
  deleteReplaced,
  refuseSecondStart,
} from '../../lib/mail/campaign/replaced.ts';

export const command = defineCommand({
  description:
    'The service cannot change a campaign, so this creates a corrected one and then deletes the old one: whatever fails, one of the two remains. Fields that you do not give are taken from the old one, but not its time: without --now or --scheduled-at, the new one is a draft. A campaign that has started can be replaced while nobody has got it: it is paused first, and deleted only if that is still so, by its counter and the list of emails; the new one is a draft until then. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { changes: true, deletes: true, mails: ['--now', '--scheduled-at'] },
  exits: {
    1: 'the service rejected the new one; the old one is unchanged',
    4: 'there is no such campaign, or the service does not show it in full',
    5: 'it has been sent to somebody, perhaps meanwhile, or was started again; with --now or --scheduled-at: a campaign of this name from the last day has started, or another one sends the same less than 24 hours before or after',
    9: 'with --check: a finding is an error',
    10: 'it did not pause in time; nothing was created or deleted',
  },
  prints: [
    replyOf('campaign.create'),
    documentOf('the campaign as it would be created', schemas.campaigns('createCampaignBody'), {
      when: '--preview',
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation', 'times', 'files'],
  examples: {
    'mailer campaign replace "News of March" --subject "The news of March"':
      'The same with another subject',
    'mailer campaign replace @last --markdown-file march.md': 'With another text',
    'mailer campaign replace "News of April" --html-file april.html --now':
      'One that has just been started, before anybody gets it',
  },
  offers: { '--from': 'senders' },
  flags: (command) =>
    addCreateFlags(command)
      .option(...expectContactsFlag)
      .argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, options, named) {
    refuseFileNames(context, options);
    const old = await campaignToReplace(context, named);
    const { request, preview } = await readChecked(context, options, old);
    if (preview !== undefined) return preview;
    const { body } = request;
    await refuseSecondStart(context, old, body);
    if (body.sendNow === true || body.scheduledAt !== undefined) {
      const { refuseUnapproved } = await import('../../lib/command-line/outbox/prepare.ts');
      await refuseUnapproved(context);
    }
    const isDraft = old.status === 'DRAFT';
    const lost = await lostTime(context, old, body);
    // The old one has the name, too.
    const choices = {
      ...{ ...options, allowDuplicate: true, asDraft: !isDraft },
      // The digest is of all requests.
      expect: undefined,
    } as const;
    await checkPlan(context, callsToReplace(context, old, request, choices));
    const which = `${JSON.stringify(old.name)} (${old.id})`;
    await context.prompts.confirm(
      isDraft
        ? `This creates campaign ${JSON.stringify(body.name)} and deletes the draft ${which}. Replace it?`
        : `This pauses campaign ${which}, creates ${JSON.stringify(body.name)}, and deletes the old one if nobody has got it.${lost === undefined ? '' : ` The old one was to start ${lost.at}; the new one is a draft.`} Replace it?`,
      'Nothing was created or deleted',
    );
    await refuseDeletes(context, `Replace campaign ${which}, and delete it?`);
    let isStopped = false;
    const ready = async (made: CreateCampaignBody) => {
      await refuseCampaign(context, made);
      await stopToReplace(context, old);
      isStopped = !isDraft;
    };
    const made = createOnce(context, request, { ...choices, ready });
    const { reply } = await made.catch((error: unknown) => {
      throw isStopped ? stillPaused(context, old, error) : error;
    });
    await rememberLastCreated(context, 'campaign', reply.id);
    const deleted = await deleteReplaced(context, old, reply.id);
    const started = isDraft ? reply : await startReplacement(context, reply, body);
    const words =
      lost === undefined
        ? await createdInWords(context, body, started)
        : `Created campaign ${body.name} as a draft. To start it when the old one was to start, ${lost.at}: ${nextCommand(context, 'campaign', 'schedule', reply.id, '--scheduled-at', lost.scheduledAt)}`;
    return done({ reply: started, ids: [reply.id], message: [words, deleted] });
  },
});

/** The time at which the old campaign was to start, and the new one does not, also in words; undefined if there is none. */
async function lostTime(
  context: Context,
  { status, scheduledAt }: Campaign,
  body: CreateCampaignBody,
) {
  if (status === 'DRAFT' || body.sendNow === true || body.scheduledAt !== undefined)
    return undefined;
  if (!scheduledAt || Date.parse(scheduledAt) <= (await context.clock())()) return undefined;
  return { scheduledAt, at: await whenSent(scheduledAt, context) };
}

/** Before the draft is looked up, because this needs no service. */
function refuseFileNames({ files }: Context, { html, content, literal }: CreateFlags): void {
  const named = { html, content };
  for (const [name, value] of Object.entries(named)) {
    if (value === undefined) continue;
    const isText = name === 'html';
    const options = { fileFlag: `--${name}-file`, literal: isText && literal === true };
    refuseFileName(files, `--${name}`, value, { ...options, plain: isText });
  }
}
