import { isMailbox, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { isForPowerShell, type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';

/** A file, for the command that gives it a header. */
export interface NamedFile {
  readonly name: string;
  /** `-` for stdin. */
  readonly path?: string | undefined;
  readonly system?: ShellSystem | undefined;
}

/** Throws a `UsageError` if the first record of a file has an address, so that it is a row: nobody may be left out. */
export function refuseNoHeader(first: readonly string[], delimiter: string, file: NamedFile): void {
  const isAddress = (cell: string) => isMailbox(trimAddress(cell));
  const column = first.findIndex(isAddress);
  if (column === -1) return;
  const names = first.map((_, index) => (index === column ? 'email' : `column${index + 1}`));
  const copying = copyLine(names.join(delimiter), file);
  throw new UsageError(
    `${file.name} has no header: its first line has the address ${first[column]}`,
    {
      hint: `The first line of a CSV file names the columns, such as: ${names.join(delimiter)}${copying}`,
    },
  );
}

/** The command that makes a copy of a file with a header; empty where there is none that works. */
function copyLine(header: string, { path = '-', system }: NamedFile): string {
  if (path === '-' || /^-|\.gz$/i.test(path) || !system || isForPowerShell(system)) return '';
  const line = `${header.replaceAll('\t', '\\t')}\\n`;
  const copy = path.replace(/(?:\.\w+)?$/, '-with-header$&');
  const [print, read, to] = [['printf', line], ['cat', '-', path], [copy]].map((words) =>
    shellQuote(words, system),
  );
  return `\nTo make a copy with this line:\n${print} | ${read} > ${to}`;
}
