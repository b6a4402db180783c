import { bareAddress } from '../../api/bare-address.ts';
import type { EmailStatus } from '../../api/email-status.ts';
import { domainOf } from '../model/addresses.ts';
import { type CampaignRow, selectCampaign } from '../model/campaign/campaigns.ts';
import { type BookRow, bookColumns } from '../model/contact/contact-books.ts';
import {
  bookExists,
  type ContactRow,
  isPending,
  selectContact,
} from '../model/contact/contacts.ts';
import { type SegmentRow, selectSegment } from '../model/contact/segments.ts';
import { changedRecords } from '../model/dns-changes.ts';
import { type DomainRow, domainIdOf, selectDomain, verificationEnd } from '../model/domains.ts';
import type { EmailColumns } from '../model/email/emails.ts';
import { iso, isoDates } from '../model/iso.ts';
import { dueAt } from '../model/jobs.ts';
import { type ReputationEventRow, selectReputationEvent } from '../model/reputation-events.ts';
import { selectTemplate, type TemplateRow } from '../model/templates.ts';
import type { Store } from '../store/store.ts';
import type { SectionName, SeedText } from './seed-file.ts';

/** One entry of a list of the file, with all fields. */
type Written<Name extends SectionName> = Complete<NonNullable<SeedText[Name]>[number]>;

type Complete<Entry> = { readonly [Field in keyof Entry]-?: Entry[Field] | null | undefined };

/**
 * All data of the account at one moment, as a seed file in pieces of text that are created on demand. Seeding
 * it into an empty sandbox gives the same export again. It omits keys, idempotency records, recorded
 * requests, unread marks, queued contacts, the clock and deliveries over SMTP.
 */
export function exportPieces(store: Store): Iterable<string> {
  return store.snapshot(() => pieces(store));
}

function* pieces(store: Store): Generator<string> {
  const sections: Readonly<Record<SectionName, Iterable<object>>> = {
    domains: domains(store),
    dnsRecords: changedRecords(store),
    books: books(store),
    contacts: contacts(store),
    segments: segments(store),
    templates: templates(store),
    campaigns: campaigns(store),
    messages: messages(store),
    suppressions: suppressions(store),
    reputationEvents: reputationEvents(store),
  };
  let opening = '{\n';
  for (const [name, entries] of Object.entries(sections)) {
    yield `${opening}  ${JSON.stringify(name)}: [`;
    let separator = '\n';
    for (const entry of entries) {
      yield `${separator}    ${JSON.stringify(withoutEmpty(entry))}`;
      separator = ',\n';
    }
    yield separator === '\n' ? ']' : '\n  ]';
    opening = ',\n';
  }
  yield '\n}\n';
}

/** Omits values that are defaults of a seed. */
function withoutEmpty(entry: object): object {
  return Object.fromEntries(Object.entries(entry).filter(([, value]) => !isEmpty(value)));
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined) return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

function* domains(store: Store): Generator<Written<'domains'>> {
  for (const stored of store.all<DomainRow>(`${selectDomain} ORDER BY id`)) {
    const { publicKey: _, isVerifying: __, lastCheckedAt, ...row } = stored;
    const { hasEverVerified, dmarcAdded, ...domain } = row;
    yield {
      ...domain,
      ...{ hasEverVerified, dmarcAdded },
      lastCheckedTime: iso(lastCheckedAt),
      verifiesAt: iso(verificationEnd(store, row.id)),
      ...isoDates(row),
    };
  }
}

function* books(store: Store): Generator<Written<'books'>> {
  const rows = store.all<BookRow>(`SELECT ${bookColumns} FROM contact_books ORDER BY id`);
  for (const row of rows) {
    yield {
      ...row,
      doubleOptInEnabled: row.doubleOptInEnabled || undefined,
      ...isoDates(row),
    };
  }
}

function* contacts(store: Store): Generator<Written<'contacts'>> {
  for (const row of store.each<ContactRow>(`${selectContact} ORDER BY id`)) {
    const { bookId, unsubscribeReason: _, ...contact } = row;
    yield {
      ...contact,
      book: bookId,
      pending: isPending(row) || undefined,
      doubleOptInSentAt: iso(row.doubleOptInSentAt),
      ...isoDates(row),
    };
  }
}

function segments(store: Store): Written<'segments'>[] {
  // In order of creation, which matters for those of the same time.
  const rows = store.all<SegmentRow>(`${selectSegment} ORDER BY seq`);
  return rows.map(({ id, name, contactBookId, rules, createdAt }) => ({
    ...{ id, name, book: contactBookId, rules },
    createdAt: iso(createdAt),
  }));
}

function templates(store: Store): Written<'templates'>[] {
  // In order of creation, which matters for those of the same time.
  const rows = store.all<TemplateRow>(`${selectTemplate} ORDER BY seq`);
  return rows.map((row) => ({ ...row, ...isoDates(row) }));
}

