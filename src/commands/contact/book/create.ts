import { defineCommand } from '../../../lib/command-line/command/command.ts';
import {
  allowDuplicateFlag,
  differs,
  existing,
  ifMissingFlag,
} from '../../../lib/command-line/command/names/if-missing.ts';
import { replyOf } from '../../../lib/command-line/command/prints.ts';
import { done } from '../../../lib/command-line/output/result.ts';
import { addCreateBookFlags } from '../../../lib/people/contact/book/book-flags.ts';
import {
  bookFlagOf,
  createBook,
  readCreateBookRequest,
} from '../../../lib/people/contact/book/create-book.ts';

export const command = defineCommand({
  description:
    "Give --double-opt-in: the service's default is on, and then new contacts get an email that asks for confirmation. If a book has this name already, it is an error; --if-missing prints the id of that book, --allow-duplicate creates another one.",
  effects: { changes: true },
  exits: { 5: 'a book has this name already; with --if-missing: its double opt-in differs' },
  prints: [replyOf('contactBook.create')],
  takes: ['service', 'sandbox', 'dry runs', 'expected digests', 'files'],
  examples: {
    'mailer contact book create --name Customers --double-opt-in off --variable plan':
      'Contacts are subscribed at once; campaigns can use {{plan}}',
    'mailer contact book create --name Readers --double-opt-in on --double-opt-in-from news@example.com':
      'New contacts get an email that asks for confirmation',
  },
  offers: { '--double-opt-in-from': 'senders' },
  flags: (command) =>
    addCreateBookFlags(command)
      .option(...ifMissingFlag)
      .option(...allowDuplicateFlag),
  async run(context, options) {
    const body = await readCreateBookRequest(context, options);
    const book = await existing(context, options, {
      kind: 'contact book',
      name: body.name,
      list: () => context.call('contactBook.list', {}),
      operation: 'contactBook.create',
      input: { body },
      nameOf: bookFlagOf,
    });
    if (book !== undefined && book.doubleOptInEnabled !== body.doubleOptInEnabled) {
      const state = { true: 'on', false: 'off' }[String(book.doubleOptInEnabled)] ?? 'not known';
      throw differs(book, 'contact book', `but its double opt-in is ${state}`);
    }
    if (book !== undefined) {
      const message = `Contact book ${book.name} exists already. Nothing was created.`;
      return done({ reply: book, ids: [book.id], message });
    }
    const reply = await createBook(context, body, options.literal);
    const optIn = body.doubleOptInEnabled
      ? 'Double opt-in is on: new contacts get an email that asks for confirmation.'
      : 'Double opt-in is off: new contacts are subscribed at once.';
    return done({
      reply,
      ids: [reply.id],
      message: `Created contact book ${reply.name}. ${optIn}`,
    });
  },
});
