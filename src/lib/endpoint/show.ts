import type { CommonFlags } from '../common-flags.ts';
import { BadReplyError } from '../errors.ts';
import { rememberNumbers } from '../exact-numbers.ts';
import { fieldColumn } from '../output/cells.ts';
import { isObject } from '../output/fields.ts';
import { body, list, type Page, type Result, textResult } from '../output/result.ts';
import type { WireReply } from '../wire.ts';
import { fieldsOf, findRows, idOf } from './rows.ts';

/** A 2xx answer, and the value of its body when that is JSON and wanted for its parts. */
export interface Answer {
  readonly answer: WireReply;
  readonly json: unknown;
}

/** The flags that decide how an answer is shown. */
export interface ShowFlags
  extends Pick<CommonFlags, 'json' | 'jsonl' | 'csv' | 'quiet' | 'fields'> {
  readonly include?: boolean | undefined;
  readonly paginate?: boolean | undefined;
}

/** Whether it is shown by its parts, and not as it came. */
export function takesApart({ jsonl, csv, quiet, fields }: ShowFlags): boolean {
  return jsonl === true || csv === true || quiet === true || fields !== undefined;
}

/**
 * Reads an answer for showing it with these flags. Throws a `BadReplyError` when they want JSON and
 * it is something else; having no body is fine, and `--quiet` never minds.
 */
export async function answerReader(flags: ShowFlags) {
  const { parseJson, readJson } = await import('../reply.ts');
  const wantsRows = takesApart(flags) || flags.paginate === true;
  const wantsJson = flags.json === true || (takesApart(flags) && flags.quiet !== true);
  return (answer: WireReply, baseUrl: string): Answer => {
    if (answer.body.trim() === '') return { answer, json: undefined };
    const mustBeJson = wantsJson && flags.include !== true;
    const json = mustBeJson ? readJson(answer, baseUrl) : parseJson(answer.body);
    if (!wantsRows || json === undefined) return { answer, json: undefined };
    rememberNumbers(json, answer.body);
    if (flags.csv !== true || isObject(json) || findRows(json)) return { answer, json };
    throw new BadReplyError('The answer holds no objects, which could be shown as CSV.', {
      status: answer.status,
      hint: 'Leave out --csv to see it.',
    });
  };
}

/** An answer as a result: as it came, or by its rows, or by its fields. */
export function resultOf({ answer, json }: Answer, flags: ShowFlags): Result {
  if (json === undefined || !takesApart(flags)) {
    return body({ answer, include: flags.include === true });
  }
  const found = findRows(json);
  // One thing is shown by its fields as other commands show it.
  const byRow = flags.jsonl === true || flags.csv === true || flags.quiet === true;
  if (found === undefined && !byRow) return textResult({ reply: json, text: '' });
  const shape = found ?? { rows: [json], rowsIn: undefined };
  return listResult([{ reply: json, rows: shape.rows }], shape, flags);
}

/** Where the rows of a list are, and which they are on its first page: they make its columns. */
interface Shape {
  readonly rowsIn: string | undefined;
  readonly rows: readonly unknown[];
}

/** The rows of a reply as a result, in one page or, with `--paginate`, in all that are joined. */
export function listResult(
  pages: readonly Page<unknown>[] | AsyncIterable<Page<unknown>>,
  { rowsIn, rows }: Shape,
  flags: ShowFlags,
): Result {
  return list<unknown>({
    pages: flags.quiet === true ? withIds(pages) : pages,
    rowsIn,
    joinPages: flags.paginate === true,
    asJson: true,
    columns: fieldsOf(rows).map(fieldColumn),
    id: idOf,
    empty: 'No rows.',
  });
}

/** The pages without rows that have no id to print. */
async function* withIds(
  pages: readonly Page<unknown>[] | AsyncIterable<Page<unknown>>,
): AsyncGenerator<Page<unknown>> {
  for await (const { reply, rows } of pages) {
    yield { reply, rows: rows.filter((row) => idOf(row) !== '') };
  }
}
