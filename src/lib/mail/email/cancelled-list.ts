import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';

/** What a list of emails to cancel led to. */
export const cancelledList = lenientObject({
  cancelled: z.array(z.string()).describe('ids of the emails that were cancelled'),
  already: z.array(z.string()).describe('those that had been cancelled before'),
  failed: z
    .array(lenientObject({ emailId: z.string(), message: z.string() }))
    .describe('those that could not be cancelled, and why'),
});
