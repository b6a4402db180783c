import type { UseSend } from 'usesend-js';
import type { OperationId } from '../../../src/api/operations.ts';
import { campaign, email } from '../harness.ts';

/** The parts of the client that have methods. */
export const resources = [
  'emails',
  'domains',
  'contacts',
  'contactBooks',
  'campaigns',
  'analytics',
] as const satisfies readonly (keyof UseSend)[];

export type Resource = (typeof resources)[number];

/** An operation outside the contract. */
type BeyondId = `beyond ${string}`;

export interface Method {
  /** The operation that the method calls; `never done` if live servers always return 404. */
  readonly operation: OperationId | BeyondId | 'never done';
  /** Calls it with valid input about something that does not exist. */
  call(client: UseSend): Promise<{ data: unknown; error: unknown }>;
}

const id = 'x123';

/**
 * Every method of the client that sends a request. The type check and methods.test.ts report a
 * method that a new version adds until it is listed here.
 */
export const methods: { [R in Resource]: Record<keyof UseSend[R] & string, Method> } = {
  emails: {
    send: { operation: 'email.send', call: ({ emails }) => emails.send(email()) },
    create: { operation: 'email.send', call: ({ emails }) => emails.create(email()) },
    batch: { operation: 'email.batch', call: ({ emails }) => emails.batch([email()]) },
    get: { operation: 'email.get', call: ({ emails }) => emails.get(id) },
    update: {
      operation: 'email.reschedule',
      call: ({ emails }) => emails.update(id, { scheduledAt: '2026-03-01T00:00:00Z' }),
    },
    cancel: { operation: 'email.cancel', call: ({ emails }) => emails.cancel(id) },
  },
  domains: {
    list: { operation: 'domain.list', call: ({ domains }) => domains.list() },
    create: {
      operation: 'domain.create',
      call: ({ domains }) => domains.create({ name: 'shop.test', region: 'us-east-1' }),
    },
    verify: { operation: 'domain.verify', call: ({ domains }) => domains.verify(99) },
    get: { operation: 'domain.get', call: ({ domains }) => domains.get(99) },
    delete: { operation: 'domain.delete', call: ({ domains }) => domains.delete(99) },
  },
  contacts: {
    create: {
      operation: 'contact.create',
      call: ({ contacts }) => contacts.create(id, { email: 'zoe@example.com' }),
    },
    get: { operation: 'contact.get', call: ({ contacts }) => contacts.get(id, id) },
    update: { operation: 'contact.update', call: ({ contacts }) => contacts.update(id, id, {}) },
    upsert: {
      operation: 'beyond contact.upsert',
      call: ({ contacts }) => contacts.upsert(id, id, { email: 'zoe@example.com' }),
    },
    bulkCreate: {
      operation: 'contact.bulkCreate',
      call: ({ contacts }) => contacts.bulkCreate(id, [{ email: 'zoe@example.com' }]),
    },
    bulkDelete: {
      operation: 'never done',
      call: ({ contacts }) => contacts.bulkDelete(id, { contactIds: [id] }),
    },
    delete: { operation: 'contact.delete', call: ({ contacts }) => contacts.delete(id, id) },
  },
  contactBooks: {
    list: { operation: 'contactBook.list', call: (client) => client.contactBooks.list() },
    get: { operation: 'contactBook.get', call: (client) => client.contactBooks.get(id) },
    create: {
      operation: 'contactBook.create',
      call: (client) => client.contactBooks.create({ name: 'Leads' }),
    },
    update: {
      operation: 'contactBook.update',
      call: (client) => client.contactBooks.update(id, { name: 'Leads' }),
    },
    delete: { operation: 'contactBook.delete', call: (client) => client.contactBooks.delete(id) },
  },
  campaigns: {
    create: { operation: 'campaign.create', call: (client) => client.campaigns.create(campaign()) },
    getAll: { operation: 'campaign.list', call: (client) => client.campaigns.getAll() },
    get: { operation: 'campaign.get', call: (client) => client.campaigns.get(id) },
    schedule: {
      operation: 'campaign.schedule',
      call: (client) => client.campaigns.schedule(id, {}),
    },
    pause: { operation: 'campaign.pause', call: (client) => client.campaigns.pause(id) },
    resume: { operation: 'campaign.resume', call: (client) => client.campaigns.resume(id) },
    delete: { operation: 'campaign.delete', call: (client) => client.campaigns.delete(id) },
  },
  analytics: {
    emailTimeSeries: {
      operation: 'stats.byDay',
      call: ({ analytics }) => analytics.emailTimeSeries({ days: '7' }),
    },
    reputationMetrics: {
      operation: 'stats.total',
      call: ({ analytics }) => analytics.reputationMetrics(),
    },
  },
};

/** Methods of the client itself, from which the others are built, for any endpoint. */
export const ownMethods = [
  'delete',
  'fetchRequest',
  'get',
  'mergeHeaders',
  'patch',
  'post',
  'put',
  'webhooks',
];
