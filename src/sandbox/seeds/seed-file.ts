import * as z from 'zod';
import { campaignStatuses } from '../../api/campaign-status.ts';
import { domainStatuses } from '../../api/domain.ts';
import { emailStatuses } from '../../api/email-status.ts';
import { dateTime, headers, mailbox, mailboxes, pathId, text } from '../../api/fields.ts';

/**
 * What `sandbox seed` reads and `sandbox export` writes. Only what cannot be made up is needed:
 * an id that is left out is made of what the entry says, so that the same file gives the same ids,
 * and a time that is left out is now. Field names are those of the API where it has them.
 */

/** ISO 8601, read into milliseconds since 1970. */
const time = dateTime.transform((iso) => Date.parse(iso));
const maybe = z.string().nullish();
const maybeTime = time.nullish();
const count = z.int().min(0).optional();
const strings = z.record(z.string(), z.string());
const dates = { createdAt: time.optional(), updatedAt: time.optional() };
const domainName = z
  .string()
  .regex(/^([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/, 'must be a domain name in lower case');

const domain = z.strictObject({
  id: z.int().min(1).optional(),
  name: domainName,
  status: z.enum(domainStatuses).optional(),
  region: text.optional(),
  dmarcAdded: z.boolean().optional(),
  errorMessage: maybe,
  lastCheckedTime: maybeTime,
  /** When the verification that is under way ends. */
  verifiesAt: time.optional(),
  ...dates,
});

const book = z.strictObject({
  id: pathId.optional(),
  name: text,
  emoji: z.string().optional(),
  properties: strings.optional(),
  variables: z.array(z.string()).optional(),
  doubleOptInEnabled: z.boolean().optional(),
  doubleOptInFrom: mailbox.nullish(),
  doubleOptInSubject: maybe,
  doubleOptInContent: maybe,
  ...dates,
});

const contact = z.strictObject({
  id: pathId.optional(),
  /** Id or name of its contact book. */
  book: text,
  email: mailbox,
  firstName: maybe,
  lastName: maybe,
  properties: strings.optional(),
  subscribed: z.boolean().optional(),
  /** Not subscribed because it has not confirmed that yet, in a book with double opt-in. */
  pending: z.boolean().optional(),
  ...dates,
});

const template = z.strictObject({
  id: pathId.optional(),
  name: text,
  subject: z.string(),
  html: z.string(),
});

const campaignFields = z.strictObject({
  id: pathId.optional(),
  name: text,
  from: mailbox,
  subject: z.string(),
  previewText: maybe,
  /** Id or name of the contact book it writes to. */
  book: text.optional(),
  /** In place of `book`, the id of one that is not there any more. */
  contactBookId: text.optional(),
  /** The id of the sender's domain, where that is not there any more. */
  domainId: z.int().min(1).optional(),
  html: maybe,
  content: maybe,
  replyTo: mailboxList(),
  cc: mailboxList(),
  bcc: mailboxList(),
  status: z.enum(campaignStatuses).optional(),
  scheduledAt: maybeTime,
  /** When the next batch goes out. */
  nextBatchAt: time.optional(),
  batchSize: z.int().min(1).optional(),
  batchWindowMinutes: count,
  lastCursor: maybe,
  lastSentAt: maybeTime,
  total: count,
  sent: count,
  delivered: count,
  opened: count,
  clicked: count,
  unsubscribed: count,
  bounced: count,
  hardBounced: count,
  complained: count,
  ...dates,
});

const campaign = campaignFields.refine(
  ({ book, contactBookId }) => (book === undefined) !== (contactBookId === undefined),
  { path: ['book'], message: 'is needed, unless contactBookId is given' },
);

const event = z.strictObject({
  status: z.enum(emailStatuses),
  /** A bare address, empty when it is about all of them; the first `to` when left out. */
  recipient: z.string().optional(),
  /** One that is still to come is reported when its time comes. */
  at: time.optional(),
  /** What the provider tells of it; made up when left out. */
  data: z.record(z.string(), z.unknown()).optional(),
});

const messageFields = z.strictObject({
  id: pathId.min(3).optional(),
  at: time.optional(),
  updatedAt: time.optional(),
  from: mailbox,
  to: mailboxes,
  cc: mailboxList(),
  bcc: mailboxList(),
  replyTo: mailboxList(),
  subject: z.string(),
  html: maybe,
  text: maybe,
  headers: headers.optional(),
  attachments: z
    .array(
      z.strictObject({
        filename: text,
        content: z.base64({ error: 'must be base64' }),
      }),
    )
    .optional(),
  scheduledAt: maybeTime,
  inReplyToId: maybe,
  /** With `contactId`: that it was sent by a campaign. Both may be gone since. */
  campaignId: text.optional(),
  contactId: text.optional(),
  /** When its link unsubscribed the contact, which its campaign has counted. */
  unsubscribedAt: time.optional(),
  /** The id of the sender's domain, where that is not there any more. */
  domainId: z.int().min(1).optional(),
  /** What has become of it. With neither of these, it is sent like all others. */
  status: z.enum(emailStatuses).optional(),
  events: z.array(event).optional(),
});

const message = messageFields
  .refine(({ campaignId, contactId }) => (campaignId === undefined) === (contactId === undefined), {
    path: ['campaignId'],
    message: 'and contactId belong together',
  })
  .refine(({ campaignId, unsubscribedAt }) => !(campaignId === undefined && unsubscribedAt), {
    path: ['unsubscribedAt'],
    message: 'is of an email of a campaign',
  });

const suppression = z.strictObject({
  address: text,
  reason: text,
  createdAt: time.optional(),
});

const reputationEvent = z.strictObject({
  id: pathId.optional(),
  fromState: text,
  toState: text,
  bounceRate: z.number().min(0).max(100),
  sampleSize: z.int().min(0),
  actor: text,
  reason: maybe,
  createdAt: time.optional(),
});

/** The whole file: an object of lists, each of which may be left out. */
export const seedFile = z.strictObject({
  domains: z.array(domain).optional(),
  books: z.array(book).optional(),
  contacts: z.array(contact).optional(),
  templates: z.array(template).optional(),
  campaigns: z.array(campaign).optional(),
  messages: z.array(message).optional(),
  suppressions: z.array(suppression).optional(),
  reputationEvents: z.array(reputationEvent).optional(),
});

/** A file of seeds, checked; times are milliseconds since 1970. */
export type Seed = z.infer<typeof seedFile>;

/** The same before it is read: times are ISO 8601. */
export type SeedText = z.input<typeof seedFile>;

export type SectionName = keyof Seed;

/** One entry of a list of the file. */
export type Entry<Name extends SectionName> = NonNullable<Seed[Name]>[number];

function mailboxList() {
  return z
    .union([mailboxes, z.array(z.string()).max(0)], {
      error: 'must be an email address or a list of them',
    })
    .optional();
}
