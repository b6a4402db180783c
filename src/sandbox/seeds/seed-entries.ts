import { bareAddress } from '../../api/bare-address.ts';
import { addressList, domainOf } from '../model/addresses.ts';
import { countReceivers, planBatch } from '../model/campaign/campaign-run.ts';
import { defaultBatchSize, searchable } from '../model/campaign/campaigns.ts';
import { defaultEmoji } from '../model/contact/contact-books.ts';
import { unsubscribed } from '../model/contact/contacts.ts';
import { renderContent } from '../model/content/editor-content.ts';
import { awaitVerification, defaultRegion, publicKeyOf } from '../model/domains.ts';
import { removeJobs } from '../model/jobs.ts';
import type { Store, Value } from '../store/store.ts';
import type { Entry } from './seed-file.ts';

/** The reason why an entry cannot be stored. */
export class EntryProblem extends Error {}

/** Makes an id of what an entry is known by. */
export type MadeId = (what: string) => string;

/** Where seeds are put, and when, by the sandbox's clock. */
export interface SeedTarget {
  readonly store: Store;
  readonly now: number;
}

/** Stores a domain; without an id, the one of its name is replaced. Returns the id. */
export function seedDomain({ store, now }: SeedTarget, entry: Entry<'domains'>): number {
  const known = store.one<{ id: number }>('SELECT id FROM domains WHERE name = ?', entry.name);
  const { status = 'SUCCESS', createdAt = now, verifiesAt } = entry;
  const id = entry.id ?? known?.id ?? nextDomainId(store);
  upsert(store, 'domains', {
    id,
    name: entry.name,
    region: entry.region ?? defaultRegion,
    status,
    public_key: publicKeyOf(entry.name),
    dmarc_added: Number(entry.dmarcAdded ?? status === 'SUCCESS'),
    is_verifying: Number(verifiesAt !== undefined),
    error_message: entry.errorMessage ?? null,
    last_checked_at: entry.lastCheckedTime ?? null,
    created_at: createdAt,
    updated_at: entry.updatedAt ?? createdAt,
  });
  removeJobs(store, 'domain.verified', String(id));
  if (verifiesAt !== undefined) {
    awaitVerification(store, id, verifiesAt);
  }
  return id;
}

/** The id that SQLite would give. */
function nextDomainId(store: Store): number {
  const last = store.one<{ id: number }>(
    `SELECT max(coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'domains'), 0),
       coalesce((SELECT max(id) FROM domains), 0)) AS id`,
  );
  return (last?.id ?? 0) + 1;
}

/** Stores a contact book; without an id, the only one of its name is replaced. Returns the id. */
export function seedBook(
  { store, now }: SeedTarget,
  entry: Entry<'books'>,
  madeId: MadeId,
): string {
  const [known, ...others] = booksNamed(store, entry.name);
  const { createdAt = now } = entry;
  const id = entry.id ?? (known !== undefined && others.length === 0 ? known : madeId(entry.name));
  upsert(store, 'contact_books', {
    id,
    name: entry.name,
    emoji: entry.emoji ?? defaultEmoji,
    properties: JSON.stringify(entry.properties ?? {}),
    variables: JSON.stringify(entry.variables ?? []),
    double_opt_in_enabled: Number(entry.doubleOptInEnabled ?? false),
    double_opt_in_from: entry.doubleOptInFrom ?? null,
    double_opt_in_subject: entry.doubleOptInSubject ?? null,
    double_opt_in_content: entry.doubleOptInContent ?? null,
    created_at: createdAt,
    updated_at: entry.updatedAt ?? createdAt,
  });
  return id;
}

/** Stores a contact; without an id, the one of its address in its book is replaced. */
export function seedContact(
  { store, now }: SeedTarget,
  entry: Entry<'contacts'>,
  madeId: MadeId,
): string {
  const bookId = bookOf(store, entry.book);
  const known = store.one<{ id: string }>(
    'SELECT id FROM contacts WHERE book_id = ? AND email = ?',
    bookId,
    entry.email,
  );
  const { pending = false, subscribed = !pending, createdAt = now } = entry;
  const id = entry.id ?? known?.id ?? madeId(`${bookId} ${entry.email}`);
  upsert(store, 'contacts', {
    id,
    book_id: bookId,
    email: entry.email,
    first_name: entry.firstName ?? null,
    last_name: entry.lastName ?? null,
    properties: JSON.stringify(entry.properties ?? {}),
    subscribed: Number(subscribed),
    unsubscribe_reason: subscribed || pending ? null : unsubscribed,
    created_at: createdAt,
    updated_at: entry.updatedAt ?? createdAt,
  });
  return id;
}

/** Stores a template and returns its id. */
export function seedTemplate(
  { store }: SeedTarget,
  entry: Entry<'templates'>,
  madeId: MadeId,
): string {
  const id = entry.id ?? madeId(entry.name);
  const { name, subject, html } = entry;
  upsert(store, 'templates', { id, name, subject, html });
  return id;
}

