import * as z from 'zod';
import { emailListItem } from '../../api/email.ts';
import type { EmailExportReply } from '../find/export/export-emails.ts';
import type { LastEvent } from '../find/last-event.ts';

/** What `--json` shows of emails that were looked for. */

const text = z.string().nullable();

const lastEvent = {
  lastEvent: text.describe('the status of its last event; null without events'),
  lastEventAt: text.describe('ISO 8601'),
  reason: text.describe('why it failed or is late, or what the receiving server said'),
  bounceType: text.describe('`Permanent`, `Transient` or `Undetermined`'),
  bounceSubType: text,
  diagnostic: text.describe("the receiving server's words about a bounce or delay"),
  complaint: text.describe('the kind of complaint, such as `abuse`'),
} satisfies { [Name in keyof LastEvent]: z.ZodType<LastEvent[Name]> };

export const foundEmail = z.looseObject({
  ...emailListItem.shape,
  ...z.object(lastEvent).partial().shape,
});

export const foundEmails = z.looseObject({
  data: z.array(foundEmail),
  count: z.number().nullish().describe('of all that match'),
});

export const emailExportReply = z.looseObject({
  file: z.string().describe('the absolute path'),
  written: z.number().describe('emails written, also before the export was resumed'),
  changed: z.number().describe('of these, emails that the file had in an earlier state'),
  scanned: z.number().describe('emails looked through'),
}) satisfies z.ZodType<EmailExportReply>;
