import { defineCommand } from '../../lib/command/command.ts';
import { withCheckedBook } from '../../lib/command/names/books.ts';
import { readEventBody } from '../../lib/contact/event-body.ts';
import { addEventFlags, eventFlagOf } from '../../lib/contact/event-flags.ts';
import { done } from '../../lib/output/result.ts';

const flagNames: Readonly<Record<string, string>> = eventFlagOf;

export const command = defineCommand({
  takes: ['service', 'sandbox', 'dry runs'],
  examples: [
    [
      'mailer event send signed_up --contact ana@example.org --book Customers --payload plan=pro',
      'By email address',
    ],
    ['mailer event send signed_up --contact contact_ana', 'By id'],
  ],
  offers: { '--contact': 'contacts' },
  flags: addEventFlags,
  async run(context, options, name) {
    const body = await readEventBody(context, name, options);
    const send = (contactBookId?: string) =>
      context.call(
        'event.send',
        { body: { ...body, contactBookId } },
        {
          nameOf: (field) => flagNames[field],
          hintIfUnknown:
            'The event may have been processed. If you send it again, it may start the same twice.',
        },
      );
    const { contactBookId: book } = body;
    const reply = book === undefined ? await send() : await withCheckedBook(context, book, send);
    const message = `Sent ${name} for contact ${reply.contactId}.`;
    return done({ reply, ids: [reply.contactId], message });
  },
});