/** Puts an address on the suppression list. */
export function seedSuppression({ store, now }: SeedTarget, entry: Entry<'suppressions'>): string {
  const address = bareAddress(entry.address);
  const { reason, createdAt = now } = entry;
  upsert(store, 'suppressions', { address, reason, created_at: createdAt }, 'address');
  return address;
}

/** Stores a campaign; a SCHEDULED or RUNNING one continues. Returns the id. */
export function seedCampaign(
  { store, now }: SeedTarget,
  entry: Entry<'campaigns'>,
  madeId: MadeId,
): string {
  const id = entry.id ?? madeId(entry.name);
  const bookId = entry.contactBookId ?? bookOf(store, entry.book ?? '');
  const { status = 'DRAFT', createdAt = now, content = null } = entry;
  const goesOn = status === 'SCHEDULED' || status === 'RUNNING';
  upsert(store, 'campaigns', {
    id,
    name: entry.name,
    sender: entry.from,
    subject: entry.subject,
    search_text: searchable(`${entry.name}\n${entry.subject}`),
    preview_text: entry.previewText ?? null,
    contact_book_id: bookId,
    domain_id: entry.domainId ?? domainOfSender(store, entry.from),
    html:
      entry.html ??
      (content === null || status === 'DRAFT' ? null : renderContent(content)) ??
      null,
    content,
    reply_to: JSON.stringify(addressList(entry.replyTo)),
    cc: JSON.stringify(addressList(entry.cc)),
    bcc: JSON.stringify(addressList(entry.bcc)),
    status,
    scheduled_at: entry.scheduledAt ?? null,
    batch_size: entry.batchSize ?? defaultBatchSize,
    batch_window_minutes: entry.batchWindowMinutes ?? 0,
    last_cursor: entry.lastCursor ?? null,
    last_sent_at: entry.lastSentAt ?? null,
    total: entry.total ?? (goesOn ? countReceivers(store, bookId) : 0),
    sent: entry.sent ?? 0,
    delivered: entry.delivered ?? 0,
    opened: entry.opened ?? 0,
    clicked: entry.clicked ?? 0,
    unsubscribed: entry.unsubscribed ?? 0,
    bounced: entry.bounced ?? 0,
    hard_bounced: entry.hardBounced ?? 0,
    complained: entry.complained ?? 0,
    created_at: createdAt,
    updated_at: entry.updatedAt ?? createdAt,
  });
  removeJobs(store, 'campaign.batch', id);
  if (goesOn) planBatch(store, id, entry.nextBatchAt ?? entry.scheduledAt ?? now);
  return id;
}

/** Stores a change of the account's deliverability state. Returns the id. */
export function seedReputationEvent(
  { store, now }: SeedTarget,
  entry: Entry<'reputationEvents'>,
  madeId: MadeId,
): string {
  const id = entry.id ?? madeId(JSON.stringify(entry));
  upsert(store, 'reputation_events', {
    id,
    from_state: entry.fromState,
    to_state: entry.toState,
    bounce_rate: entry.bounceRate,
    sample_size: entry.sampleSize,
    actor: entry.actor,
    reason: entry.reason ?? null,
    created_at: entry.createdAt ?? now,
  });
  return id;
}

/** The id of the sender's domain, verified or not. */
export function domainOfSender(store: Store, sender: string): number {
  const name = domainOf(bareAddress(sender));
  const domain = store.one<{ id: number }>('SELECT id FROM domains WHERE name = ?', name);
  if (domain !== undefined) return domain.id;
  throw new EntryProblem(`the domain of its sender, ${name}, is missing: add it under "domains"`);
}

/** The id of the book that is meant by an id or a name. */
function bookOf(store: Store, idOrName: string): string {
  const byId = store.one<{ id: string }>('SELECT id FROM contact_books WHERE id = ?', idOrName);
  const [found, ...others] = byId === undefined ? booksNamed(store, idOrName) : [byId.id];
  if (found === undefined) throw new EntryProblem(`there is no contact book "${idOrName}"`);
  if (others.length === 0) return found;
  throw new EntryProblem(`there are ${others.length + 1} contact books "${idOrName}"; use its id`);
}

function booksNamed(store: Store, name: string): string[] {
  return store
    .all<{ id: string }>('SELECT id FROM contact_books WHERE name = ?', name)
    .map(({ id }) => id);
}

/** Stores a row, replacing one with the same key. The names are those of the tables, not input. */
function upsert(store: Store, table: string, row: Record<string, Value>, key = 'id'): void {
  const columns = Object.keys(row);
  const changes = columns.map((column) => `${column} = excluded.${column}`).join(', ');
  store.run(
    `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
     ON CONFLICT (${key}) DO UPDATE SET ${changes}`,
    ...Object.values(row),
  );
}
