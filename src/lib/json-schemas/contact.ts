import * as z from 'zod';
import type { ExportedContact } from '../contact/exported-contacts.ts';
import type { UnsubscribedList } from '../contact/unsubscribe-list.ts';

/** What `--json` shows of contacts, where it is not the service's response. */

export const exportedContact = z.looseObject({
  email: z.string(),
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  subscribed: z.boolean().nullable().describe('null while the subscription is not confirmed'),
  properties: z.record(z.string(), z.string()),
}) satisfies z.ZodType<ExportedContact>;

export const unsubscribedList = z.looseObject({
  contactBookId: z.string(),
  unsubscribed: z.array(z.string()).describe('the addresses that were unsubscribed'),
  already: z.array(z.string()).describe('those that had unsubscribed before'),
  missing: z.array(z.string()).describe('those that are not in the book'),
}) satisfies z.ZodType<UnsubscribedList>;
