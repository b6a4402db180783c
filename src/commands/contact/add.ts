import { defineCommand } from '../../lib/command-line/command/command.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { addContact, readAddRequest } from '../../lib/people/contact/add-contact.ts';
import { addAddFlags } from '../../lib/people/contact/add-flags.ts';

export const command = defineCommand({
  description:
    'A book has each address once: if the address is already there, that contact is updated, and the message reports it. A contact that has unsubscribed stays unsubscribed. If the service will ask the contact by email to confirm the subscription, because the book has double opt-in, mailer asks first on a terminal, and needs --yes elsewhere.',
  effects: { changes: true, mails: true },
  exits: { 4: 'there is no such contact book' },
  prints: [replyOf('contact.create')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'confirmation'],
  examples: {
    'mailer contact add --book Customers --email ana@example.org --first-name Ana --property plan=pro':
      'Add a contact, or update the one with this address',
    'mailer contact add --book Readers --email ana@example.org --yes':
      'In a script; with double opt-in, an email asks for confirmation',
  },
  flags: addAddFlags,
  async run(context, options) {
    const request = await readAddRequest(context, options);
    const { reply, message } = await addContact(context, request);
    return done({ reply, ids: [reply.contactId], message });
  },
});
