import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { readEvent } from '../../lib/people/contact/event-body.ts';
import { addEventFlags } from '../../lib/people/contact/event-flags.ts';

export const command = defineCommand({
  description:
    'The contact is looked up in its book, because a service looks an address up in all books, and adds and subscribes whom it does not find. With --create, a contact that the book does not have is added as contact add does: if the service will email it, it asks first on a terminal, and needs --yes elsewhere. An event may start an automation at the service, such as an email. If the event is sent twice, the automation may start twice, so the request is retried only if the first one was certainly not processed.',
  effects: { changes: true, mails: ['--create'] },
  exits: { 4: 'the book has no such contact, or the service does not offer events' },
  prints: [replyOf('event.send')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer event send signed_up --contact ana@example.org --book Customers --payload plan=pro':
      'By email address',
    'mailer event send signed_up --contact contact_ana': 'By id',
    'mailer event send signed_up --contact ana@example.org --book Customers --create --yes':
      'Add the contact first if the book does not have it',
  },
  offers: { '--contact': 'contacts' },
  flags: addEventFlags,
  async run(context, options, name) {
    const request = await readEvent(context, name, options);
    const { sendToContact } = await import('../../lib/people/contact/send-event.ts');
    const { reply, added } = await sendToContact(context, request);
    const sent = `Sent event ${name} for contact ${reply.contactId}.`;
    return done({ reply, ids: [reply.contactId], message: added ? `${added} ${sent}` : sent });
  },
});
