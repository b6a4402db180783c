import { mailboxParts, trimAddress } from '../../api/address.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import { splitList } from './addresses.ts';
import type { InputFiles } from './input-files.ts';

/** What the first line of a list may be called, as lists of this program and of others name it. */
const headers = /^(to|affected|recipients?|e-?mails?( address)?|address(es)?|contacts?)$/i;

/**
 * The addresses of a file, each once, without names: one or several a line, as `email list` prints them and people
 * write them. Of a line with tabs, the first column counts; a header, empty lines and lines with `#` do not. Throws
 * a `UsageError` with the line for anything else, and for several recipients of one email, of whom perhaps only
 * one is meant. `isEntry` tells what counts besides a mailbox, such as a pattern.
 */
export async function readAddressList(
  files: Pick<InputFiles, 'readText'>,
  path: string,
  flag: string,
  isEntry: (text: string) => boolean = () => false,
): Promise<readonly string[]> {
  const text = await files.readText(path, flag);
  const found = new Set<string>();
  let areRecipients = false;
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [column = ''] = line.split('\t');
    const value = unquoted(column.trim());
    if (value === '' || value.startsWith('#')) continue;
    if (found.size === 0 && headers.test(value)) {
      areRecipients = value.toLowerCase() === 'to';
      continue;
    }
    const entries = splitList(value);
    if (areRecipients && entries.length > 1) {
      throw new UsageError(
        `${flag}: line ${index + 1} has the recipients of an email to several people: "${visible(value.slice(0, 80))}"`,
        {
          hint: 'Nothing was changed. With --fields affected instead of to, mailer email list names only those for whom it failed, and who complained. If all are meant, leave out the header "to".',
        },
      );
    }
    for (const entry of entries) {
      const address =
        mailboxParts(trimAddress(entry))?.address ??
        (isEntry(entry.trim()) ? entry.trim() : undefined);
      if (address === undefined) {
        throw new UsageError(
          `${flag}: line ${index + 1} has no address: "${visible(entry.slice(0, 80))}"`,
          {
            hint: 'Nothing was changed. Give one address per line, for example with --fields email.',
          },
        );
      }
      found.add(address);
    }
  }
  return [...found];
}

/** A cell of CSV in quotes, as one with a comma is written; any other value as it is. */
function unquoted(value: string): string {
  return value.replace(/^"((?:[^"]|"")*)"$/, (_, cell: string) => cell.replaceAll('""', '"'));
}
