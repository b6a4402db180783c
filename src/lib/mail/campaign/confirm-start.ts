import type { Campaign, CampaignSummary } from '../../../api/campaign.ts';
import type { ContactBook } from '../../../api/contact.ts';
import { limits } from '../../../api/limits.ts';
import { textOfDocument } from '../../../shared/editor-document.ts';
import { AuthError, ConflictError, NotFoundError } from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { accountStateNotes, fetchAccountState } from '../../command-line/command/account-state.ts';
import type { Context } from '../../command-line/command/context.ts';
import { fetchIfAvailable } from '../../command-line/command/fetch-if-available.ts';
import type { ExpectedCount } from '../../command-line/command/flags/expected-count.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { allOf, beginning, summaryAbove, whenSent } from '../../command-line/command/summary.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import type { SendOptions } from '../../service/http/client.ts';
import type { Passed } from '../../service/http/passed.ts';
import { htmlReader } from '../content/html-reader.ts';
import { waive } from '../message/gate.ts';
import { createListContacts, type ListContacts } from './blank-for.ts';
import { checkBeforeRetryHint } from './check-before-retry.ts';
import { assertExpected } from './expect-contacts.ts';
import { fetchCampaign, findCampaign, withCampaign } from './find-campaign.ts';
import { nameOf } from './name-of.ts';
import { passCampaign } from './pass-campaign.ts';
import { refuseRepeated } from './repeated.ts';

/** How a campaign is about to start. */
interface Start {
  /** Such as `Schedule it?`. */
  readonly question: string;
  /** Such as `Nothing was scheduled`. */
  readonly undone: string;
  /** When it starts, in the format of the service; now, if it is past or absent. */
  readonly scheduledAt?: string | null | undefined;
}

/** A campaign as far as it is known: as listed, in full, or not created yet. */
type Starting = Partial<
  Pick<Campaign, 'id' | 'name' | 'from' | 'contactBookId' | 'status' | 'sent'> &
    Pick<Campaign, 'subject' | 'previewText' | 'html' | 'content'> & {
      readonly cc: Copies;
      readonly bcc: Copies;
      readonly replyTo: Copies;
    }
>;

type Copies = string | readonly string[] | null | undefined;

/** What is known about the contacts of a start, and asked about them. */
interface StartsFor {
  readonly expectContacts: ExpectedCount | undefined;
  /** For whom placeholders are empty, in sentences. */
  readonly blanks: readonly string[];
  readonly listContacts: ListContacts;
}

interface StartFlags {
  readonly expect?: string | undefined;
  readonly expectContacts?: ExpectedCount | undefined;
  readonly allowBlank?: boolean | undefined;
  readonly literal?: boolean | undefined;
  readonly again?: boolean | undefined;
}

/**
 * Calls `start` with the id of a campaign that the service has, after `confirmStart`. Throws like `findCampaign`, a
 * `ConflictError` for one that was started before, unless it is to be started again, and a `UsageError` for a
 * placeholder that it does not fill in, unless it is to be sent literally.
 */
export async function startCampaign<Value>(
  context: Context,
  named: string,
  how: (campaign: CampaignSummary) => Start,
  { expect, expectContacts, literal = false, again = false, allowBlank = false }: StartFlags,
  start: (
    id: string,
    passed: Passed,
    options: Pick<SendOptions, 'hintIfUnknown' | 'expect' | 'contacts'>,
  ) => Promise<Value>,
): Promise<Value> {
  const optionsOf = (id: string, contacts: number | null) => {
    return { hintIfUnknown: checkBeforeRetryHint(context, id), expect, contacts };
  };
  const listContacts = createListContacts(context);
  const choices = { literal, again, allowBlank, listContacts };
  if (!isExamined(context, expectContacts)) {
    return await withCampaign(context, named, async (id, listed) => {
      if (context.flags.dryRun === true) {
        context.notes.say(
          'A dry run looks nothing up, so mailer did not check the status and the placeholders of the campaign, nor whether another one sends the same.',
        );
        return await start(id, waive('dry run'), optionsOf(id, null));
      }
      const isKnown = literal && allowBlank && again;
      const { undone } = how(listed ?? { id });
      if (listed !== undefined && !again) refuseStarted(context, listed, undone);
      const campaign = isKnown ? (listed ?? { id }) : await asShown(context, id, undone, choices);
      const { passed } = await passStart(context, campaign, how(campaign), choices);
      await warnOfStanding(context);
      return await start(id, passed, optionsOf(id, campaign.total || null));
    });
  }
  const campaign = await findCampaign(context, named);
  const { passed, blanks } = await passStart(context, campaign, how(campaign), choices);
  const counted = { expectContacts, blanks, listContacts };
  const contacts = await confirmStart(context, campaign, how(campaign), counted);
  return await start(campaign.id, passed, optionsOf(campaign.id, contacts));
}

