import * as z from 'zod';
import { type EventType, eventTypes } from './event-types.ts';

/** What each event has in `data`, and a realistic example of it. Unknown fields are kept. */

const iso = z.string().describe('ISO 8601');

const emailFields = {
  id: z.string().describe('the id of the email'),
  status: z.string(),
  from: z.string(),
  to: z.array(z.string()),
  occurredAt: iso,
  campaignId: z.string().nullish(),
  contactId: z.string().nullish(),
  domainId: z.number().nullable(),
  subject: z.string().optional(),
  templateId: z.string().nullish(),
  metadata: z.record(z.string(), z.unknown()).optional(),
};

/** The fields of all events of emails, and more. */
const emailWith = (more: z.ZodRawShape) => z.looseObject({ ...emailFields, ...more });

const email = emailWith({});

const device = {
  timestamp: iso,
  userAgent: z.string().optional(),
  ip: z.string().optional(),
  platform: z.string().optional(),
};

const bounce = z.looseObject({
  type: z.enum(['Transient', 'Permanent', 'Undetermined']),
  subType: z.enum([
    'General',
    'NoEmail',
    'Suppressed',
    'OnAccountSuppressionList',
    'MailboxFull',
    'MessageTooLarge',
    'ContentRejected',
    'AttachmentRejected',
  ]),
  message: z.string().optional(),
});

const contact = z.looseObject({
  id: z.string(),
  email: z.string(),
  contactBookId: z.string(),
  subscribed: z.boolean(),
  properties: z.record(z.string(), z.unknown()),
  firstName: z.string().nullish(),
  lastName: z.string().nullish(),
  createdAt: iso,
  updatedAt: iso,
});

const domain = z.looseObject({
  id: z.number(),
  name: z.string(),
  status: z.string(),
  region: z.string(),
  createdAt: iso,
  updatedAt: iso,
  clickTracking: z.boolean(),
  openTracking: z.boolean(),
  subdomain: z.string().nullish(),
  sesTenantId: z.string().nullish(),
  dkimStatus: z.string().nullish(),
  spfDetails: z.string().nullish(),
  dmarcAdded: z.boolean().nullish(),
});

const webhook = z.looseObject({ test: z.literal(true), webhookId: z.string(), sentAt: iso });

/** The schema of `data` by what an event is about. */
const usual = { email, contact, domain, webhook };

/** The schemas of events of emails that have more in `data` than others. */
const extended: Partial<Record<EventType, z.ZodType>> = {
  'email.bounced': emailWith({ bounce }),
  'email.failed': emailWith({ failed: z.looseObject({ reason: z.string() }) }),
  'email.suppressed': emailWith({
    suppression: z.looseObject({
      type: z.enum(['Bounce', 'Complaint', 'Manual']),
      reason: z.string(),
      source: z.string().optional(),
    }),
  }),
  'email.opened': emailWith({ open: z.looseObject(device) }),
  'email.clicked': emailWith({ click: z.looseObject({ ...device, url: z.string() }) }),
};

/** The schema of `data` for each event. */
export const dataSchemas = Object.fromEntries(
  eventTypes.map((type) => {
    const [noun] = wordsOf(type);
    return [type, extended[type] ?? usual[noun]];
  }),
) as Readonly<Record<EventType, z.ZodType>>;

function wordsOf(type: `${keyof typeof usual}.${string}`) {
  // Each has these two.
  return type.split('.') as [keyof typeof usual, string];
}

/** The JSON Schema of what an event has in `data`. */
export function dataJsonSchema(type: EventType) {
  const { $schema, ...schema } = z.toJSONSchema(dataSchemas[type]);
  return schema;
}

/** The `data` of an event as a service would send it at `at`, ISO 8601. */
export function exampleEventData(type: EventType, at: string): Record<string, unknown> {
  const [noun, what] = wordsOf(type);
  switch (noun) {
    case 'webhook':
      return { test: true, webhookId: 'webhook_example', sentAt: at };
    case 'contact':
      return {
        id: 'contact_ana',
        email: 'ana@example.org',
        contactBookId: 'book_customers',
        subscribed: true,
        properties: { plan: 'pro' },
        firstName: 'Ana',
        lastName: 'García',
        createdAt: at,
        updatedAt: at,
      };
    case 'domain':
      return {
        id: 1,
        name: 'example.com',
        status: what === 'created' ? 'PENDING' : 'SUCCESS',
        region: 'us-east-1',
        createdAt: at,
        updatedAt: at,
        clickTracking: false,
        openTracking: false,
        subdomain: '',
        sesTenantId: null,
        dkimStatus: what === 'created' ? 'NOT_STARTED' : 'SUCCESS',
        spfDetails: what === 'created' ? 'NOT_STARTED' : 'SUCCESS',
        dmarcAdded: false,
      };
    case 'email':
      return {
        id: 'email_example',
        status: what.toUpperCase(),
        from: 'Shop <hello@example.com>',
        to: ['ana@example.org'],
        occurredAt: at,
        domainId: 1,
        subject: 'Your order is on its way',
        ...details(type, at),
      };
  }
}

/** What some events of emails have besides. */
function details(type: EventType, at: string): object {
  const device = {
    timestamp: at,
    userAgent: 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    ip: '192.0.2.7',
    platform: 'Linux',
  };
  switch (type) {
    case 'email.bounced':
      return bounceFields({
        type: 'Permanent',
        subType: 'NoEmail',
        message: 'smtp; 550 5.1.1 user unknown',
      });
    case 'email.failed':
      return { failed: { reason: 'The message could not be handed to the provider.' } };
    case 'email.suppressed':
      return {
        suppression: {
          type: 'Bounce',
          reason: 'An earlier email to this address bounced.',
          source: 'account',
        },
      };
    case 'email.delivery_delayed':
      return {
        metadata: {
          delayType: 'MailboxFull',
          expirationTime: new Date(Date.parse(at) + 12 * 3_600_000).toISOString(),
          delayedRecipients: [
            {
              emailAddress: 'ana@example.org',
              status: '4.2.2',
              diagnosticCode: 'smtp; 452 4.2.2 The mailbox is full',
            },
          ],
        },
      };
    case 'email.rejected':
      return { metadata: { reason: 'Bad content' } };
    case 'email.opened':
      return openFields(device);
    case 'email.clicked':
      return openFields(device, 'https://example.com/orders/1042');
    default:
      return {};
  }
}

interface Device {
  readonly timestamp: string;
  readonly userAgent?: string | undefined;
  readonly ip?: string | undefined;
}

/** What an open adds to an email's data, or a click on `url`: the same facts twice, as the service sends them. */
export function openFields(device: Device, url?: string): object {
  const metadata = { ipAddress: device.ip, userAgent: device.userAgent };
  return url === undefined
    ? { open: device, metadata }
    : { click: { ...device, url }, metadata: { ...metadata, link: url } };
}

interface Bounce {
  readonly type: string;
  readonly subType: string;
  readonly message?: string | undefined;
}

/** What a bounce adds to an email's data: the same facts twice, as the service sends them. */
export function bounceFields(bounce: Bounce): object {
  const { type, subType, message } = bounce;
  return {
    bounce,
    metadata: { bounceType: type, bounceSubType: subType, diagnosticCode: message },
  };
}