function* campaigns(store: Store): Generator<Written<'campaigns'>> {
  // In order of creation, which matters for those of the same time.
  const rows = store.all<CampaignRow>(`${selectCampaign} ORDER BY seq`);
  for (const { sender, contactBookId, ...row } of rows) {
    const hasBook = bookExists(store, contactBookId);
    yield {
      ...row,
      from: sender,
      book: hasBook ? contactBookId : null,
      contactBookId: hasBook ? null : contactBookId,
      domainId: domainUnlessOf(store, sender, row.domainId),
      scheduledAt: iso(row.scheduledAt),
      nextBatchAt: iso(dueAt(store, 'campaign.batch', row.id)),
      lastSentAt: iso(row.lastSentAt),
      ...isoDates(row),
    };
  }
}

interface MessageRow extends EmailColumns {
  status: EmailStatus;
  domainId: number;
  campaignId: string | null;
  contactId: string | null;
  inReplyToId: string | null;
  headers: Record<string, string>;
  updatedAt: number;
  html: string | null;
  text: string | null;
}

const selectMessage = `SELECT id, sender, recipients, cc, bcc, reply_to, subject, latest_status AS status,
  scheduled_at, domain_id, campaign_id, contact_id, in_reply_to_id, headers, created_at, updated_at,
  html, text FROM emails`;

function* messages(store: Store): Generator<Written<'messages'>> {
  // As above.
  for (const row of store.each<MessageRow>(`${selectMessage} ORDER BY seq`)) {
    yield {
      id: row.id,
      at: iso(row.createdAt),
      updatedAt: iso(row.updatedAt),
      from: row.sender,
      to: [...row.recipients],
      cc: [...row.cc],
      bcc: [...row.bcc],
      replyTo: [...row.replyTo],
      subject: row.subject,
      html: row.html,
      text: row.text,
      headers: row.headers,
      attachments: attachments(store, row.id),
      source: sourceOf(store, row.id),
      scheduledAt: iso(row.scheduledAt),
      inReplyToId: row.inReplyToId,
      campaignId: row.campaignId,
      contactId: row.contactId,
      unsubscribedAt: row.campaignId === null ? null : unsubscribedAt(store, row.id),
      domainId: domainUnlessOf(store, row.sender, row.domainId),
      status: row.status,
      events: history(store, row.id),
    };
  }
}

function attachments(store: Store, emailId: string): Written<'messages'>['attachments'] {
  return store
    .all<{ filename: string; content: Uint8Array }>(
      'SELECT filename, content FROM attachments WHERE email_id = ? ORDER BY position',
      emailId,
    )
    .map(({ filename, content }) => ({
      filename,
      content: Buffer.from(content).toString('base64'),
    }));
}

/** The message as received over SMTP; null if it was not. */
function sourceOf(store: Store, emailId: string): string | null {
  const sql = 'SELECT content FROM sources WHERE email_id = ?';
  const source = store.value<Uint8Array>(sql, emailId);
  return source === undefined ? null : Buffer.from(source).toString('base64');
}

/** When the link of an email unsubscribed its contact. */
function unsubscribedAt(store: Store, emailId: string): string | null {
  const sql = 'SELECT created_at FROM unsubscriptions WHERE email_id = ?';
  return iso(store.value<number>(sql, emailId) ?? null);
}

/** The past and future events of an email. */
function history(store: Store, emailId: string): Written<'messages'>['events'] {
  return store
    .all<{
      status: EmailStatus;
      recipient: string;
      at: number;
      data: Record<string, unknown> | null;
    }>(
      `SELECT status, recipient, created_at AS at, data FROM events WHERE email_id = ?
       UNION ALL
       SELECT detail ->> 'status', detail ->> 'recipient', due_at, detail -> 'data' FROM jobs
         WHERE subject = ? AND kind = 'email.report'
       ORDER BY at, status, recipient`,
      emailId,
      emailId,
    )
    .map(({ data, at, ...event }) => ({
      ...event,
      at: iso(at),
      ...(data === null ? {} : { data }),
    }));
}

function* suppressions(store: Store): Generator<Written<'suppressions'>> {
  const rows = store.all<{ address: string; reason: string; createdAt: number }>(
    'SELECT address, reason, created_at FROM suppressions ORDER BY address',
  );
  for (const row of rows) yield { ...row, createdAt: iso(row.createdAt) };
}

function* reputationEvents(store: Store): Generator<Written<'reputationEvents'>> {
  const rows = store.all<ReputationEventRow>(`${selectReputationEvent} ORDER BY id`);
  for (const row of rows) yield { ...row, createdAt: iso(row.createdAt) };
}

/** The id of a domain, unless it is that of the sender. */
function domainUnlessOf(store: Store, sender: string, domainId: number): number | null {
  const isOfSender = domainIdOf(store, domainOf(bareAddress(sender))) === domainId;
  return isOfSender ? null : domainId;
}
