import { bareAddress } from '../../api/bare-address.ts';
import { domainOf } from '../model/addresses.ts';
import { countReceivers, planBatch } from '../model/campaign/campaign-run.ts';
import { campaignColumns } from '../model/campaign/campaigns.ts';
import { defaultEmoji } from '../model/contact/contact-books.ts';
import { bookExists, unsubscribed } from '../model/contact/contacts.ts';
import { renderContent } from '../model/content/editor-content.ts';
import { changeRecords } from '../model/dns-changes.ts';
import { awaitVerification, domainIdOf, publicKeyOf } from '../model/domains.ts';
import { removeJobs } from '../model/jobs.ts';
import type { Store } from '../store/store.ts';
import type { Entry } from './seed-file.ts';

/** The reason why an entry cannot be stored. */
export class EntryProblem extends Error {}

/** Derives an id from what identifies an entry. */
export type MadeId = (what: string) => string;

/** The sandbox's data and time. */
export interface SeedTarget {
  readonly store: Store;
  readonly now: number;
}

/** Stores a domain; without an id, it replaces the one with its name. Returns the id. */
export function seedDomain({ store, now }: SeedTarget, entry: Entry<'domains'>): number {
  const { status = 'SUCCESS', createdAt = now, verifiesAt } = entry;
  const id = entry.id ?? domainIdOf(store, entry.name) ?? nextDomainId(store);
  const row = {
    id,
    name: entry.name,
    region: entry.region ?? 'us-east-1',
    status,
    publicKey: publicKeyOf(entry.name),
    dmarcAdded: entry.dmarcAdded ?? status === 'SUCCESS',
    isVerifying: verifiesAt !== undefined,
    errorMessage: entry.errorMessage,
    lastCheckedAt: entry.lastCheckedTime,
    hasEverVerified: entry.hasEverVerified ?? status === 'SUCCESS',
    createdAt,
    updatedAt: entry.updatedAt ?? createdAt,
  };
  store.insert('domains', row, 'id');
  removeJobs(store, 'domain.verified', String(id));
  if (verifiesAt !== undefined) awaitVerification(store, id, verifiesAt);
  return id;
}

/** Sets the DNS records of one name and type, and returns the text that identifies them. */
export function seedDnsRecords({ store }: SeedTarget, entry: Entry<'dnsRecords'>): string {
  changeRecords(store, entry);
  return `${entry.type} ${entry.name}`;
}

/** The id that SQLite would assign. */
function nextDomainId(store: Store): number {
  const last = "SELECT seq FROM sqlite_sequence WHERE name = 'domains'";
  return (store.value<number>(last) ?? 0) + 1;
}

/** Stores a contact book; without an id, it replaces the only one with its name. Returns the id. */
export function seedBook({ store, now }: SeedTarget, entry: Entry<'books'>, madeId: MadeId) {
  const [known, ...others] = booksNamed(store, entry.name);
  const { createdAt = now } = entry;
  const id = entry.id ?? (known !== undefined && others.length === 0 ? known : madeId(entry.name));
  const row = {
    id,
    name: entry.name,
    emoji: entry.emoji ?? defaultEmoji,
    properties: entry.properties ?? {},
    variables: entry.variables ?? [],
    doubleOptInEnabled: entry.doubleOptInEnabled ?? false,
    doubleOptInFrom: entry.doubleOptInFrom,
    doubleOptInSubject: entry.doubleOptInSubject,
    doubleOptInContent: entry.doubleOptInContent,
    createdAt,
    updatedAt: entry.updatedAt ?? createdAt,
  };
  store.insert('contact_books', row, 'id');
  return id;
}

/** Stores a contact; without an id, it replaces the one with its address in its book. */
export function seedContact({ store, now }: SeedTarget, entry: Entry<'contacts'>, madeId: MadeId) {
  const bookId = bookOf(store, entry.book);
  const sql = 'SELECT id FROM contacts WHERE book_id = ? AND email = ?';
  const { pending = false, subscribed = !pending, createdAt = now } = entry;
  const known = entry.id ?? store.value<string>(sql, bookId, entry.email);
  const id = known ?? madeId(`${bookId} ${entry.email}`);
  const row = {
    id,
    bookId,
    email: entry.email,
    firstName: entry.firstName,
    lastName: entry.lastName,
    properties: entry.properties ?? {},
    subscribed,
    unsubscribeReason: subscribed || pending ? null : unsubscribed,
    doubleOptInSentAt: entry.doubleOptInSentAt,
    createdAt,
    updatedAt: entry.updatedAt ?? createdAt,
  };
  store.insert('contacts', row, 'id');
  return id;
}

