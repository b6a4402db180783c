import type { Campaign, CampaignSummary, CreateCampaignBody } from '../../../api/campaign.ts';
import { UsageError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { ExpectedCount } from '../../command-line/command/flags/expected-count.ts';
import { scheduledInWords } from '../../command-line/command/flags/scheduled-time.ts';
import { withBook } from '../../command-line/command/names/books.ts';
import type { NameFlags } from '../../command-line/command/names/if-missing.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { createListContacts } from './blank-for.ts';
import type { CreateRequest } from './create-body.ts';
import { existingCampaign } from './existing-campaign.ts';
import { explainFailedCreate } from './failed-create.ts';
import { keepingAnswers } from './keep-answers.ts';
import { passCampaign } from './pass-campaign.ts';
import { refuseRepeated } from './repeated.ts';

/** The flags that say how a campaign is created, besides those of its fields. */
export interface CreateChoices extends NameFlags {
  readonly literal?: true | undefined;
  readonly allowBlank?: true | undefined;
  readonly check?: true | undefined;
  readonly expect?: string | undefined;
  readonly expectContacts?: ExpectedCount | undefined;
  /** Whether it stays a draft for now, although it passes as what it starts as. */
  readonly asDraft?: boolean | undefined;
  /** Called when everything is checked, before it is created, with what it starts as. */
  readonly ready?: ((body: CreateCampaignBody) => Promise<void>) | undefined;
}

/** A campaign that was created, or that was there already. */
interface Created {
  readonly reply: CampaignSummary & Partial<Campaign>;
  readonly isNew: boolean;
}

/**
 * Creates a campaign, once its placeholders and its name are checked, and its start is confirmed. Throws a `UsageError`
 * with the command that gives the answers as flags, if there were questions.
 */
export async function createOnce(
  context: Context,
  { body, nameOf, written, answers }: CreateRequest,
  options: CreateChoices,
): Promise<Created> {
  const isDraft = body.sendNow !== true && body.scheduledAt === undefined;
  if (isDraft && options.expectContacts !== undefined) {
    throw new UsageError('--expect-contacts needs --now or --scheduled-at');
  }
  const look = nextCommand(context, 'campaign', 'list', '--search', body.name);
  const sent = options.asDraft ? { ...body, sendNow: undefined, scheduledAt: undefined } : body;
  const start = sent.scheduledAt === undefined ? '' : ' and scheduled';
  const isStarted = sent.sendNow === true ? ' and started' : start;
  const hintIfUnknown = `It may have been created${isStarted}. Check before you create it again:\n${look}`;
  const undone = 'Nothing was created';
  const listContacts = createListContacts(context);
  return await keepingAnswers(context, answers, async () => {
    try {
      return await withBook(context, body.contactBookId, async (contactBookId, book) => {
        const made = { ...body, contactBookId };
        const known = await existingCampaign(context, options, made, nameOf);
        if (known !== undefined) return { reply: known, isNew: false };
        const { literal, allowDuplicate } = options;
        // A check has said it of a draft.
        const allowBlank = options.allowBlank === true || (isDraft && options.check === true);
        const isFirst = isDraft || allowDuplicate === true;
        if (!isFirst && context.flags.dryRun === true) {
          context.notes.say(
            'A dry run looks nothing up, so mailer did not check whether another campaign sends the same.',
          );
        } else if (!isFirst) {
          const settle = 'To create it all the same, add --allow-duplicate.';
          await refuseRepeated(context, made, { undone, settle });
        }
        const { passed, blanks } = await passCampaign(context, body, {
          ...{ door: isDraft ? 'draft' : body.scheduledAt === undefined ? 'now' : 'later' },
          ...{ literal, undone, written, contactBookId, listed: book, allowBlank, listContacts },
        });
        let contacts: number | null = 0;
        if (!isDraft) {
          const { confirmStart } = await import('./confirm-start.ts');
          const what = body.sendNow === true ? 'start it' : 'schedule it';
          const { scheduledAt } = body;
          const how = { question: `Create it and ${what}?`, undone, scheduledAt };
          const { expectContacts } = options;
          const counted = { expectContacts, blanks, listContacts };
          contacts = await confirmStart(context, made, how, counted, book);
        }
        await options.ready?.(made);
        const more = { nameOf, hintIfUnknown, expect: options.expect, contacts };
        const input = { body: { ...sent, contactBookId } };
        const reply = await context.callPassed(passed, 'campaign.create', input, more);
        return { reply, isNew: true };
      });
    } catch (error) {
      throw await explainFailedCreate(error, context, sent);
    }
  });
}

/** What was created, and what may follow. */
export async function createdInWords(
  context: Context,
  { name, sendNow, scheduledAt }: CreateRequest['body'],
  { id, total }: Created['reply'],
): Promise<string> {
  if (sendNow === true) {
    const receivers = typeof total === 'number' ? `${total} contacts` : 'its contact book';
    return `Sending to ${receivers}. To follow it: ${nextCommand(context, 'campaign', 'watch', id)}`;
  }
  return scheduledAt === undefined
    ? `Created campaign ${name} as a draft. To start it: ${nextCommand(context, 'campaign', 'schedule', id, '--now')}`
    : await scheduledInWords(scheduledAt, context);
}
