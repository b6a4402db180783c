import { limits } from '../../../api/limits.ts';
import { UsageError } from '../../base/errors.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Context } from '../../command-line/command/context.ts';
import { nextCommand } from '../../command-line/command/next-command.ts';
import { countAt } from '../../command-line/output/count-at.ts';
import { changesTo } from '../contact/compare-contacts.ts';
import { spelledBy } from '../contact/property-names.ts';
import { hasUnsubscribed } from '../contact/subscription.ts';
import type { ComparedRow } from '../import/compare.ts';
import { type ImportPlan, whoGetsEmail } from '../import/plan.ts';
import { type Difference, differenceOf, type MissingAction, missingFrom } from './difference.ts';

/** What a sync is going to do. */
export type SyncPlan = ReturnType<typeof planOf>;

interface Compared {
  readonly imported: ImportPlan;
  readonly compared: readonly ComparedRow[];
  readonly addresses: ReadonlySet<string>;
  readonly wanted: MissingAction;
  readonly path: string;
}

/** What to do once all rows are compared. Throws a `UsageError` if the service did not list the whole book. */
export function planOf(context: Context, one: Compared) {
  const { imported, compared, addresses, wanted, path } = one;
  const { book, contacts } = imported;
  if (book === undefined || contacts === undefined) throw tooMany(context, book, path);
  const spelled = spelledBy(book.variables);
  const missing = missingFrom(contacts, addresses, wanted);
  const inFile = compared.map(
    ({ contact, before }): Difference => ({
      email: before?.email ?? contact.email,
      action: before === undefined ? 'add' : 'change',
      changes: before === undefined ? [] : changesTo(before, contact, spelled),
    }),
  );
  const removed = missing.filter(({ action }) => action !== 'keep').length;
  const changed = compared.filter(({ before }) => before !== undefined).length;
  return {
    contactBookId: book.id,
    differences: [...inFile, ...missing.map(differenceOf)],
    missing,
    counts: {
      added: compared.length - changed,
      changed,
      unchanged: contacts.length - missing.length - changed,
      missing: missing.length,
      unsubscribed: wanted === 'unsubscribe' ? removed : 0,
      deleted: wanted === 'delete' ? removed : 0,
      stayUnsubscribed: imported.unsubscribed,
    },
    columnsToCheck: imported.toCheck,
    /** How many contacts the book has. */
    contacts: contacts.length,
    /** How many of them could be removed if the file lacked them. */
    removable: contacts.filter((one) => !hasUnsubscribed(one)).length,
    /** Who gets an email that asks for confirmation; empty if nobody does. */
    mails: imported.confirmations === 0 ? '' : whoGetsEmail(imported),
  };
}

/** The error for a book that is too large to be listed whole. */
function tooMany(context: Context, book: ImportPlan['book'], path: string): UsageError {
  const count = countAt(book, '_count.contacts');
  const most = grouped(limits.contactsPerList);
  const named = book?.name ?? 'BOOK';
  const words = ['contact', 'import', path, '--book', named];
  const save = ['contact', 'export', '--book', named, '--emails-from', path];
  return new UsageError(
    `The book has ${count === undefined ? `more than ${most}` : grouped(count)} contacts, and the service lists at most ${most} of them. So mailer cannot tell which contacts are missing from the file, and sent nothing.`,
    {
      hint: `To add and change contacts: ${nextCommand(context, ...words)}\nTo see whether the file has everybody: ${nextCommand(context, ...save)}`,
    },
  );
}
