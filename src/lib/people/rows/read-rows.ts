import { UsageError } from '../../base/errors.ts';
import type { ReadColumns } from './columns.ts';
import type { OpenInput } from './open-input.ts';
import { type IsLeftOut, type Rows, withBeginning } from './row.ts';

/**
 * The rows of an input: a JSON array, JSON Lines, or CSV with a header, recognised by the first character;
 * `readColumns` is for CSV. Columns that are left out are not read at all. Throws a `UsageError` if it is empty or none of these.
 */
export async function readRows(
  input: Pick<OpenInput, 'text' | 'name' | 'path' | 'system'>,
  readColumns: ReadColumns,
  isLeftOut?: IsLeftOut,
): Promise<Rows> {
  const { text, name } = input;
  const pieces = text[Symbol.asyncIterator]();
  let beginning = '';
  while (beginning.trim() === '') {
    const next = await pieces.next();
    if (next.done === true) {
      throw new UsageError(`${name} is empty`, {
        hint: 'Nothing was sent. An empty file most often comes from a query that failed.',
      });
    }
    beginning += next.value;
  }
  const all = withBeginning(beginning, pieces);
  const start = beginning.trimStart()[0];
  if (start !== '[' && start !== '{') {
    return (await import('./csv.ts')).csvRows(all, input, readColumns, isLeftOut);
  }
  const { jsonRows, jsonArrayTexts, jsonLineTexts } = await import('./json.ts');
  return jsonRows((start === '[' ? jsonArrayTexts : jsonLineTexts)(all, name), isLeftOut);
}
