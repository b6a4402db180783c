import type { CreateCampaignBody } from '../../../api/campaign.ts';
import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { ApiError } from '../../store/errors.ts';
import { strings } from '../../store/json-columns.ts';
import type { Store } from '../../store/store.ts';
import { teamId } from '../account.ts';
import { addressList } from '../addresses.ts';
import { renderContent } from '../content/editor-content.ts';
import { verifiedDomainOf } from '../domains.ts';
import { newId } from '../ids.ts';
import { removeJobs } from '../jobs.ts';
import { countReceivers, hasUnsubscribeLink, planBatch, setStatus } from './campaign-run.ts';

/** The default batch size of a campaign. */
export const defaultBatchSize = 500;

export interface CampaignRow {
  id: string;
  name: string;
  sender: string;
  subject: string;
  previewText: string | null;
  contactBookId: string;
  domainId: number;
  html: string | null;
  content: string | null;
  replyTo: string;
  cc: string;
  bcc: string;
  status: CampaignStatus;
  scheduledAt: number | null;
  batchSize: number;
  batchWindowMinutes: number;
  lastCursor: string | null;
  lastSentAt: number | null;
  total: number;
  sent: number;
  delivered: number;
  opened: number;
  clicked: number;
  unsubscribed: number;
  bounced: number;
  hardBounced: number;
  complained: number;
  createdAt: number;
  updatedAt: number;
}

/** Selects `CampaignRow`s. */
export const selectCampaign = `SELECT id, name, sender, subject, preview_text AS previewText,
  contact_book_id AS contactBookId, domain_id AS domainId, html, content, reply_to AS replyTo, cc,
  bcc, status, scheduled_at AS scheduledAt, batch_size AS batchSize,
  batch_window_minutes AS batchWindowMinutes, last_cursor AS lastCursor,
  last_sent_at AS lastSentAt, total, sent, delivered, opened, clicked, unsubscribed, bounced,
  hard_bounced AS hardBounced, complained, created_at AS createdAt, updated_at AS updatedAt
  FROM campaigns`;

/** The campaign with this id; throws `ApiError` NOT_FOUND if there is none. */
export function storedCampaign(store: Store, id: string): CampaignRow {
  const campaign = store.one<CampaignRow>(`${selectCampaign} WHERE id = ?`, id);
  if (campaign === undefined) throw new ApiError('NOT_FOUND', 'Campaign not found');
  return campaign;
}

/**
 * Stores a DRAFT and returns its id. Throws `ApiError` BAD_REQUEST when the book, the sender's
 * domain, the content or the unsubscribe placeholder is not as it must be.
 */
export function storeDraft(store: Store, body: CreateCampaignBody, now: number): string {
  if (store.one('SELECT 1 FROM contact_books WHERE id = ?', body.contactBookId) === undefined) {
    throw new ApiError('BAD_REQUEST', 'Contact book not found');
  }
  const id = newId(now);
  store.run(
    `INSERT INTO campaigns (id, name, sender, subject, search_text, preview_text,
       contact_book_id, domain_id, html, content, reply_to, cc, bcc, status, batch_size,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'DRAFT', ?, ?, ?)`,
    id,
    body.name,
    body.from,
    body.subject,
    searchable(`${body.name}\n${body.subject}`),
    body.previewText ?? null,
    body.contactBookId,
    verifiedDomainOf(store, body.from),
    draftHtml(body),
    body.content ?? null,
    JSON.stringify(addressList(body.replyTo)),
    JSON.stringify(addressList(body.cc)),
    JSON.stringify(addressList(body.bcc)),
    body.batchSize ?? defaultBatchSize,
    now,
    now,
  );
  return id;
}

/** Text in the form in which campaigns are searched, upper and lower case being the same. */
export function searchable(text: string): string {
  return text.toLowerCase();
}

/** The HTML that a draft has by itself: that of content is made when it is scheduled. */
function draftHtml({ content, html }: CreateCampaignBody): string | null {
  const rendered = content === undefined ? undefined : renderContent(content);
  if (content !== undefined && rendered === undefined) {
    throw new ApiError('BAD_REQUEST', 'Invalid content: it must be the JSON of an editor document');
  }
  if (!hasUnsubscribeLink(html ?? rendered ?? '')) {
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
 * Makes a campaign of any state SCHEDULED for `at` (milliseconds since 1970; the past is now). One
 * that is DRAFT or SENT starts from its first contact again. Throws `ApiError` BAD_REQUEST when
 * there are no contacts to send to.
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
  store.run(
    `UPDATE campaigns SET html = ?, scheduled_at = ?, total = ?, batch_size = ?, last_cursor = ?
     WHERE id = ?`,
    htmlOf(campaign),
    at,
    total,
    batchSize ?? campaign.batchSize,
    fromStart ? null : campaign.lastCursor,
    id,
  );
  setStatus(store, id, 'SCHEDULED', now);
  planBatch(store, id, Math.max(at, now));
}

/** Resumes a campaign of any state: SCHEDULED when its time is still to come, else RUNNING. */
export function unpauseCampaign(store: Store, id: string, now: number): void {
  const campaign = storedCampaign(store, id);
  const at = Math.max(campaign.scheduledAt ?? now, now);
  const { total } = campaign;
  store.run(
    'UPDATE campaigns SET html = ?, total = ? WHERE id = ?',
    htmlOf(campaign),
    total || countReceivers(store, campaign.contactBookId),
    id,
  );
  setStatus(store, id, at > now ? 'SCHEDULED' : 'RUNNING', now);
  planBatch(store, id, at);
}

/** Pauses a campaign: no further batch is sent until it is resumed. */
export function pauseCampaign(store: Store, id: string, now: number): void {
  storedCampaign(store, id);
  removeJobs(store, 'campaign.batch', id);
  setStatus(store, id, 'PAUSED', now);
}

/** Deletes a campaign. What was sent stays among the emails. */
export function removeCampaign(store: Store, id: string): void {
  removeJobs(store, 'campaign.batch', id);
  store.run('DELETE FROM campaigns WHERE id = ?', id);
}

/** A campaign in full, as the API shows it. */
export function shownCampaign(row: CampaignRow) {
  return {
    id: row.id,
    name: row.name,
    from: row.sender,
    subject: row.subject,
    previewText: row.previewText,
    contactBookId: row.contactBookId,
    html: row.html,
    content: row.content,
    status: row.status,
    scheduledAt: isoOrNull(row.scheduledAt),
    batchSize: row.batchSize,
    batchWindowMinutes: row.batchWindowMinutes,
    total: row.total,
    sent: row.sent,
    delivered: row.delivered,
    opened: row.opened,
    clicked: row.clicked,
    unsubscribed: row.unsubscribed,
    bounced: row.bounced,
    hardBounced: row.hardBounced,
    complained: row.complained,
    replyTo: strings(row.replyTo),
    cc: strings(row.cc),
    bcc: strings(row.bcc),
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}

/** A campaign as delete returns it: as above, and what is internal to the service. */
export function shownDeletedCampaign(row: CampaignRow) {
  return {
    ...shownCampaign(row),
    teamId,
    domainId: row.domainId,
    isApi: true,
    lastCursor: row.lastCursor,
    lastSentAt: isoOrNull(row.lastSentAt),
  };
}

/** A campaign in a list. */
export function shownSummary(row: CampaignRow) {
  return {
    id: row.id,
    name: row.name,
    from: row.sender,
    subject: row.subject,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
    status: row.status,
    scheduledAt: isoOrNull(row.scheduledAt),
    total: row.total,
    sent: row.sent,
    delivered: row.delivered,
    unsubscribed: row.unsubscribed,
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
