import { schemas } from '../../json-schemas/load.ts';
import { ApprovalNeededError, UsageError, withHint } from '../../lib/base/errors.ts';
import { quantity } from '../../lib/base/text/quantity.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { expectFlag } from '../../lib/command-line/command/flags/expect-flag.ts';
import {
  allowDuplicateFlag,
  ifMissingFlag,
} from '../../lib/command-line/command/names/if-missing.ts';
import { rememberLastCreated } from '../../lib/command-line/command/names/last-made.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { readChecked } from '../../lib/mail/campaign/check-create.ts';
import type { CreateRequest } from '../../lib/mail/campaign/create-body.ts';
import {
  type CreateChoices,
  createdInWords,
  createOnce,
} from '../../lib/mail/campaign/create-campaign.ts';
import { addCreateFlags } from '../../lib/mail/campaign/create-flags.ts';
import { existingCampaign } from '../../lib/mail/campaign/existing-campaign.ts';
import { expectContactsFlag } from '../../lib/mail/campaign/expect-contacts.ts';
import { createBookOfSegment } from '../../lib/people/segment/book-of-segment.ts';
import { sayFieldsOfNobody } from '../../lib/people/segment/fields-of-nobody.ts';
import { withSegment } from '../../lib/people/segment/find-segment.ts';

export const command = defineCommand({
  description:
    'The campaign is a draft unless --now or --scheduled-at is given. If the service rejects the campaign but keeps a draft, the message names the draft. A placeholder that the campaign cannot fill in is a warning for a draft, and an error if the campaign starts. If a campaign that has not been sent yet has this name, it is an error; --if-missing prints its id instead. With a start, it is also an error if another campaign, whatever its name, sends the same people the same content, or the same subject from the same sender, less than 24 hours before or after. --allow-duplicate creates the campaign in both cases. With a start, --if-missing also takes the same campaign if it has been sent: same name, contact book, sender and subject. With --segment, it first makes a contact book of the contacts who are in the segment now, with the variables of their book. Before the campaign starts, mailer shows its sender, contact book, time and number of subscribed contacts (for a book of more than 5,000, of all contacts), and asks; without a terminal, it needs --yes. The question also says how many contacts have no value for a placeholder without a fallback; with --yes, that is an error unless --allow-blank is given. With --expect-contacts, it starts only if it goes to that many, even with --yes.',
  effects: { changes: true, mails: ['--now', '--scheduled-at'] },
  exits: {
    1: 'the service rejected it; the message names a draft that it kept',
    5: 'a campaign that has not been sent yet has this name, or, for a start, another one sends the same less than 24 hours before or after; with --if-missing: that campaign differs',
    9: 'with --check: a finding is an error',
  },
  prints: [
    replyOf('campaign.create'),
    documentOf('the campaign as it would be created', schemas.campaigns('createCampaignBody'), {
      when: '--preview',
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'approval', 'confirmation', 'times', 'files'],
  examples: {
    'mailer campaign create --name March --from news@example.com --subject "News of March" --book book_customers --html-file march.html':
      'Create a draft',
    'mailer campaign create --file march.json --scheduled-at "tomorrow 9am"': 'Start it tomorrow',
  },
  offers: { '--from': 'senders', '--segment': 'segments' },
  flags: (command) =>
    addCreateFlags(command)
      .option('--segment <segment>', 'send to a new contact book made of this segment: id or name')
      .option(...expectFlag)
      .option(...expectContactsFlag)
      .option(...ifMissingFlag)
      .option(...allowDuplicateFlag),
  async run(context, options) {
    const { request, preview } = await readChecked(context, options);
    if (preview !== undefined) return preview;
    const { body } = request;
    const { reply, isNew } =
      options.segment === undefined
        ? await createOnce(context, request, options)
        : await createForSegment(context, request, options, options.segment);
    if (!isNew) {
      const message = `Campaign ${body.name} exists already (${reply.status}). Nothing was created.`;
      return done({ reply, ids: [reply.id], message });
    }
    await rememberLastCreated(context, 'campaign', reply.id);
    return done({ reply, ids: [reply.id], message: await createdInWords(context, body, reply) });
  },
});

/**
 * Makes a contact book of a segment, and creates the campaign for it. Throws like `createOnce`; once the book is made,
 * the error names it.
 */
async function createForSegment(
  context: Context,
  request: CreateRequest,
  options: CreateChoices,
  named: string,
) {
  if (options.ifMissing === true) {
    throw new UsageError('--if-missing cannot be used together with --segment');
  }
  const { body, nameOf } = request;
  // Before a book is made in vain.
  await refuseHeldStart(context, body);
  await existingCampaign(context, options, body, nameOf);
  return await withSegment(context, named, async (segmentId, segment) => {
    const { name = named, contactBookId, rules } = segment ?? {};
    await sayFieldsOfNobody(context, contactBookId, rules);
    const { variables } = contactBookId
      ? await context.call('contactBook.get', { params: { contactBookId } })
      : { variables: undefined };
    const book = await createBookOfSegment(context, {
      ...{ segmentId, name: `${body.name}: ${name}` },
      variables: variables == null || variables.length === 0 ? undefined : variables,
    });
    const { listId, count } = book;
    const contacts = typeof count === 'number' ? ` with ${quantity(count, 'contact')}` : '';
    context.notes.say(`Created contact book ${listId} of segment ${name}${contacts}.`);
    const made = { ...request, body: { ...body, contactBookId: listId } };
    try {
      return await createOnce(context, made, options);
    } catch (error) {
      const remove = nextCommand(context, 'contact', 'book', 'delete', listId);
      throw withHint(error, ({ details }) =>
        [
          details.hint,
          `The contact book ${listId} was made for it. To use it, give --book ${listId} instead of --segment. To delete it: ${remove}`,
        ]
          .filter(Boolean)
          .join('\n'),
      );
    }
  });
}

/** Throws where the start would be stored for approval: the book that it needs would be made without it. */
async function refuseHeldStart(
  context: Context,
  { sendNow, scheduledAt }: CreateRequest['body'],
): Promise<void> {
  if (sendNow !== true && scheduledAt === undefined) return;
  const when = scheduledAt === undefined ? ['--now'] : ['--scheduled-at', scheduledAt];
  const schedule = nextCommand(context, 'campaign', 'schedule', '@last', ...when, '--for-approval');
  const hint = `Nothing was created. Create the draft first, without --now and --scheduled-at. Then: ${schedule}`;
  if (context.flags.forApproval === true) {
    throw new UsageError('--segment cannot be used for a start with --for-approval', { hint });
  }
  const { refuseUnapproved } = await import('../../lib/command-line/outbox/prepare.ts');
  await refuseUnapproved(context).catch((error: unknown) => {
    throw error instanceof ApprovalNeededError ? withHint(error, hint) : error;
  });
}
