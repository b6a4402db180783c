import { defineCommand } from '../../lib/command/command.ts';
import { readEvent } from '../../lib/contact/event-body.ts';
import { addEventFlags } from '../../lib/contact/event-flags.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    [
      'mailer event send signed_up --contact ana@example.org --book Customers --payload plan=pro',
      'By email address',
    ],
    ['mailer event send signed_up --contact contact_ana', 'By id'],
    [
      'mailer event send signed_up --contact ana@example.org --book Customers --create --yes',
      'Add the contact first if the book does not have it',
    ],
  ],
  offers: { '--contact': 'contacts' },
  flags: addEventFlags,
  async run(context, options, name) {
    const request = await readEvent(context, name, options);
    const { sendToContact } = await import('../../lib/contact/send-event.ts');
    const { reply, added } = await sendToContact(context, request);
    const sent = `Sent event ${name} for contact ${reply.contactId}.`;
    return done({ reply, ids: [reply.contactId], message: added ? `${added} ${sent}` : sent });
  },
});
