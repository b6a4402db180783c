import * as z from 'zod';
import { emailListItem } from '../../../api/email.ts';
import { lenientObject } from '../../../api/lenient.ts';
import { lastEventShape } from '../../mail/email/last-event-shape.ts';

/** What `--json` shows of emails that were looked for. */

const text = z.string().nullable();

export const foundEmail = lenientObject({
  ...emailListItem.shape,
  ...z.object(lastEventShape).partial().shape,
  affected: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('for whom it failed, and who complained; null if its history does not tell'),
});

export const watchedEmail = lenientObject({
  ...foundEmail.shape,
  seenAt: z.string().describe('when mailer saw it, ISO 8601'),
  previousStatus: text.describe('null for a new email'),
});

export const foundEmails = lenientObject({
  data: z.array(foundEmail),
  count: z.number().nullish().describe('of all that match'),
});

export const emailExportReply = lenientObject({
  file: z.string().describe('the absolute path'),
  written: z.number().describe('emails written, also before the export was resumed'),
  changed: z.number().describe('of these, emails that the file had in an earlier state'),
  scanned: z.number().describe('emails looked through'),
});
