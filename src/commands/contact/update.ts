import { askForValues } from '../../lib/command/ask-for-values.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { idGiven } from '../../lib/command/last-made.ts';
import { readUpdateRequest } from '../../lib/contact/update-body.ts';
import { addUpdateFlags } from '../../lib/contact/update-flags.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer contact update contact_ana --book book_customers --first-name Ana --property plan=pro',
      'Change a name and a property; everything else stays',
    ],
    ['mailer contact update contact_ana --book book_customers --unsubscribed', 'Unsubscribe'],
  ],
  flags: addUpdateFlags,
  async run(context, options, given) {
    const contactId = await idGiven(context, 'contact', given);
    const { body, nameOf } = await readUpdateRequest(context, options);
    const [contactBookId = ''] = await askForValues(
      [{ flag: '--book', question: 'Id of the contact book', value: options.book }],
      context.prompts,
    );
    const input = { params: { contactBookId, contactId }, body };
    const reply = await context.call('contact.update', input, { nameOf });
    return done({ reply, ids: [reply.contactId], message: `Updated ${reply.contactId}.` });
  },
});
