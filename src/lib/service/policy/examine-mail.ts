import type * as z from 'zod';
import { createCampaignBody } from '../../../api/campaign.ts';
import { type Contact, type ContactBook, usesDoubleOptIn } from '../../../api/contact.ts';
import { type Email, sendBody, withoutNulls } from '../../../api/email.ts';
import { sendEventBody } from '../../../api/event.ts';
import { NotFoundError, NotOfferedError } from '../../base/errors.ts';
import { parseExact } from '../../base/json/exact-numbers.ts';
import { parseContext } from '../../base/json/zod-context.ts';
import { bodyText } from '../../base/system/wire.ts';
import { findListed } from '../http/find-listed.ts';
import { describeIssue, toIssue } from '../http/reply.ts';
import type { OutgoingRequest } from '../http/request-guard.ts';
import type { Audience } from './approval.ts';
import { emailUnder } from './email-under.ts';
import type { MailKind } from './mailing.ts';
import { comparedAddress } from './pattern.ts';
import type { Policy, Rule } from './policy.ts';
import { allRecipients, isOnlyTo } from './redirect.ts';
import { type RefusedBy, refusedBy, throwIf, unclear, whyNotFrom, whyNotTo } from './refusal.ts';

/** What is known about the mail that a request causes. */
export interface Mail {
  /**
   * Replaces the request's body; undefined if no rule depends on it. It has each field once, because a
   * server may act on the first of two fields of the same name.
   */
  readonly body?: string;
  /** Number of recipients. */
  readonly units: number;
  /** Whom it mails, if a rule asks for approval of some mail; undefined if nobody. */
  readonly audience?: Audience;
  readonly redirectedFor?: readonly string[];
  /** The rule that redirects any of it, perhaps when a bulk run was prepared. */
  readonly redirect?: Rule<string> | undefined;
  readonly unchecked?: string;
}

/** A request to examine. */
export interface Examined extends Omit<OutgoingRequest, 'effect' | 'isApproved'> {
  readonly kind: MailKind;
  readonly ids: Readonly<Record<string, string>>;
  readonly policy: Policy;
}

/** The most contacts of a book that a service lists. */
const mostListed = 5000;

/**
 * The mail that a request causes. Throws a `PolicyError` if a rule does not allow it, or if that cannot be
 * determined.
 */
export async function examineMail(examined: Examined): Promise<Mail> {
  switch (examined.kind) {
    case 'email':
    case 'batch':
      return examineEmails(examined);
    case 'reschedule':
      return await examineReschedule(examined);
    case 'campaign create':
      return await examineNewCampaign(examined);
    case 'campaign start':
      return await examineCampaign(examined);
    case 'contact':
    case 'contacts':
      return await examineContacts(examined);
    case 'event':
      return await examineEvent(examined);
    case 'none':
      return { units: 0 };
    case 'unknown':
      throw unclear(examined, 'mailer does not know the recipients of this request');
  }
}

const nobody: Mail = { units: 0 };
/** Somebody, as far as nothing was looked up. */
const somebody: Mail = { units: 0, audience: { recipients: undefined, mailboxes: undefined } };

function examineEmails({ kind, request, policy }: Examined): Mail {
  const value = valueIn({ request, policy });
  const isBatch = kind === 'batch';
  const given: unknown = isBatch ? value : [value];
  if (!Array.isArray(given)) throw unclear({ policy }, 'the body of this request is not a list');
  const all = given.map((one) => {
    const known = isRecord(one) ? withoutNulls(one) : one;
    return emailUnder(policy, strictly(sendBody, known, 'email', { policy }));
  });
  const emails = all.map(({ email }) => email);
  const mailboxes = emails.flatMap(allRecipients);
  return {
    body: JSON.stringify(isBatch ? emails : emails[0]),
    units: mailboxes.length,
    audience: { recipients: mailboxes.length, mailboxes },
    redirectedFor: all.flatMap((one) => one.redirectedFor),
    redirect: all.find(({ redirect }) => redirect !== undefined)?.redirect,
  };
}

/**
 * Parses what a request mails strictly: a server may act on what the contract does not allow, such as another field
 * with recipients, or a line break in a header. Numbers keep their exact digits, as raw JSON.
 */
function strictly<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  what: 'email' | 'campaign' | 'event',
  { policy }: Pick<Examined, 'policy'>,
): z.infer<Schema> {
  const parsed = schema.safeParse(value, parseContext);
  if (parsed.success) return parsed.data;
  const [why] = parsed.error.issues.map(toIssue).map(describeIssue);
  throw unclear({ policy }, `this ${what} cannot be checked (${why})`);
}