/** Stores a segment and returns its id. */
export function seedSegment(
  { store, now }: SeedTarget,
  { name, book, rules, createdAt = now, ...entry }: Entry<'segments'>,
  madeId: MadeId,
) {
  const { id = madeId(name) } = entry;
  const contactBookId = book && bookOf(store, book);
  store.insert('segments', { id, name, contactBookId, rules, createdAt }, 'id');
  return id;
}

/** Stores a template and returns its id. */
export function seedTemplate(
  { store, now }: SeedTarget,
  { createdAt = now, ...entry }: Entry<'templates'>,
  madeId: MadeId,
) {
  const { id = madeId(entry.name), html, content, updatedAt = createdAt } = entry;
  store.insert('templates', { ...entry, id, html, content, createdAt, updatedAt }, 'id');
  return id;
}

/** Puts an address on the suppression list. */
export function seedSuppression({ store, now }: SeedTarget, entry: Entry<'suppressions'>): string {
  const address = bareAddress(entry.address);
  const { reason, createdAt = now } = entry;
  store.insert('suppressions', { address, reason, createdAt }, 'address');
  return address;
}

/** Stores a campaign; a SCHEDULED or RUNNING one is sent. Returns the id. */
export function seedCampaign(
  { store, now }: SeedTarget,
  entry: Entry<'campaigns'>,
  madeId: MadeId,
) {
  const id = entry.id ?? madeId(entry.name);
  const bookId = entry.contactBookId ?? bookOf(store, entry.book ?? '');
  const { status = 'DRAFT', createdAt = now, content = null } = entry;
  const isActive = status === 'SCHEDULED' || status === 'RUNNING';
  const row = {
    id,
    ...campaignColumns(entry),
    contactBookId: bookId,
    domainId: entry.domainId ?? domainOfSender(store, entry.from),
    html:
      entry.html ??
      (content === null || status === 'DRAFT' ? null : renderContent(content)) ??
      null,
    status,
    scheduledAt: entry.scheduledAt,
    batchWindowMinutes: entry.batchWindowMinutes ?? 0,
    lastCursor: entry.lastCursor,
    lastSentAt: entry.lastSentAt,
    total: entry.total ?? (isActive ? countReceivers(store, bookId) : 0),
    sent: entry.sent ?? 0,
    delivered: entry.delivered ?? 0,
    opened: entry.opened ?? 0,
    clicked: entry.clicked ?? 0,
    unsubscribed: entry.unsubscribed ?? 0,
    bounced: entry.bounced ?? 0,
    hardBounced: entry.hardBounced ?? 0,
    complained: entry.complained ?? 0,
    createdAt,
    updatedAt: entry.updatedAt ?? createdAt,
  };
  store.insert('campaigns', row, 'id');
  removeJobs(store, 'campaign.batch', id);
  if (isActive) planBatch(store, id, entry.nextBatchAt ?? entry.scheduledAt ?? now);
  return id;
}

/** Stores a change of the account's deliverability state. Returns the id. */
export function seedReputationEvent(
  { store, now }: SeedTarget,
  entry: Entry<'reputationEvents'>,
  madeId: MadeId,
): string {
  const id = entry.id ?? madeId(JSON.stringify(entry));
  const { reason, createdAt = now } = entry;
  store.insert('reputation_events', { ...entry, id, reason, createdAt }, 'id');
  return id;
}

/** The id of the sender's domain, verified or not. */
export function domainOfSender(store: Store, sender: string): number {
  const name = domainOf(bareAddress(sender));
  const id = domainIdOf(store, name);
  if (id !== undefined) return id;
  throw new EntryProblem(`the domain of its sender, ${name}, is missing: add it under "domains"`);
}

/** The id of the book with this id or name. */
function bookOf(store: Store, idOrName: string): string {
  const isId = bookExists(store, idOrName);
  const [found, ...others] = isId ? [idOrName] : booksNamed(store, idOrName);
  if (found === undefined) throw new EntryProblem(`there is no contact book "${idOrName}"`);
  if (others.length === 0) return found;
  throw new EntryProblem(`there are ${others.length + 1} contact books "${idOrName}"; use its id`);
}

function booksNamed(store: Store, name: string): string[] {
  return store
    .all<{ id: string }>('SELECT id FROM contact_books WHERE name = ?', name)
    .map(({ id }) => id);
}