type StartChoices = Required<Pick<StartFlags, 'literal' | 'again' | 'allowBlank'>> &
  Pick<StartsFor, 'listContacts'>;

/** Has a campaign pass the gate. Throws if it, or the same, was started before, unless it is to be started again. */
async function passStart(
  context: Context,
  campaign: CampaignSummary & Partial<Campaign>,
  { undone, scheduledAt }: Start,
  { again, ...choices }: StartChoices,
) {
  if (!again) refuseStarted(context, campaign, undone);
  const { contactBookId } = campaign;
  const door = scheduledAt == null ? 'now' : 'later';
  // First, because most of it needs no request.
  const passing = { door, undone, contactBookId, ...choices } as const;
  const result = await passCampaign(context, campaign, passing);
  if (!again) {
    const settle = 'To start it all the same, add --again.';
    await refuseRepeated(context, { ...campaign, scheduledAt }, { undone, settle });
  }
  return result;
}

/** A campaign that the service has. If the service does not show it, that is said. */
async function asShown(
  context: Context,
  id: string,
  undone: string,
  { literal, again }: StartChoices,
): Promise<CampaignSummary> {
  // Without such a campaign, the start fails with the service's own words.
  const ask = async () => (await fetchCampaign(context, id)) ?? { id };
  const hint = `${undone}, because the campaign could not be read. To start it without these checks, add --literal --allow-blank --again.`;
  const campaign = await fetchIfAvailable(ask, hint);
  if (campaign !== undefined) return campaign;
  const unchecked = [
    ...(again ? [] : ['its status']),
    literal ? 'empty placeholders' : 'its placeholders',
  ];
  context.notes.say(
    `The service does not show the campaign, so mailer did not check ${unchecked.join(' or ')}.`,
  );
  return { id };
}

/** Throws a `ConflictError` for a campaign that was sent, or is being sent: people would get it a second time. */
function refuseStarted(
  context: Context,
  campaign: CampaignSummary & Partial<Campaign>,
  undone: string,
): void {
  const { id, status } = campaign;
  const contacts = sentTo(campaign);
  const to = contacts === undefined ? '' : `, to ${contacts}`;
  if (status === 'SENT') {
    throw new ConflictError(`${nameOf(campaign)} has been sent before${to}.`, {
      hint: `${undone}. To send it again, add --again.`,
    });
  }
  if (status !== 'RUNNING') return;
  const follow = nextCommand(context, 'campaign', 'watch', id);
  throw new ConflictError(`${nameOf(campaign)} is being sent${to && `${to} so far`}.`, {
    hint: `${undone}. To start it all the same, add --again. To follow it: ${follow}`,
  });
}

/** What happens to campaigns of a blocked account. */
const held = 'the service pauses campaigns';

/** Warns if the account may not send; nothing depends on it. */
async function warnOfStanding(context: Context): Promise<void> {
  for (const line of accountStateNotes(await fetchAccountState(context), held))
    context.notes.warn(line);
}

/** Whether a start is looked at: not with `--yes` alone, and not in a dry run, which may have no key. */
function isExamined({ flags }: Context, expected: ExpectedCount | undefined): boolean {
  return flags.dryRun !== true && (flags.yes !== true || expected !== undefined);
}

/**
 * Counts whom a campaign goes to, compares the number with the expected one, and asks whether to start it, unless
 * `--yes` is given. The book is given if it was looked up. Throws a `UsageError` if the answer is no, and a
 * `PolicyError` for another number than the expected one. Returns the number, null if nobody counted.
 */
