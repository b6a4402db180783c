import type { CreateCampaignBody } from '../../../api/campaign.ts';
import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { canUnsubscribe } from '../../../shared/placeholders.ts';
import { ApiError, orNotFound } from '../../store/errors.ts';
import type { Store } from '../../store/store.ts';
import { type Addresses, addressList } from '../addresses.ts';
import { teamId } from '../api-account.ts';
import { bookExists } from '../contact/contacts.ts';
import { renderContent } from '../content/editor-content.ts';
import { verifiedDomainOf } from '../domains.ts';
import type { Figures } from '../email/figures.ts';
import { newId } from '../ids.ts';
import { iso, isoDates } from '../iso.ts';
import { removeJobs } from '../jobs.ts';
import { contentHtml } from '../templates.ts';
import { countReceivers, planBatch, setStatus } from './campaign-run.ts';

export interface CampaignRow extends Figures {
  id: string;
  name: string;
  sender: string;
  subject: string;
  previewText: string | null;
  contactBookId: string;
  domainId: number;
  html: string | null;
  content: string | null;
  replyTo: string[];
  cc: string[];
  bcc: string[];
  status: CampaignStatus;
  scheduledAt: number | null;
  batchSize: number;
  batchWindowMinutes: number;
  lastCursor: string | null;
  lastSentAt: number | null;
  total: number;
  unsubscribed: number;
  createdAt: number;
  updatedAt: number;
}

/** Selects `CampaignRow`s. */
export const selectCampaign = `SELECT id, name, sender, subject, preview_text, contact_book_id, domain_id,
  html, content, reply_to, cc, bcc, status, scheduled_at, batch_size, batch_window_minutes,
  last_cursor, last_sent_at, total, sent, delivered, opened, clicked, unsubscribed, bounced,
  hard_bounced, complained, created_at, updated_at FROM campaigns`;

/** Throws `ApiError` NOT_FOUND. */
export function storedCampaign(store: Store, id: string): CampaignRow {
  return orNotFound('Campaign', store.one<CampaignRow>(`${selectCampaign} WHERE id = ?`, id));
}

/**
 * Stores a DRAFT and returns its id. Throws `ApiError` BAD_REQUEST if the book is unknown, the
 * sender's domain is not verified, the content is invalid, or the unsubscribe link is missing.
 */
export function storeDraft(store: Store, body: CreateCampaignBody, now: number): string {
  if (!bookExists(store, body.contactBookId)) {
    throw new ApiError('BAD_REQUEST', 'Contact book not found');
  }
  const id = newId(now);
  store.insert('campaigns', {
    id,
    ...campaignColumns(body),
    contactBookId: body.contactBookId,
    domainId: verifiedDomainOf(store, body.from),
    html: draftHtml(body),
    status: 'DRAFT',
    createdAt: now,
    updatedAt: now,
  });
  return id;
}

/** The columns of a campaign that a request sets, or their defaults. */
export function campaignColumns(given: GivenCampaign) {
  return {
    name: given.name,
    sender: given.from,
    subject: given.subject,
    searchText: searchable(`${given.name}\n${given.subject}`),
    previewText: given.previewText,
    content: given.content,
    replyTo: trimmedList(given.replyTo),
    cc: trimmedList(given.cc),
    bcc: trimmedList(given.bcc),
    batchSize: given.batchSize ?? 500,
  };
}

/** As live servers store addresses of campaigns. */
function trimmedList(addresses: Addresses): string[] {
  return addressList(addresses).map((address) => address.trim());
}

interface GivenCampaign {
  readonly name: string;
  readonly from: string;
  readonly subject: string;
  readonly previewText?: string | null | undefined;
  readonly content?: string | null | undefined;
  readonly replyTo?: Addresses;
  readonly cc?: Addresses;
  readonly bcc?: Addresses;
  readonly batchSize?: number | undefined;
}

/** The form in which text of campaigns is searched, regardless of case. */
export function searchable(text: string): string {
  return text.toLowerCase();
}

