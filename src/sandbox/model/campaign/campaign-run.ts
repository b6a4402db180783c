import type { CampaignStatus } from '../../../api/campaign-status.ts';
import { escapeHtml, merge, ofContact, onOneLine } from '../../../shared/merge.ts';
import type { Store } from '../../store/store.ts';
import type { ContactRow } from '../contact/contacts.ts';
import { storeEmail } from '../email/emails.ts';
import { newId } from '../ids.ts';
import { addJob, removeJobs } from '../jobs.ts';

/** The placeholder of the unsubscribe link. Live servers accept both names. */
const unsubscribePlaceholder = /\{\{\s*(?:usesend|unsend)_unsubscribe_url\s*\}\}/g;

/** Milliseconds between batches when the campaign has no batch window. */
const pauseBetweenBatches = 1000;

/** The contacts that receive a campaign. The parameter is the book. */
const receivers = `FROM contacts WHERE book_id = ? AND subscribed = 1
  AND NOT EXISTS (SELECT 1 FROM suppressions WHERE address = lower(contacts.email))`;

export function countReceivers(store: Store, bookId: string): number {
  return store.value<number>(`SELECT count(*) ${receivers}`, bookId) ?? 0;
}

/** Schedules the next batch for `at`, and drops an earlier plan. */
export function planBatch(store: Store, campaignId: string, at: number): void {
  removeJobs(store, 'campaign.batch', campaignId);
  addJob(store, { dueAt: at, kind: 'campaign.batch', subject: campaignId });
}

interface Campaign {
  id: string;
  sender: string;
  subject: string;
  html: string | null;
  previewText: string | null;
  bookId: string;
  /** The names of contact properties that the book declares. */
  variables: string[] | null;
  domainId: number;
  replyTo: string[];
  cc: string[];
  bcc: string[];
  batchSize: number;
  windowMinutes: number;
  lastCursor: string | null;
}

type Contact = Pick<ContactRow, 'id' | 'email' | 'firstName' | 'lastName' | 'properties'>;

/**
 * Sends a campaign's next batch at `at` and schedules the following one; if no contact is left, the campaign
 * is SENT. `origin` is that of the unsubscribe links.
 */
export function sendCampaignBatch(
  store: Store,
  campaignId: string,
  at: number,
  origin: string,
): void {
  const campaign = store.one<Campaign>(
    `SELECT id, sender, subject, html, preview_text, contact_book_id AS bookId, domain_id, reply_to,
       cc, bcc, batch_size, batch_window_minutes AS windowMinutes, last_cursor,
       (SELECT variables FROM contact_books WHERE id = contact_book_id) AS variables
     FROM campaigns WHERE id = ?`,
    campaignId,
  );
  if (campaign === undefined) return;
  const contacts = nextContacts(store, campaign);
  const last = contacts.at(-1);
  if (last === undefined) {
    setStatus(store, campaignId, 'SENT', at);
    return;
  }
  for (const contact of contacts) sendToContact(store, campaign, contact, at, origin);
  store.update('campaigns', campaignId, { lastCursor: last.id, lastSentAt: at });
  setStatus(store, campaignId, 'RUNNING', at);
  planBatch(store, campaignId, at + Math.max(campaign.windowMinutes * 60_000, pauseBetweenBatches));
}

export function setStatus(store: Store, id: string, status: CampaignStatus, at: number): void {
  store.update('campaigns', id, { status, updatedAt: at });
}

/** If a campaign is scheduled again, nobody receives it twice. */
function nextContacts(store: Store, campaign: Campaign): Contact[] {
  return store.all<Contact>(
    `SELECT id, email, first_name, last_name, properties ${receivers}
       AND id > ?
       AND NOT EXISTS (SELECT 1 FROM emails WHERE campaign_id = ? AND contact_id = contacts.id)
     ORDER BY id LIMIT ?`,
    campaign.bookId,
    campaign.lastCursor ?? '',
    campaign.id,
    campaign.batchSize,
  );
}

function sendToContact(
  store: Store,
  campaign: Campaign,
  contact: Contact,
  at: number,
  origin: string,
): void {
  const id = newId(at);
  const link = `${origin}/unsubscribe/${id}`;
  const lookup = ofContact(campaign.variables ?? [], contact);
  const html = (campaign.html ?? '').replace(unsubscribePlaceholder, () => link);
  storeEmail(
    store,
    {
      from: campaign.sender,
      to: [contact.email],
      cc: campaign.cc,
      bcc: campaign.bcc,
      replyTo: campaign.replyTo,
      subject: merge(campaign.subject, lookup, onOneLine),
      html: merge(html, lookup, escapeHtml),
      text: campaign.previewText,
      domainId: campaign.domainId,
      headers: {
        'List-Unsubscribe': `<${link}>`,
        // RFC 8058: mail programs unsubscribe with a POST, without a page.
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      campaign: { id: campaign.id, contactId: contact.id },
    },
    at,
    id,
  );
}
