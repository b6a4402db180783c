import type { CampaignSummary, CreateCampaignBody } from '../../../api/campaign.ts';
import {
  isPlainRejection,
  MailerError,
  problemOf,
  RejectedError,
  withHint,
} from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { explainBook } from '../../command-line/command/names/books.ts';
import { explainSender } from '../../command-line/command/names/sender-domain.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { fetchCampaignPage } from './campaign-pages.ts';

/** The greatest age of a draft that a create has just left behind, in milliseconds; clocks differ. */
const recent = 10 * 60 * 1000;

/**
 * Adds to an error the draft that remains if the service rejects the second step, the schedule; otherwise
 * adds what is wrong with the contact book or the sender.
 */
export async function explainFailedCreate(
  error: unknown,
  context: Context,
  body: CreateCampaignBody,
): Promise<unknown> {
  if (error instanceof MailerError && error.details.request?.method === 'GET') {
    return withHint(error, ({ details }) => details.hint ?? 'Nothing was created.');
  }
  if (!(error instanceof RejectedError) || error.outcomeUnknown) return error;
  const twoSteps = body.sendNow === true || body.scheduledAt !== undefined;
  // If this fails, too, the rejection is still the error to report.
  const draft = twoSteps ? await findDraft(context, body).catch(() => undefined) : undefined;
  if (draft === undefined) {
    if (!isPlainRejection(problemOf(error))) return error;
    // A service rejects an unknown book like an unknown sender.
    const explained = await explainBook(error, context, body.contactBookId);
    return explained === error ? await explainSender(error, context, [body.from]) : explained;
  }
  const start = nextCommand(context, 'campaign', 'schedule', draft.id, '--now');
  const remove = nextCommand(context, 'campaign', 'delete', draft.id);
  return withHint(
    error,
    [
      `The service kept it as a draft: ${draft.id}`,
      needsSubscribers(context, body.contactBookId),
      `To start it then: ${start}`,
      `To delete it: ${remove}`,
    ].join('\n'),
  );
}

/** What a campaign needs to start, and who can give it. */
export function needsSubscribers(context: Context, book: string): string {
  const subscribe = nextCommand(context, 'contact', 'update', 'ID', '--book', book, '--subscribed');
  return `A campaign starts only if its contact book has a subscribed contact. Contacts subscribe with the confirmation email they received; or, with their consent: ${subscribe}`;
}

/** The newest draft that looks like this campaign and was created just now. */
async function findDraft(
  context: Context,
  { name, subject, from }: CreateCampaignBody,
): Promise<CampaignSummary | undefined> {
  const { rows } = await fetchCampaignPage(context, { status: 'DRAFT', search: name }, 1);
  const now = (await context.serviceClock('ask'))();
  return rows.find(
    (one) =>
      one.status === 'DRAFT' &&
      one.name === name &&
      one.subject === subject &&
      one.from === from &&
      Math.abs(Date.parse(one.createdAt ?? '') - now) <= recent,
  );
}
