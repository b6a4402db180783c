import { readChecked } from '../../lib/campaign/check-create.ts';
import { createdInWords, createOnce } from '../../lib/campaign/create-campaign.ts';
import { addCreateFlags, type CreateFlags } from '../../lib/campaign/create-flags.ts';
import { expectContactsFlag } from '../../lib/campaign/expect-contacts.ts';
import { deleteReplaced, draftToReplace, refuseSecondStart } from '../../lib/campaign/replaced.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { rememberLastCreated } from '../../lib/command/names/last-made.ts';
import { documentOf, replyOf } from '../../lib/command/prints.ts';
import { refuseFileName } from '../../lib/input/file-name-values.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description:
    'The service cannot change a campaign, so this creates a corrected one and then deletes the draft: whatever fails, one of the two remains. Fields that you do not give are taken from the draft. Only a draft can be replaced, and its status is checked again before it is deleted. On a terminal, it asks first; elsewhere, it needs --yes.',
  effects: { changes: true, deletes: true, mails: ['--now', '--scheduled-at'] },
  exits: {
    1: 'the service rejected the new one; the old one is unchanged',
    4: 'there is no such campaign, or the service does not show it in full',
    5: 'it is not a draft, or was no longer one once the new one was created; with --now or --scheduled-at: a campaign of this name from the last day has started, or another one sends the same less than 24 hours before or after',
    9: 'with --check: a finding is an error',
  },
  prints: [
    replyOf('campaign.create'),
    documentOf('the campaign as it would be created', schemas.campaigns('createCampaignBody'), {
      when: '--preview',
    }),
  ],
  takes: ['service', 'sandbox', 'confirmation', 'times', 'files'],
  examples: {
    'mailer campaign replace "News of March" --subject "The news of March"':
      'The same with another subject',
    'mailer campaign replace @last --markdown-file march.md': 'With another text',
  },
  offers: { '--from': 'senders' },
  flags: (command) =>
    addCreateFlags(command)
      .option(...expectContactsFlag)
      .argument('<campaign>', 'id or exact name; @last for the last one created here'),
  async run(context, options, named) {
    refuseFileNames(context, options);
    const old = await draftToReplace(context, named);
    const { request, preview } = await readChecked(context, options, old);
    if (preview !== undefined) return preview;
    await refuseSecondStart(context, old, request.body);
    await context.prompts.confirm(
      `This creates campaign ${JSON.stringify(request.body.name)} and deletes the draft ${JSON.stringify(old.name)} (${old.id}). Replace it?`,
      'Nothing was created or deleted',
    );
    // The draft has the name, too.
    const { reply } = await createOnce(context, request, { ...options, allowDuplicate: true });
    await rememberLastCreated(context, 'campaign', reply.id);
    const deleted = await deleteReplaced(context, old, reply.id);
    const said = await createdInWords(context, request.body, reply);
    return done({ reply, ids: [reply.id], message: [said, deleted] });
  },
});

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
