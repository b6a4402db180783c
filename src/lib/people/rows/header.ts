import { isMailbox, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { isAddressName } from '../../base/text/column-names.ts';
import { isForPowerShell, type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { shortened } from '../../base/text/shortened.ts';

/** A file, for the command that gives it a header. */
export interface NamedFile {
  readonly name: string;
  /** `-` for stdin. */
  readonly path?: string | undefined;
  readonly system?: ShellSystem | undefined;
}

/**
 * Throws a `UsageError` if the first record of a file has an address, so that it is a row: nobody may be left out.
 * Beside a column named `email`, an address is a property's name: `contact export` writes any name.
 */
export function refuseNoHeader(first: readonly string[], delimiter: string, file: NamedFile): void {
  const isAddress = (cell: string) => isMailbox(trimAddress(cell));
  const column = first.findIndex(isAddress);
  if (column === -1 || first.some(isAddressName)) return;
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
function copyLine(header: string, file: NamedFile): string {
  const copied = copyOf(file, '-with-header');
  if (copied === undefined) return '';
  const { path, copy, system } = copied;
  const print = shellQuote(['printf', `${header.replaceAll('\t', '\\t')}\\n`], system);
  return `\nTo make a copy with this line:\n${print} | ${shellQuote(['cat', '-', path], system)} > ${copy}`;
}

/** A file that a command can copy, and what its copy is called, quoted. */
function copyOf({ path = '-', system }: NamedFile, suffix: string) {
  if (path === '-' || /^-|\.gz$/i.test(path) || !system || isForPowerShell(system))
    return undefined;
  const copy = path.replace(/(?:\.\w+)?$/, `${suffix}$&`);
  return { path, copy: shellQuote([copy], system), system };
}

/** Lines above a header, such as a title and when a report was made. */
const mostAbove = 20;

/**
 * Throws a `UsageError` if a line further down is the header: it names a column of addresses, and has more cells than any
 * line above it, none of which has an address.
 */
export function refuseLateHeader(beginning: string, file: NamedFile): void {
  const lines = beginning.split(/\r\n|[\r\n]/, mostAbove);
  const rows = lines.map((line) =>
    line.split(/[,;\t|]/).flatMap((cell) => cell.replaceAll('"', '').trim() || []),
  );
  const index = rows.findIndex((cells) => cells.some(isAddressName));
  const above = lines.slice(0, Math.max(0, index)).join('\n');
  const size = rows[index]?.length ?? 0;
  // A name in quotes may have several lines.
  const isOther = above.includes('@') || (above.split('"').length - 1) % 2 === 1;
  if (index < 1 || isOther || rows.slice(0, index).some(({ length }) => length >= size)) return;
  const line = index + 1;
  const copied = copyOf(file, `-from-line-${line}`);
  const copying =
    copied &&
    `\nTo make a copy from line ${line} on:\n${shellQuote(['tail', '-n', `+${line}`, copied.path], copied.system)} > ${copied.copy}`;
  throw new UsageError(
    `${file.name}: the header seems to be in line ${line}: ${JSON.stringify(shortened(lines[index] ?? '', 80))}`,
    {
      hint: `Nothing was sent. The first line of a CSV file names the columns.${copying ?? ''}`,
    },
  );
}
