import { defineCommand } from '../../lib/command/command.ts';
import type { Context } from '../../lib/command/context.ts';
import { withCheckedBook } from '../../lib/command/names/books.ts';
import { nextCommand } from '../../lib/command/next-command.ts';
import { readEventBody } from '../../lib/contact/event-body.ts';
import { addEventFlags, eventFlagOf } from '../../lib/contact/event-flags.ts';
import { type MailerError, withHint } from '../../lib/errors.ts';
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
            'The event may have been processed. Sending it again may start the same automation twice.',
        },
      );
    const { contactBookId: book } = body;
    const reply =
      book === undefined
        ? await send()
        : await withCheckedBook(context, book, send).catch((error) => {
            throw withHint(error, orItsContacts(context, book));
          });
    const message = `Sent event ${name} for contact ${reply.contactId}.`;
    return done({ reply, ids: [reply.contactId], message });
  },
});

/** The hint for an error about a contact that the book does not have. */
function orItsContacts(context: Context, book: string) {
  return ({ code, details: { hint } }: MailerError) =>
    code === 'not_found'
      ? (hint ?? `To list its contacts: ${nextCommand(context, 'contact', 'list', '--book', book)}`)
      : hint;
}
