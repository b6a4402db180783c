import { schemas } from '../../json-schemas/load.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { quotedNames } from '../../lib/base/text/quoted-names.ts';
import { askForValues } from '../../lib/command-line/command/ask/ask-for-values.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { nothingToDo } from '../../lib/command-line/command/flags/allow-empty.ts';
import { bookNeed } from '../../lib/command-line/command/names/books.ts';
import { withContact } from '../../lib/command-line/command/names/contacts.ts';
import { contactGiven } from '../../lib/command-line/command/names/last-made.ts';
import { nextCommand } from '../../lib/command-line/command/next-command.ts';
import { documentOf, replyOf } from '../../lib/command-line/command/prints.ts';
import { done, type Result } from '../../lib/command-line/output/result.ts';
import { readUpdateRequest } from '../../lib/people/contact/update-body.ts';
import { addUpdateFlags, type UpdateFlags } from '../../lib/people/contact/update-flags.ts';

export const command = defineCommand({
  description:
    'Only the named fields change: properties are added or replaced one by one, and all others are kept.',
  effects: { changes: true },
  exits: { 4: 'there is no such contact in this book' },
  prints: [
    replyOf('contact.update'),
    documentOf('the outcome for each address', schemas.contactExport('unsubscribedList'), {
      when: '-',
    }),
  ],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'files'],
  examples: {
    'mailer contact update contact_ana --book book_customers --first-name Ana --property plan=pro':
      'Change a name and a property; everything else stays',
    'mailer contact update ana@example.org --book Customers --unsubscribed':
      'Unsubscribe, by address and name of the book',
    'mailer contact update - --book Customers --unsubscribed < bounced.txt':
      'Unsubscribe all addresses, or ids, in a list',
  },
  flags: addUpdateFlags,
  async run(context, options, given) {
    if (given === '-') return await unsubscribeGiven(context, options);
    const { contact: named, book: known } = await contactGiven(context, given, options.book);
    const { body, nameOf } = await readUpdateRequest(context, options);
    const [book = ''] = await askForValues([bookNeed(context, known)], context.prompts);
    const reply = await withContact(context, book, named, (contactBookId, contactId) =>
      context.call('contact.update', { params: { contactBookId, contactId }, body }, { nameOf }),
    );
    return done({ reply, ids: [reply.contactId], message: `Updated contact ${named}.` });
  },
});

/** Unsubscribes the addresses or ids on stdin. Other changes to several contacts are an import. */
async function unsubscribeGiven(context: Context, options: UpdateFlags): Promise<Result> {
  const { firstName, lastName, property, propertiesFile, subscribed, file } = options;
  const others = [firstName, lastName, property, propertiesFile, subscribed, file];
  if (options.unsubscribed !== true || others.some((value) => value !== undefined)) {
    throw new UsageError(
      'Addresses from stdin can only be unsubscribed, with --unsubscribed and no other change',
      {
        hint: `For other changes to several contacts: ${nextCommand(context, 'contact', 'import')}`,
      },
    );
  }
  const [{ readAddressList }, { createTogether }, list] = await Promise.all([
    import('../../lib/base/input/address-list.ts'),
    import('../../lib/people/contact/listed-together.ts'),
    import('../../lib/people/contact/unsubscribe-list.ts'),
  ]);
  const { isContactId, unsubscribeList } = list;
  const together = createTogether();
  const listed = await readAddressList(context.files, '-', 'stdin', isContactId, together.see);
  together.refuse();
  const addresses = listed.filter((one) => one !== 'id');
  const ids = addresses.filter(isContactId);
  // A word between addresses is no id.
  if (ids.length > 0 && ids.length < addresses.length) {
    throw new UsageError(`stdin: some lines are addresses, others are not: ${quotedNames(ids)}`, {
      hint: 'Nothing was changed. Give either addresses or ids, one per line.',
    });
  }
  if (addresses.length === 0 && options.allowEmpty !== true) {
    throw nothingToDo('There are no addresses on stdin.', 'Nothing was changed.');
  }
  const [book = ''] = await askForValues([bookNeed(context, options.book)], context.prompts);
  return await unsubscribeList(context, book, addresses);
}
