import * as z from 'zod';
import { mailbox, text } from '../../api/fields.ts';
import { operation } from '../../api/operation.ts';
import { operations } from '../../api/operations.ts';
import { type Route, route } from '../call.ts';
import { findCampaign, pauseCampaign, shownCampaign } from '../campaigns.ts';
import { findBook, listBooks, storeBook } from '../contact-books.ts';
import {
  type ContactRow,
  checkBook,
  findContact,
  propertiesOf,
  selectContact,
  storeContact,
} from '../contacts.ts';
import { findDomain, storeDomain } from '../domains.ts';
import { ApiError, BareNotFound } from '../errors.ts';

/**
 * Operations that live servers have and the specification has not, for clients that set up what
 * they need: shapes as in the types of the npm package `usesend-js`.
 */

const anyReply = z.unknown();
const strings = z.record(z.string(), z.string());
const inBook = z.strictObject({ contactBookId: text });
const ofContact = z.strictObject({ contactBookId: text, contactId: text });
const ofCampaign = z.strictObject({ campaignId: text });
const ofDomain = z.strictObject({ id: z.int().min(1) });
const contactFields = {
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  properties: strings.optional(),
  subscribed: z.boolean().optional(),
};

const createBook = operation({
  id: 'contactBook.create',
  method: 'POST',
  path: '/v1/contactBooks',
  effect: 'writes',
  repeat: 'unsent',
  input: z.strictObject({
    body: z.strictObject({
      name: text,
      emoji: z.string().optional(),
      properties: strings.optional(),
      variables: z.array(z.string()).optional(),
    }),
  }),
  reply: anyReply,
});

const listAllBooks = operation({
  id: 'contactBook.list',
  method: 'GET',
  path: '/v1/contactBooks',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({}),
  reply: anyReply,
});

const getBook = operation({
  id: 'contactBook.get',
  method: 'GET',
  path: '/v1/contactBooks/{contactBookId}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: inBook }),
  reply: anyReply,
});

const createContact = operation({
  id: 'contact.create',
  method: 'POST',
  path: '/v1/contactBooks/{contactBookId}/contacts',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({
    params: inBook,
    body: z.strictObject({ email: mailbox, ...contactFields }),
  }),
  reply: anyReply,
});

const listContacts = operation({
  id: 'contact.list',
  method: 'GET',
  path: '/v1/contactBooks/{contactBookId}/contacts',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({
    params: inBook,
    query: z.strictObject({
      page: z.int().min(1).optional(),
      limit: z.int().min(1).max(5000).optional(),
      emails: z.string().optional(),
      ids: z.string().optional(),
    }),
  }),
  reply: anyReply,
});

const getContact = operation({
  id: 'contact.get',
  method: 'GET',
  path: '/v1/contactBooks/{contactBookId}/contacts/{contactId}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: ofContact }),
  reply: anyReply,
});

const createDomain = operation({
  id: 'domain.create',
  method: 'POST',
  path: '/v1/domains',
  effect: 'writes',
  repeat: 'unsent',
  input: z.strictObject({
    body: z.strictObject({
      name: z.string().regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i),
      region: z.string().optional(),
    }),
  }),
  reply: anyReply,
});

const getDomain = operation({
  id: 'domain.get',
  method: 'GET',
  path: '/v1/domains/{id}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: ofDomain }),
  reply: anyReply,
});

const getCampaign = operation({
  id: 'campaign.get',
  method: 'GET',
  path: '/v1/campaigns/{campaignId}',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({ params: ofCampaign }),
  reply: anyReply,
});

const pause = operation({
  id: 'campaign.pause',
  method: 'POST',
  path: '/v1/campaigns/{campaignId}/pause',
  effect: 'writes',
  repeat: 'harmless',
  input: z.strictObject({ params: ofCampaign }),
  reply: anyReply,
});

const getDocument = operation({
  id: 'doc',
  method: 'GET',
  path: '/v1/doc',
  effect: 'reads',
  repeat: 'harmless',
  input: z.strictObject({}),
  reply: anyReply,
});

/** The routes outside the contract. */
export const beyondRoutes: readonly Route[] = [
  route(createBook, ({ store, now, input: { body } }) =>
    store.write(() => findBook(store, storeBook(store, body, now))),
  ),
  route(listAllBooks, ({ store }) => listBooks(store)),
  route(getBook, ({ store, input }) => findBook(store, input.params.contactBookId)),
  route(createContact, ({ store, now, input: { params, body } }) =>
    store.write(() => {
      checkBook(store, params.contactBookId);
      return { contactId: storeContact(store, { ...body, bookId: params.contactBookId }, now) };
    }),
  ),
  route(listContacts, ({ store, input: { params, query } }) => {
    checkBook(store, params.contactBookId);
    const limit = query.limit ?? 5000;
    return store
      .all<ContactRow>(
        `${selectContact} WHERE book_id = ?
           AND (? IS NULL OR id IN (SELECT value FROM json_each(?)))
           AND (? IS NULL OR email IN (SELECT value FROM json_each(?)))
         ORDER BY id LIMIT ? OFFSET ?`,
        params.contactBookId,
        ...twice(commaList(query.ids)),
        ...twice(commaList(query.emails)),
        limit,
        ((query.page ?? 1) - 1) * limit,
      )
      .map(shownContact);
  }),
  route(getContact, ({ store, input: { params } }) =>
    shownContact(findContact(store, params.contactBookId, params.contactId)),
  ),
  route(createDomain, ({ store, now, input: { body } }) =>
    store.write(() => {
      const name = body.name.toLowerCase();
      if (store.one('SELECT 1 FROM domains WHERE name = ?', name) !== undefined) {
        throw new ApiError('BAD_REQUEST', 'Domain already exists');
      }
      const region = body.region === undefined ? {} : { region: body.region };
      const id = storeDomain(store, { name, status: 'PENDING', createdAt: now, ...region });
      return findDomain(store, id);
    }),
  ),
  route(getDomain, ({ store, input }) => {
    const domain = findDomain(store, input.params.id);
    if (domain === undefined) throw new BareNotFound('Domain not found');
    return domain;
  }),
  route(getCampaign, ({ store, input }) =>
    shownCampaign(findCampaign(store, input.params.campaignId)),
  ),
  route(pause, ({ store, now, input }) => {
    store.write(() => pauseCampaign(store, input.params.campaignId, now));
    return { success: true };
  }),
  route(getDocument, async () => {
    const { openApi } = await import('../openapi.ts');
    const beyond = beyondRoutes.map(({ operation }) => operation);
    return openApi([...Object.values(operations), ...beyond]);
  }),
];

function commaList(text: string | undefined): string | null {
  return text === undefined ? null : JSON.stringify(text.split(','));
}

function twice(value: string | null): [string | null, string | null] {
  return [value, value];
}

function shownContact(row: ContactRow) {
  return {
    id: row.id,
    firstName: row.firstName,
    lastName: row.lastName,
    email: row.email,
    subscribed: row.subscribed === 1,
    properties: propertiesOf(row),
    contactBookId: row.bookId,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.updatedAt).toISOString(),
  };
}
