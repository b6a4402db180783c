import type { CreateCampaignBody } from '../../api/campaign.ts';
import type { ContactBook } from '../../api/contact.ts';
import type { Context } from '../command/context.ts';
import { confirmStart } from './confirm-start.ts';
import type { ExpectedContacts } from './expect-contacts.ts';

/**
 * `confirmStart` for a campaign that is about to be created.
 */
export async function confirmCreate(
  context: Context,
  body: CreateCampaignBody,
  expected: ExpectedContacts | undefined,
  book: ContactBook | undefined,
): Promise<void> {
  const { sendNow, scheduledAt } = body;
  const question = sendNow === true ? 'Create it and start it?' : 'Create it and schedule it?';
  const how = { question, undone: 'Nothing was created', scheduledAt };
  await confirmStart(context, body, how, expected, book);
}
