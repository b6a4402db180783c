import * as z from 'zod';

/** What `--json` shows of the emails made from a message. */
export const sendmailReply = z.looseObject({
  data: z
    .array(z.looseObject({ emailId: z.string() }))
    .describe('one email, or one for each recipient if none of them is in the headers'),
});
