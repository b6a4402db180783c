import { isMailbox, trimAddress } from '../../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import type { Context } from '../../command-line/command/context.ts';
import { noChoices } from './column-choices.ts';
import { emailColumns } from './email-columns.ts';
import { openInput } from './open-input.ts';
import { readRows } from './read-rows.ts';
import { recipientColumn } from './recipient-column.ts';
import { type ReadableRow, withBeginning } from './row.ts';

/** Characters to read before deciding whether a file is a list of addresses. */
const telling = 1000;

/** A line that is an address. CSV and JSON never start with one. */
const addressLine = /^\s*[^\s,;"{[@]+@[^\s,;"@]+[ \t]*(?:[\r\n]|$)/;

/**
 * The addresses in a file: from a column such as `email` and any other with addresses, or one per line. They are not
 * checked, because a service may have any text as an address. Throws a `UsageError` if the file cannot be read.
 */
export async function readAddresses(
  path: string,
  context: Pick<Context, 'system' | 'report' | 'files'>,
): Promise<readonly string[]> {
  const input = await openInput(path, context);
  const pieces = input.text[Symbol.asyncIterator]();
  let beginning = '';
  while (beginning.trimStart().length < telling) {
    const next = await pieces.next();
    if (next.done === true) break;
    beginning += next.value;
  }
  const text = withBeginning(beginning, pieces);
  const found = addressLine.test(beginning) ? lines(text) : cells({ ...input, text });
  const addresses: string[] = [];
  for await (const address of found) {
    const trimmed = trimAddress(address);
    if (trimmed !== '') addresses.push(trimmed);
  }
  return addresses;
}

async function* lines(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of text) {
    const complete = (rest + piece).split(/[\r\n]/);
    rest = complete.pop() ?? '';
    yield* complete;
  }
  yield rest;
}

async function* cells(input: Parameters<typeof readRows>[0]): AsyncGenerator<string> {
  const columns = emailColumns(noChoices, undefined);
  for await (const row of await readRows(input, columns)) {
    if ('problem' in row) throw new UsageError(`${input.name}: row ${row.number} ${row.problem}`);
    const { [emailColumn(row, input.name)]: address, ...others } = row.scope();
    if (typeof address === 'string') yield address;
    // Such as a second address of a contact: one that no contact has is not found.
    for (const other of Object.values(others)) {
      if (typeof other === 'string' && other.includes('@') && isMailbox(other)) yield other;
    }
  }
}

function emailColumn({ number, columns }: ReadableRow, name: string): string {
  const column = columns.find((one) => asMeant(one) === 'email') ?? recipientColumn(columns);
  if (column !== undefined) return column;
  const names = shortened(columns.join(', '));
  throw new UsageError(`${name}: row ${number} has no column "email", but ${names}`);
}
