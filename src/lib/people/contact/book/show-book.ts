import type { ContactBook } from '../../../../api/contact.ts';
import {
  type Column,
  type RecordResult,
  record,
  time,
} from '../../../command-line/output/result.ts';
import { propertyWords } from '../property-words.ts';

/** Contact books as a table. */
export const contactBookColumns: readonly Column<ContactBook>[] = [
  { field: 'id', header: 'Id' },
  { field: 'name', header: 'Name', flexible: true },
  { field: '_count.contacts', header: 'Contacts' },
  { field: 'doubleOptInEnabled', header: 'Double opt-in' },
  { field: 'createdAt', header: 'Created', cell: ({ createdAt }) => time(createdAt) },
];

/** A contact book as a record. The content of its email is the JSON of an editor, so only its JSON has it. */
export function showBook(book: ContactBook): RecordResult {
  return record({
    reply: book,
    quiet: book.id,
    rows: [
      ['id', 'Id', book.id],
      ['name', 'Name', book.name],
      ['emoji', 'Emoji', book.emoji],
      ['_count.contacts', 'Contacts', book._count?.contacts],
      ['variables', 'Variables', book.variables],
      ['properties', 'Properties', propertyWords(book.properties)],
      ['doubleOptInEnabled', 'Double opt-in', book.doubleOptInEnabled],
      ['doubleOptInFrom', 'Opt-in sender', book.doubleOptInFrom],
      ['doubleOptInSubject', 'Opt-in subject', book.doubleOptInSubject],
      ['createdAt', 'Created', time(book.createdAt)],
      ['updatedAt', 'Updated', time(book.updatedAt)],
    ],
  });
}
