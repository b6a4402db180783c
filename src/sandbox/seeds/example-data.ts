import { storeBook } from '../model/contact/contact-books.ts';
import { storeContact } from '../model/contact/contacts.ts';
import { storeDomain, verifiedDomainOf } from '../model/domains.ts';
import { storeEmail } from '../model/email/emails.ts';
import type { Store } from '../store/store.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Fills empty tables with the example data, its dates counted back from `now`. Call it in a
 * transaction. The ids are part of the sandbox's documentation.
 */
export function storeExamples(store: Store, now: number): void {
  seedDomains(store, now);
  seedBook(store, now);
  seedTemplate(store);
  seedReputation(store, now);
  seedEmails(store, now);
}

function seedDomains(store: Store, now: number): void {
  const createdAt = now - 60 * day;
  storeDomain(store, { name: 'example.com', status: 'SUCCESS', dmarcAdded: true, createdAt });
  storeDomain(store, { name: 'example.org', status: 'PENDING', createdAt: now - day });
  storeDomain(store, { name: 'example.net', status: 'NOT_STARTED', createdAt: now - hour });
}

/** First name, last name, plan, outcome of their mail. */
const people = [
  ['Ana', 'Silva', 'pro', 'delivered'],
  ['Ben', 'Okafor', 'free', 'opened'],
  ['Chloe', 'Martin', 'pro', 'clicked'],
  ['Dmitri', 'Ivanov', 'free', 'bounced'],
  ['Elif', 'Kaya', 'team', 'delivered'],
  ['Farid', 'Haddad', 'team', 'opened'],
  ['Grace', 'Lee', 'free', 'complained'],
  ['Hugo', 'Garcia', 'pro', 'delayed'],
  ['Ines', 'Costa', 'pro', 'clicked'],
  ['Jonas', 'Berg', 'free', 'delivered'],
  ['Keiko', 'Tanaka', 'team', 'opened'],
  ['Liam', 'Walsh', 'free', 'delivered'],
] as const;

function seedBook(store: Store, now: number): void {
  const at = now - 50 * day;
  const book = { name: 'Customers', variables: ['plan'], doubleOptInEnabled: false };
  const bookId = storeBook(store, book, at, 'book_customers');
  for (const [firstName, lastName, plan, outcome] of people) {
    const name = firstName.toLowerCase();
    const email = `${outcome}+${name}@example.com`;
    const contact = { bookId, email, firstName, lastName, properties: { plan } };
    storeContact(store, { ...contact, subscribed: name !== 'liam' }, at, `contact_${name}`);
  }
}

function seedTemplate(store: Store): void {
  store.run(
    'INSERT INTO templates (id, name, subject, html) VALUES (?, ?, ?, ?)',
    'tmpl_welcome',
    'Welcome',
    'Welcome, {{name,fallback=friend}}!',
    '<h1>Welcome, {{name,fallback=friend}}!</h1><p>It is good to have you here.</p>',
  );
}

/** Days ago, states, bounce rate in percent, sample size, actor, reason. */
const reputation = [
  [45, 'HEALTHY', 'WARNING', 5.214, 1419, 'system', 'Bounce rate above 5%'],
  [43, 'WARNING', 'HEALTHY', 3.871, 1602, 'system', null],
  [30, 'HEALTHY', 'WARNING', 6.02, 1844, 'system', 'Bounce rate above 5%'],
  [29, 'WARNING', 'CRITICAL', 8.347, 1965, 'system', 'Bounce rate above 8%'],
  [28, 'CRITICAL', 'BLOCKED', 10.125, 2074, 'system', 'Bounce rate above 10%'],
  [26, 'BLOCKED', 'SUPERVISED', 10.125, 2074, 'suporte', 'List cleaned, sending under review'],
  [14, 'SUPERVISED', 'WARNING', 5.5, 2400, 'suporte', 'Review ended'],
  [7, 'WARNING', 'HEALTHY', 1.943, 3088, 'system', null],
] as const;

function seedReputation(store: Store, now: number): void {
  for (const [index, event] of reputation.entries()) {
    const [daysAgo, from, to, bounceRate, sampleSize, actor, reason] = event;
    store.run(
      `INSERT INTO reputation_events (id, from_state, to_state, bounce_rate, sample_size, actor,
         reason, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      `rep_${index + 1}`,
      from,
      to,
      bounceRate,
      sampleSize,
      actor,
      reason,
      now - daysAgo * day,
    );
  }
}

/** Id, recipient, subject, text, milliseconds ago. */
const emails = [
  [
    'email_welcome',
    'opened+ben@example.com',
    'Welcome, Ben!',
    'It is good to have you here.',
    2 * day,
  ],
  [
    'email_receipt',
    'delivered+ana@example.com',
    'Your receipt',
    'Thank you for your order.',
    3 * hour,
  ],
] as const;

/** Their events are processed by the first request, with their own times. */
function seedEmails(store: Store, now: number): void {
  for (const [id, to, subject, text, ago] of emails) {
    const email = {
      from: 'Example Shop <shop@example.com>',
      to: [to],
      cc: [],
      bcc: [],
      replyTo: [],
      subject,
      html: null,
      text,
      domainId: verifiedDomainOf(store, 'shop@example.com'),
      scheduledAt: null,
    };
    storeEmail(store, email, now - ago, id);
  }
}