/** Rescheduling does not change the recipients. */
async function examineReschedule(examined: Examined): Promise<Mail> {
  const { policy, ids, call, showOnly } = examined;
  if (showOnly) return { ...somebody, unchecked: laterOf('recipients of the email') };
  const found = await call('email.get', { params: { emailId: ids.email ?? '' } });
  const shown = [found.to, found.cc, found.bcc].flatMap(mailboxesIn);
  if (shown.length === 0) throw unclear(examined, 'the service does not show its recipients');
  throwIf(whyNotRescheduled(shown, policy) ?? whyNotFrom(found.from, policy));
  const asksCopies = asksWho(policy) || policy.redirectTo.length > 0;
  const copies = copiesOf(found) ?? (asksCopies ? await listedCopies(examined, found) : undefined);
  if (asksCopies) throwIf(whyNotRescheduled(copies ?? [], policy));
  const mailboxes = copies && [...shown, ...copies];
  // They were counted when the email was accepted.
  return { units: 0, audience: { recipients: mailboxes?.length, mailboxes } };
}

function whyNotRescheduled(recipients: readonly string[], policy: Policy): RefusedBy | undefined {
  const elsewhere = policy.redirectTo.find(({ value }) => !isOnlyTo(recipients, value));
  return (
    whyNotTo(recipients, policy) ??
    (elsewhere && refusedBy(elsewhere, 'cannot redirect a scheduled email', recipients))
  );
}

/** The copies of an email that the service shows without them: its list has them. */
async function listedCopies(examined: Examined, email: Email): Promise<readonly string[]> {
  const listed = await lookedUp(examined, 'the list of emails', () =>
    findListed((input) => examined.call('email.list', input), email),
  );
  return shownCopies(examined, listed ?? {});
}

function shownCopies(examined: Examined, shown: Pick<Email, 'cc' | 'bcc'>): readonly string[] {
  const copies = copiesOf(shown);
  if (copies === undefined) throw unclear(examined, 'the service does not show who gets copies');
  return copies;
}

/** The recipients of copies; undefined if a field is absent, which does not mean that there are none. */
function copiesOf({ cc, bcc }: Pick<Email, 'cc' | 'bcc'>): readonly string[] | undefined {
  if (cc === undefined || bcc === undefined) return undefined;
  return [cc, bcc].flatMap(mailboxesIn);
}

function mailboxesIn(shown: Email['to']): readonly string[] {
  return [shown ?? []].flat().filter((one) => one !== '');
}

function asksWho({ allowTo, denyTo, approval }: Policy): boolean {
  const isOutside = approval.some(({ value }) => value.kind === 'outside');
  return allowTo.length + denyTo.length > 0 || isOutside;
}

function hasLimits({ maxRecipients, maxPerDay, approval }: Policy): boolean {
  const isAbove = approval.some(({ value }) => value.kind === 'above');
  return maxRecipients.length + maxPerDay.length > 0 || isAbove;
}

async function examineNewCampaign(examined: Examined): Promise<Mail> {
  const { policy } = examined;
  refuseCampaigns(policy);
  const value = valueIn(examined);
  const campaign = strictly(createCampaignBody, value, 'campaign', examined);
  throwIf(whyNotFrom(campaign.from, policy));
  const copies = [campaign.cc, campaign.bcc].flatMap(mailboxesIn);
  throwIf(whyNotTo(copies, policy));
  const body = JSON.stringify(value);
  // A draft sends no email; starting it takes another request.
  if (campaign.sendNow !== true && campaign.scheduledAt === undefined) return { body, units: 0 };
  return { ...(await examineBook(examined, campaign.contactBookId, copies)), body };
}

async function examineCampaign(examined: Examined): Promise<Mail> {
  const { policy, ids, call, showOnly } = examined;
  refuseCampaigns(policy);
  if (!concernsPeople(policy)) return nobody;
  if (showOnly) return { ...somebody, unchecked: laterOf('sender and recipients of the campaign') };
  const campaign = await lookedUp(examined, 'campaigns', () =>
    call('campaign.get', { params: { campaignId: ids.campaign ?? '' } }),
  );
  throwIf(whyNotFrom(campaign.from, policy));
  throwIf(whyNotTo([campaign.cc, campaign.bcc].flatMap(mailboxesIn), policy));
  const copies = asksWho(policy) || hasLimits(policy) ? shownCopies(examined, campaign) : [];
  if (!campaign.contactBookId)
    throw unclear(examined, 'the service does not show its contact book');
  return await examineBook(examined, campaign.contactBookId, copies);
}

/** A campaign sends one email to each contact of its book, each with the copies. */
async function examineBook(
  examined: Examined,
  book: string,
  copies: readonly string[],
): Promise<Mail> {
  const { policy, call, showOnly } = examined;
  const [redirect] = policy.redirectTo;
  throwIf(redirect && refusedBy(redirect, 'cannot redirect a campaign'));
  if (!asksWho(policy) && !hasLimits(policy)) return somebody;
  if (showOnly) return { ...somebody, unchecked: laterOf('contacts of the book') };
  const params = { contactBookId: book };
  const found = await lookedUp(examined, 'contact books', () =>
    call('contactBook.get', { params }),
  );
  const counted = found._count?.contacts ?? undefined;
  const contacts: readonly Contact[] =
    asksWho(policy) || counted === undefined
      ? await call('contact.list', { params, query: {} })
      : [];
  const isWhole = contacts.length < mostListed && contacts.length >= (counted ?? 0);
  if ((asksWho(policy) || counted === undefined) && !isWhole) {
    throw unclear(examined, 'the service does not list all contacts of the book');
  }
  const mailboxes = contacts.map(({ email }) => email);
  if (asksWho(policy)) throwIf(whyNotTo(mailboxes, policy));
  const units = Math.max(counted ?? 0, contacts.length) * (1 + copies.length);
  return { units, audience: { recipients: units, mailboxes: [...mailboxes, ...copies] } };
}

