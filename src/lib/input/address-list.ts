import { mailboxParts, trimAddress } from '../../api/address.ts';
import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';
import { splitList } from './addresses.ts';
import type { InputFiles } from './input-files.ts';

/** What the first line of a list may be called, as lists of this program and of others name it. */
const headers = /^"?(to|recipients?|e-?mails?( address)?|address(es)?|contacts?)"?$/i;

/**
 * The addresses of a file, each once, without names: one or several a line, as `email list` prints them and people
 * write them. Of a line with tabs, the first column counts; a header, empty lines and lines with `#` do not. Throws
 * a `UsageError` with the line for anything else. `isEntry` tells what counts besides a mailbox, such as a pattern.
 */
export async function readAddressList(
  files: Pick<InputFiles, 'readText'>,
  path: string,
  flag: string,
  isEntry: (text: string) => boolean = () => false,
): Promise<readonly string[]> {
  const text = await files.readText(path, flag);
  const found = new Set<string>();
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    const [column = ''] = line.split('\t');
    const value = column.trim();
    if (value === '' || value.startsWith('#') || (found.size === 0 && headers.test(value))) {
      continue;
    }
    for (const entry of splitList(value)) {
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