export async function confirmStart(
  context: Context,
  campaign: Starting,
  { question, undone, scheduledAt }: Start,
  { expectContacts: expected, blanks, listContacts }: StartsFor,
  listed?: ContactBook,
): Promise<number | null> {
  if (context.flags.dryRun === true) return null;
  if (!isExamined(context, expected)) {
    await warnOfStanding(context);
    return null;
  }
  const { contactBookId } = campaign;
  const book = contactBookId ? (listed ?? (await bookOf(context, contactBookId))) : undefined;
  const audience = await audienceOf(contactBookId, book, listContacts);
  if (expected !== undefined) assertExpected(expected, audience.contacts, audience.inWords);
  const contacts = audience.contacts ?? null;
  if (context.flags.yes === true) {
    await warnOfStanding(context);
    return contacts;
  }
  const isLater = Date.parse(scheduledAt ?? '') > (await context.serviceClock('ask'))();
  const when = isLater ? `on ${await whenSent(scheduledAt ?? undefined, context)}` : 'now';
  const copies = [...allOf(campaign.cc ?? []), ...allOf(campaign.bcc ?? [])];
  const sentences = [
    `${nameOf(campaign)}${campaign.from ? ` from ${campaign.from}` : ''} starts ${when} and goes to ${audience.inWords}${copies.length === 0 ? '' : `, each with copies to ${copies.join(', ')}`}.`,
    ...sentBefore(campaign),
    ...blanks,
    ...accountStateNotes(await fetchAccountState(context), held),
    question,
  ];
  const above = context.prompts.asks ? await contentAbove(context, campaign) : [];
  await context.prompts.confirm(sentences.join(' '), undone, above);
  return contacts;
}

/** What contacts would read, as far as it is known, with the body as text. */
async function contentAbove(
  context: Context,
  { replyTo, subject, previewText, html, content }: Starting,
): Promise<readonly string[]> {
  const body = html ? (await htmlReader())(html) : textOfDocument(content ?? '');
  const rows = [
    ['Reply-To', allOf(replyTo ?? [])],
    ['Subject', allOf(subject ?? [])],
    ['Preview', allOf(previewText ?? [])],
    [html ? 'HTML' : 'Content', beginning(body)],
  ] as const;
  return rows.some(([, lines]) => lines.length > 0) ? summaryAbove(rows, context) : [];
}

/** Such as `11 contacts`, once a campaign was sent to some. */
function sentTo(campaign: Starting): string | undefined {
  return campaign.sent
    ? quantity(countAt(campaign, 'sent') ?? campaign.sent, 'contact')
    : undefined;
}

function sentBefore(campaign: Starting): readonly string[] {
  const contacts = sentTo(campaign);
  const to = contacts === undefined ? '' : `, to ${contacts}`;
  if (campaign.status === 'SENT') return [`It has been sent before${to}, and is sent again.`];
  return contacts === undefined ? [] : [`It has been sent to ${contacts} so far.`];
}

/**
 * The subscribed contacts that a campaign goes to, or all contacts of a book that is too large to be listed; in words such
 * as `at most 240 subscribed contacts of contact book "Customers"`, because the service leaves out suppressed addresses,
 * and does not tell which.
 */
async function audienceOf(
  contactBookId: string | null | undefined,
  book: ContactBook | undefined,
  list: ListContacts,
) {
  const all = book?._count?.contacts ?? undefined;
  const of = `contact book ${JSON.stringify(book?.name ?? contactBookId ?? 'unknown')}`;
  if (all !== undefined && all > limits.contactsPerList) {
    return {
      contacts: all,
      inWords: `at most ${grouped(countAt(book, '_count.contacts') ?? all)} contacts of ${of}`,
    };
  }
  const subscribed = contactBookId ? await subscribedIn(contactBookId, all, list) : undefined;
  return subscribed === undefined
    ? { contacts: undefined, inWords: `${of}, whose subscribed contacts could not be counted` }
    : {
        contacts: subscribed,
        inWords: `at most ${quantity(subscribed, 'subscribed contact')} of ${of}`,
      };
}

/** The number of subscribed contacts; undefined if the service does not list all contacts of the book. */
async function subscribedIn(contactBookId: string, all: number | undefined, list: ListContacts) {
  const contacts = await ifOffered(() => list(contactBookId));
  const isWhole = contacts && (contacts.length < limits.contactsPerList || contacts.length === all);
  return isWhole ? contacts.filter(({ subscribed }) => subscribed === true).length : undefined;
}

async function bookOf(context: Context, contactBookId: string): Promise<ContactBook | undefined> {
  return await ifOffered(() => context.call('contactBook.get', { params: { contactBookId } }));
}

/** The response to a request; undefined if the service lacks the operation, or the key may not use it. */
async function ifOffered<Value>(ask: () => Promise<Value>): Promise<Value | undefined> {
  try {
    return await ask();
  } catch (error) {
    const isLacking = error instanceof NotFoundError && error.details.apiCode === undefined;
    const isForbidden = error instanceof AuthError && error.details.status === 403;
    if (isLacking || isForbidden) return undefined;
    throw error;
  }
}