/** The HTML of a draft. If the draft has `content`, it is rendered when the campaign is scheduled. */
function draftHtml({ content, html }: CreateCampaignBody): string | null {
  const rendered = content === undefined ? undefined : contentHtml(content);
  if (!canUnsubscribe(html ?? rendered ?? '')) {
    throw new ApiError(
      'BAD_REQUEST',
      'A campaign must contain an unsubscribe link: {{usesend_unsubscribe_url}}',
    );
  }
  return html ?? null;
}

function htmlOf({ html, content }: CampaignRow): string | null {
  return html ?? (content === null ? null : (renderContent(content) ?? null));
}

/**
 * Schedules a campaign of any status for `at` (milliseconds since 1970; the past means now). A DRAFT or SENT
 * one starts with its first contact. Throws `ApiError` BAD_REQUEST if the book has no contacts to send to.
 */
export function setSchedule(
  store: Store,
  id: string,
  { at, batchSize }: { readonly at: number; readonly batchSize: number | undefined },
  now: number,
): void {
  const campaign = storedCampaign(store, id);
  const total = countReceivers(store, campaign.contactBookId);
  if (total === 0) throw new ApiError('BAD_REQUEST', 'No subscribed contacts to send to');
  const fromStart = campaign.status === 'DRAFT' || campaign.status === 'SENT';
  store.update('campaigns', id, {
    html: htmlOf(campaign),
    scheduledAt: at,
    total,
    batchSize: batchSize ?? campaign.batchSize,
    lastCursor: fromStart ? null : campaign.lastCursor,
  });
  setStatus(store, id, 'SCHEDULED', now);
  planBatch(store, id, Math.max(at, now));
}

/** Resumes a campaign of any status: SCHEDULED if its time is in the future, otherwise RUNNING. */
export function unpauseCampaign(store: Store, id: string, now: number): void {
  const campaign = storedCampaign(store, id);
  const at = Math.max(campaign.scheduledAt ?? now, now);
  const total = campaign.total || countReceivers(store, campaign.contactBookId);
  store.update('campaigns', id, { html: htmlOf(campaign), total });
  setStatus(store, id, at > now ? 'SCHEDULED' : 'RUNNING', now);
  planBatch(store, id, at);
}

export function setPaused(store: Store, id: string, now: number): void {
  storedCampaign(store, id);
  removeJobs(store, 'campaign.batch', id);
  setStatus(store, id, 'PAUSED', now);
}

/** Deletes a campaign, but not its emails. */
export function removeCampaign(store: Store, id: string): void {
  removeJobs(store, 'campaign.batch', id);
  store.run('DELETE FROM campaigns WHERE id = ?', id);
}

/** A campaign in full, as the API shows it. */
export function shownCampaign(campaign: CampaignRow) {
  const { id, name, sender, replyTo, cc, bcc, createdAt, updatedAt, ...others } = campaign;
  const { domainId, lastCursor, lastSentAt, ...row } = others;
  return {
    id,
    name,
    from: sender,
    ...row,
    scheduledAt: iso(row.scheduledAt),
    ...{ replyTo, cc, bcc },
    ...isoDates(campaign),
  };
}

/** A campaign as the API shows it when it is deleted, with internal fields of the service. */
export function shownDeletedCampaign(row: CampaignRow) {
  return {
    ...shownCampaign(row),
    teamId,
    domainId: row.domainId,
    isApi: true,
    lastCursor: row.lastCursor,
    lastSentAt: iso(row.lastSentAt),
  };
}

/** A campaign in a list. */
export function shownSummary(row: CampaignRow) {
  return {
    id: row.id,
    name: row.name,
    from: row.sender,
    subject: row.subject,
    ...isoDates(row),
    status: row.status,
    scheduledAt: iso(row.scheduledAt),
    total: row.total,
    sent: row.sent,
    delivered: row.delivered,
    unsubscribed: row.unsubscribed,
  };
}
