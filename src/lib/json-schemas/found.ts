import * as z from 'zod';
import { emailListItem } from '../../api/email.ts';
import type { Deliveries, RowDelivery } from '../bulk/show/row-deliveries.ts';
import type { LastEvent } from '../email/last-event.ts';
import type { EmailExportReply } from '../find/export/export-emails.ts';

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
  affected: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('for whom it failed, and who complained; null if its history does not tell'),
});

export const watchedEmail = z.looseObject({
  ...foundEmail.shape,
  seenAt: z.string().describe('when mailer saw it, ISO 8601'),
  previousStatus: text.describe('null for a new email'),
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

export const delivery = z.looseObject({
  row: z.number().describe('from 1'),
  to: z.string().describe('its recipients'),
  emailId: text.describe('null if the service has not accepted it'),
  status: z
    .string()
    .describe(
      'of its email, or why it has none, such as `invalid`; `UNLISTED` if it is not in the list',
    ),
  ...lastEvent,
}) satisfies z.ZodType<RowDelivery>;

export const deliveries = z.looseObject({
  run: z.string(),
  emails: z.number().describe('accepted by the service'),
  delivered: z.number().describe('delivered, whatever happened afterwards'),
  opened: z.number().describe('of these, opened or clicked'),
  complained: z.number().describe('of these, reported as unwanted'),
  bounced: z.number(),
  failed: z.number().describe('rejected, suppressed, cancelled, or failed in another way'),
  waiting: z.number().describe('scheduled, queued, sent or delayed'),
  unlisted: z.number().describe("not in the service's list"),
  unsent: z
    .number()
    .describe('rows that the service has not accepted, or whose outcome is unknown'),
  groups: z
    .array(
      z.looseObject({
        status: z.string(),
        reason: text.describe('in the words of one of them, without its address'),
        bounceType: text,
        rows: z.number(),
        to: z.array(z.string()).describe('recipients of the first 20'),
      }),
    )
    .describe('rows that failed in the same way, the largest group first'),
}) satisfies z.ZodType<Deliveries>;
