import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';

/** What `--json` shows of the emails made from a message. */
export const sendmailReply = lenientObject({
  data: z
    .array(lenientObject({ emailId: z.string() }))
    .describe('one email, or one for each recipient if none of them is in the headers'),
});
