import type { Campaign, CreateCampaignBody } from '../../api/campaign.ts';
import { refuseUnfilled, warnOfUnfilled } from '../../lib/campaign/campaign-placeholders.ts';
import { readCreateRequest } from '../../lib/campaign/create-body.ts';
import { addCreateFlags } from '../../lib/campaign/create-flags.ts';
import { existingCampaign } from '../../lib/campaign/existing-campaign.ts';
import { expectContactsFlag } from '../../lib/campaign/expect-contacts.ts';
import { explainFailedCreate } from '../../lib/campaign/failed-create.ts';
import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { expectFlag } from '../../lib/command/flags/expect-flag.ts';
import { scheduledInWords } from '../../lib/command/flags/scheduled-time.ts';
import { withBook } from '../../lib/command/names/books.ts';
import { allowDuplicateFlag, ifMissingFlag } from '../../lib/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command/names/last-made.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { replyOf } from '../../lib/command/prints.ts';
import { UsageError } from '../../lib/errors.ts';
import { done } from '../../lib/output/result.ts';
import type { CheckedEmail } from '../../shared/check/finding.ts';

export const command = defineCommand({
  description:
    'The campaign is a draft unless --now or --scheduled-at is given. If the service rejects the campaign but keeps a draft, the message names the draft. A placeholder that the campaign cannot fill in is a warning for a draft, and an error if the campaign starts. If a campaign that has not been sent yet has this name, or a start repeats one of the last 24 hours, it is an error; --if-missing prints the id of that campaign, --allow-duplicate creates another one. With a start, --if-missing also takes the same campaign if it has been sent: same name, contact book, sender and subject. Before the campaign starts, mailer shows its sender, contact book, time and number of subscribed contacts (for a book of more than 5,000, of all contacts), and asks; without a terminal, it needs --yes. With --expect-contacts, it starts only if it goes to that many, even with --yes.',
  effects: { changes: true, mails: ['--now', '--scheduled-at'] },
  exits: {
    1: 'the service rejected it; the message names a draft that it kept',
    5: 'a campaign that has not been sent yet has this name, or, for a start, the same one of the last day; with --if-missing: that campaign differs',
    9: 'with --check: a finding is an error',
  },
  prints: [replyOf('campaign.create')],
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
    const { body, nameOf, placeholders, written } = await readCreateRequest(context, options);
    const literal = options.literal === true;
    if (options.check === true) {
      const [{ checkBeforeSending }, { createPlaces }] = await Promise.all([
        import('../../lib/check/before-sending.ts'),
        import('../../lib/email/write/check-places.ts'),
      ]);
      const places = (email: CheckedEmail) => createPlaces({ ...written, email });
      const checking = { kind: 'campaign', literal, nothing: 'Nothing was created.' } as const;
      await checkBeforeSending(context, [{ fields: body, places }], checking);
    }
    const isDraft = body.sendNow !== true && body.scheduledAt === undefined;
    if (isDraft && options.expectContacts !== undefined) {
      throw new UsageError('--expect-contacts needs --now or --scheduled-at');
    }
    const look = nextCommand(context, 'campaign', 'list', '--search', body.name);
    const start = body.scheduledAt === undefined ? '' : ' and scheduled';
    const isStarted = body.sendNow === true ? ' and started' : start;
    const hintIfUnknown = `It may have been created${isStarted}. Check before you create it again:\n${look}`;
    try {
      const { reply, isNew } = await withBook(
        context,
        body.contactBookId,
        async (contactBookId, book) => {
          const made = { ...body, contactBookId };
          const known = await existingCampaign(context, options, made, nameOf);
          if (known !== undefined) return { reply: known, isNew: false };
          const texts = { ...body, placeholders };
          const to = { contactBookId, listed: book };
          if (!literal) {
            const undone = 'Nothing was created';
            await (isDraft
              ? warnOfUnfilled(context, texts, to)
              : refuseUnfilled(context, texts, { ...to, undone }));
          }
          if (!isDraft) {
            const { confirmCreate } = await import('../../lib/campaign/confirm-create.ts');
            await confirmCreate(context, made, options.expectContacts, book);
          }
          const more = { nameOf, hintIfUnknown, expect: options.expect };
          return {
            reply: await context.call('campaign.create', { body: made }, more),
            isNew: true,
          };
        },
      );
      if (!isNew) {
        const message = `Campaign ${body.name} exists already (${reply.status}). Nothing was created.`;
        return done({ reply, ids: [reply.id], message });
      }
      await rememberLastCreated(context, 'campaign', reply.id);
      return done({ reply, ids: [reply.id], message: await message(context, body, reply) });
    } catch (error) {
      throw await explainFailedCreate(error, context, body);
    }
  },
});

async function message(context: Context, body: CreateCampaignBody, { id, total }: Campaign) {
  if (body.sendNow === true) {
    const receivers = typeof total === 'number' ? `${total} contacts` : 'its contact book';
    return `Sending to ${receivers}. To follow it: ${nextCommand(context, 'campaign', 'watch', id)}`;
  }
  return body.scheduledAt === undefined
    ? `Created campaign ${body.name} as a draft. To start it: ${nextCommand(context, 'campaign', 'schedule', id, '--now')}`
    : await scheduledInWords(body.scheduledAt, context);
}
