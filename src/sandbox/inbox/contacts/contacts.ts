import type { Hono } from 'hono';
import { html } from 'hono/html';
import type { AccountService } from '../../http/account-service.ts';
import { type ContactRow, isPending, selectContact } from '../../model/contact/contacts.ts';
import { whereOf } from '../../store/where.ts';
import { badge } from '../page/badge.ts';
import type { Html } from '../page/html.ts';
import { moment } from '../page/moment.ts';
import { count, pager, queryUrl, readPage } from '../page/paging.ts';
import { searchedFor, searchForm } from '../page/search-form.ts';
import { type Asked, type SectionPage, sectionPages } from '../page/section.ts';
import { table } from '../page/table.ts';
import { brief, dash, plural, truncated } from '../page/words.ts';

interface BookRow {
  id: string;
  name: string;
  emoji: string;
  createdAt: number;
  contacts: number;
  subscribers: number;
}

const selectBook = `SELECT id, name, emoji, created_at,
  (SELECT count(*) FROM contacts WHERE book_id = contact_books.id) AS contacts,
  (SELECT count(*) FROM contacts WHERE book_id = contact_books.id AND subscribed = 1) AS subscribers
  FROM contact_books`;

function none(): Html {
  return html`<div class="empty"><p>There are no contact books yet. Create one:</p>
<pre class="wrap">mailer api POST /v1/contactBooks --sandbox -f name=Customers</pre></div>`;
}

/** The contact books, and the contacts of each. */
export function contactPages(service: AccountService): Hono {
  return sectionPages(service, '/contacts', {
    list,
    find: (store, id) => store.one<BookRow>(`${selectBook} WHERE id = ?`, id),
    show: bookPage,
  });
}

function list({ store, query, now }: Asked): SectionPage {
  const { rows: books, paging } = readPage<BookRow>(store, query.page, {
    sql: selectBook,
    order: 'created_at DESC, id',
  });
  const body = html`<h1>Contact books</h1>
${books.length === 0 ? none() : bookTable(books, now)}
${pager(paging)}`;
  return { title: 'Contact books', body };
}

function bookTable(books: readonly BookRow[], now: number): Html {
  return table({
    caption: 'Contact books, newest first',
    columns: ['Book', 'Contacts', 'Subscribed', 'Unsubscribed', 'Created'],
    numbers: ['Contacts', 'Subscribed', 'Unsubscribed'],
    rows: books.map((book) => [
      html`<span aria-hidden="true">${truncated(book.emoji, 8)}</span> <a href="/contacts/${encodeURIComponent(book.id)}">${brief(book.name)}</a>`,
      count(book.contacts),
      count(book.subscribers),
      count(book.contacts - book.subscribers),
      moment(book.createdAt, now),
    ]),
  });
}

const states = [
  ['', 'All'],
  ['subscribed', 'Subscribed'],
  ['unsubscribed', 'Unsubscribed'],
] as const;

/** The columns that a search examines. */
const searched = ['email', 'first_name', 'last_name', 'properties']
  .map((column) => `instr(lower(${column}), sought)`)
  .join(' OR ');

function bookPage(book: BookRow, { store, query, now }: Asked): SectionPage {
  const q = searchedFor(query.q);
  const state = states.find(([value]) => value === query.state)?.[0] ?? '';
  const { where, values } = whereOf([
    ['book_id = ?', book.id],
    ['subscribed = ?', state === '' ? undefined : state === 'subscribed'],
    [`EXISTS (SELECT 1 FROM (SELECT lower(?) AS sought) WHERE ${searched})`, q],
  ]);
  const { rows: contacts, paging } = readPage<ContactRow>(store, query.page, {
    sql: `${selectContact} ${where}`,
    order: 'id',
    values,
  });
  return {
    title: truncated(book.name),
    body: html`<div class="heading"><p class="up"><a href="/contacts">All contact books</a></p>
<h1><span aria-hidden="true">${truncated(book.emoji, 8)}</span> ${brief(book.name)}</h1>
<p class="muted">${plural(book.contacts, 'contact')}, ${count(book.subscribers)} subscribed. ID <code>${book.id}</code></p>
</div>
<div class="tools">
${searchForm({ label: 'Search addresses, names, properties', value: q, keep: { state } })}
<nav class="choice" aria-label="Subscription">${states.map(
      ([value, name]) =>
        html`<a href="${queryUrl({ q, state: value })}"${value === state ? html` aria-current="true"` : ''}>${name}</a>`,
    )}</nav>
</div>
${contacts.length === 0 ? html`<p>No contacts found.</p>` : contactTable(contacts, now)}
${pager(paging, { q, state })}`,
  };
}

function subscription(contact: ContactRow): Html {
  if (contact.subscribed) return badge('Subscribed', 'good');
  return isPending(contact) ? badge('Not confirmed', 'warn') : badge('Unsubscribed', 'warn');
}

function contactTable(contacts: readonly ContactRow[], now: number): Html {
  return table({
    caption: 'Contacts of this book',
    columns: ['Address', 'Name', 'Subscription', 'Properties', 'Changed', 'Messages'],
    rows: contacts.map((contact) => [
      brief(contact.email),
      nameOf(contact),
      subscription(contact),
      properties(contact),
      moment(contact.updatedAt, now),
      html`<a href="/?${new URLSearchParams({ q: contact.email })}" aria-label="Messages to ${truncated(contact.email)}">Show</a>`,
    ]),
  });
}

function nameOf({ firstName, lastName }: ContactRow): Html {
  const name = [firstName, lastName].filter((part) => part !== null && part !== '').join(' ');
  return name === '' ? dash : brief(name);
}

/** The most properties shown of a contact. */
const propertiesShown = 12;

function properties(contact: ContactRow): Html {
  const all = Object.entries(contact.properties);
  if (all.length === 0) return dash;
  const more = all.length - propertiesShown;
  return html`<ul class="properties">${all
    .slice(0, propertiesShown)
    .map(
      ([name, value]) =>
        html`<li><span class="muted">${brief(name, 80)}</span> ${brief(value)}</li>`,
    )}
${more > 0 ? html`<li class="muted">and ${count(more)} more</li>` : ''}</ul>`;
}
