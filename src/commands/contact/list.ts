import type { Contact } from '../../api/contact.ts';
import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { quotedNames } from '../../lib/base/text/quoted-names.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { addressesOf } from '../../lib/command-line/command/flags/address-flags.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { replyOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { contactsListed } from '../../lib/people/contact/listed-contacts.ts';
import { contactColumns } from '../../lib/people/contact/show-contact.ts';
import { hasUnsubscribed } from '../../lib/people/contact/subscription.ts';

export const command = defineCommand({
  description:
    'The service lists at most 5,000 contacts of a book; for a larger one, use --email to show the others.',
  effects: { reads: true },
  exits: {
    4: 'there is no such contact book',
    11: 'the book has more contacts than the service lists',
  },
  prints: [replyOf('contact.list', { line: schemas.contacts('contact') })],
  takes: ['service', 'sandbox', 'lists', 'times'],
  examples: {
    'mailer contact list --book Customers': 'The contacts of a book',
    'mailer contact list --book Customers --subscribed --no-header --fields email':
      'The addresses of subscribed contacts',
    'mailer contact list --book Everyone --email ana@example.org': 'One contact of a large book',
  },
  offers: { '--email': 'contacts' },
  flags: (command) =>
    command
      .option('--book <book>', 'contact book: id or exact name')
      .addOption(
        repeatableOption(
          '--email <addresses>',
          'only contacts with these addresses; repeat, or separate with commas',
        ),
      )
      .option('--subscribed', 'only contacts who are subscribed')
      .option('--unsubscribed', 'only contacts who have unsubscribed'),
  async run(context, options) {
    const { subscribed, unsubscribed } = options;
    if (subscribed && unsubscribed) {
      throw new UsageError('--subscribed and --unsubscribed cannot be used together');
    }
    const isAsked = (one: Contact) =>
      (!subscribed || one.subscribed === true) && (!unsubscribed || hasUnsubscribed(one));
    const addresses = await addressesGiven(options.email);
    const [book = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
    const { contacts, missing, failure } = await contactsListed(context, book, addresses);
    return list<Contact>({
      pages: [{ rows: contacts.filter(isAsked) }],
      columns: contactColumns,
      id: ({ id }) => id,
      empty:
        addresses.length > 0
          ? 'No contacts with these addresses.'
          : `No ${subscribed ? 'subscribed ' : unsubscribed ? 'unsubscribed ' : ''}contacts.`,
      note: () => (missing.length > 0 ? `Not in the book: ${quotedNames(missing)}` : undefined),
      failure,
    });
  },
});

/** The addresses of `--email`, without display names. */
async function addressesGiven(values: readonly string[] | undefined): Promise<readonly string[]> {
  const mailboxes = [(await addressesOf(values, '--email')) ?? []].flat();
  if (mailboxes.length === 0) return [];
  const { mailboxParts } = await import('../../api/address.ts');
  const addresses = mailboxes.map((one) => mailboxParts(one)?.address ?? one);
  const parted = addresses.find((address) => address.includes(','));
  if (parted === undefined) return addresses;
  throw new UsageError(
    `--email: ${JSON.stringify(parted)} has a comma, at which the service would split it`,
  );
}
