import { readChecked } from '../../lib/campaign/check-create.ts';
import { createdInWords, createOnce } from '../../lib/campaign/create-campaign.ts';
import { addCreateFlags } from '../../lib/campaign/create-flags.ts';
import { expectContactsFlag } from '../../lib/campaign/expect-contacts.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { expectFlag } from '../../lib/command/flags/expect-flag.ts';
import { allowDuplicateFlag, ifMissingFlag } from '../../lib/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command/names/last-made.ts';
import { documentOf, replyOf } from '../../lib/command/prints.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description:
    'The campaign is a draft unless --now or --scheduled-at is given. If the service rejects the campaign but keeps a draft, the message names the draft. A placeholder that the campaign cannot fill in is a warning for a draft, and an error if the campaign starts. If a campaign that has not been sent yet has this name, or a start repeats one of the last 24 hours, it is an error; --if-missing prints the id of that campaign, --allow-duplicate creates another one. With a start, --if-missing also takes the same campaign if it has been sent: same name, contact book, sender and subject. Before the campaign starts, mailer shows its sender, contact book, time and number of subscribed contacts (for a book of more than 5,000, of all contacts), and asks; without a terminal, it needs --yes. With --expect-contacts, it starts only if it goes to that many, even with --yes.',
  effects: { changes: true, mails: ['--now', '--scheduled-at'] },
  exits: {
    1: 'the service rejected it; the message names a draft that it kept',
    5: 'a campaign that has not been sent yet has this name, or, for a start, the same one of the last day; with --if-missing: that campaign differs',
    9: 'with --check: a finding is an error',
  },
  prints: [
    replyOf('campaign.create'),
    documentOf('the campaign as it would be created', schemas.campaigns('createCampaignBody'), {
      when: '--preview',
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'confirmation', 'times'],
  examples: [
    [
      'mailer campaign create --name March --from news@example.com --subject "News of March" --book book_customers --html-file march.html',
      'Create a draft',
    ],
    ['mailer campaign create --file march.json --scheduled-at "tomorrow 9am"', 'Start it tomorrow'],
  ],
  offers: { '--from': 'senders' },
  flags: (command) =>
    addCreateFlags(command)
      .option(...expectFlag)
      .option(...expectContactsFlag)
      .option(...ifMissingFlag)
      .option(...allowDuplicateFlag),
  async run(context, options) {
    const { request, preview } = await readChecked(context, options);
    if (preview !== undefined) return preview;
    const { body } = request;
    const { reply, isNew } = await createOnce(context, request, options);
    if (!isNew) {
      const message = `Campaign ${body.name} exists already (${reply.status}). Nothing was created.`;
      return done({ reply, ids: [reply.id], message });
    }
    await rememberLastCreated(context, 'campaign', reply.id);
    return done({ reply, ids: [reply.id], message: await createdInWords(context, body, reply) });
  },
});
