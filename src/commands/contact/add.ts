import { defineCommand } from '../../lib/command/command.ts';
import { addContact, readAddRequest } from '../../lib/contact/add.ts';
import { addAddFlags } from '../../lib/contact/add-flags.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs', 'confirmation'],
  examples: [
    [
      'mailer contact add --book Customers --email ana@example.org --first-name Ana --property plan=pro',
      'Add a contact, or update the one with this address',
    ],
    [
      'mailer contact add --book Readers --email ana@example.org --yes',
      'In a script; with double opt-in, an email asks for confirmation',
    ],
  ],
  flags: addAddFlags,
  async run(context, options) {
    const request = await readAddRequest(context, options);
    const { reply, message } = await addContact(context, request);
    return done({ reply, ids: [reply.contactId], message });
  },
});