/** A book with double opt-in sends each new contact an email that asks for confirmation. */
async function examineContacts(examined: Examined): Promise<Mail> {
  const { policy, ids, call, showOnly } = examined;
  if (!concernsPeople(policy)) return nobody;
  const value = valueIn(examined);
  const body = JSON.stringify(value);
  const contacts: unknown[] = Array.isArray(value) ? value : [value];
  const emails = contacts.map(emailIn);
  const known = emails.filter((email) => email !== undefined);
  const refusal = known.length === emails.length ? whyNotTo(known, policy) : undefined;
  const { redirectTo, allowFrom, maxRecipients, maxPerDay, approval } = policy;
  const others = [redirectTo, allowFrom, maxRecipients, maxPerDay, approval];
  const isClear = refusal === undefined && known.length === emails.length;
  if (isClear && others.every((rules) => rules.length === 0)) return { body, units: 0 };
  if (showOnly) return { body, units: 0, unchecked: laterOf('double opt-in of the book') };
  const book: ContactBook = await lookedUp(examined, 'contact books', () =>
    call('contactBook.get', { params: { contactBookId: ids.book ?? '' } }),
  );
  if (!usesDoubleOptIn(book)) return { body, units: 0 };
  throwIf(refusal);
  if (!isClear) throw unclear(examined, 'a contact of this request has no address to check');
  const [redirect] = policy.redirectTo;
  throwIf(
    redirect && refusedBy(redirect, 'cannot redirect emails that ask for confirmation', known),
  );
  throwIf(whyNotFrom(book.doubleOptInFrom, policy));
  return { body, units: emails.length, audience: { recipients: known.length, mailboxes: known } };
}

/** The service's configuration determines what an event does: it may mail the contact. */
async function examineEvent(examined: Examined): Promise<Mail> {
  const { policy, call, showOnly } = examined;
  if (!concernsPeople(policy)) return nobody;
  const value = valueIn(examined);
  const body = JSON.stringify(value);
  const { email, contactId, contactBookId } = strictly(sendEventBody, value, 'event', examined);
  const [rule] = [...policy.redirectTo, ...policy.allowFrom];
  throwIf(rule && refusedBy(rule, 'cannot be checked for events'));
  const one = { body, units: 1, audience: { recipients: 1, mailboxes: undefined } };
  if (!asksWho(policy)) return one;
  let address = contactId === undefined ? emailIn({ email }) : undefined;
  if (contactId !== undefined && email === undefined) {
    if (contactBookId === undefined) {
      const why = 'the event has only the id of a contact; to look up its address, add --book';
      throw unclear(examined, why);
    }
    if (showOnly) return { ...one, units: 0, unchecked: laterOf('address of the contact') };
    address = (await call('contact.get', { params: { contactBookId, contactId } })).email;
  }
  if (address === undefined) throw unclear(examined, 'the event does not name a contact');
  throwIf(whyNotTo([address], policy));
  return { ...one, audience: { recipients: 1, mailboxes: [address] } };
}

/** Whether any rule is about recipients, their number, or the sender. */
function concernsPeople(policy: Policy): boolean {
  return policy.shown.some(({ rule }) => !['campaigns', 'deletes', 'read-only'].includes(rule));
}

function refuseCampaigns({ campaigns: [off] }: Policy): void {
  throwIf(off && refusedBy(off, 'is off, so no campaign is sent'));
}

/** Looks something up. If the service does not show it, the rules cannot be checked, so nothing is sent. */
async function lookedUp<Value>(
  { policy }: Pick<Examined, 'policy'>,
  what: string,
  look: () => Promise<Value>,
): Promise<Value> {
  try {
    return await look();
  } catch (error) {
    // A 404 without JSON says nothing about the id: a proxy responded, or the service lacks this endpoint.
    const isPlain = error instanceof NotFoundError && error.details.request?.mayBeOfProxy === true;
    if (!isPlain && !(error instanceof NotOfferedError)) throw error;
    throw unclear({ policy }, `the service does not show ${what}`);
  }
}

function laterOf(what: string): string {
  return `A dry run does not check the ${what}; this happens before anything is sent.`;
}

function valueIn({ request: { body }, policy }: Pick<Examined, 'request' | 'policy'>): unknown {
  try {
    return parseExact(bodyText(body ?? ''));
  } catch {
    throw unclear({ policy }, 'the body of this request is not JSON');
  }
}

/** The address of a contact; undefined if rules cannot compare it. */
function emailIn(contact: unknown): string | undefined {
  const { email } = isRecord(contact) ? contact : {};
  return typeof email === 'string' && comparedAddress(email) !== undefined ? email : undefined;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
