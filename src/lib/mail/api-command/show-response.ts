import { BadReplyError, OutputFailedError } from '../../base/errors.ts';
import { rememberNumbers } from '../../base/json/exact-numbers.ts';
import type { WireReply } from '../../base/system/wire.ts';
import { fieldColumn } from '../../command-line/output/cells.ts';
import { isObject } from '../../command-line/output/fields.ts';
import type { Format } from '../../command-line/output/format.ts';
import {
  body,
  type ListPage,
  type ListResult,
  list,
  type Result,
  textResult,
} from '../../command-line/output/result.ts';
import { isHtml, parseJson, readJson } from '../../service/http/reply.ts';
import { fieldsOf, findRows, idOf } from './response-rows.ts';

/** The most CSV cells from one response: every row has a cell for each field of any row. */
const mostCells = 1_000_000;

/** A 2xx response, and the parsed body if its parts are needed. */
export interface Received {
  readonly answer: WireReply;
  readonly json: unknown;
}

/** How to show a response. */
export interface ResponseFormat {
  readonly format: Format;
  readonly fields: readonly string[] | undefined;
  readonly include: boolean;
  readonly paginate: boolean;
  /** Whether the request may have changed something. */
  readonly writes: boolean;
}

/** Whether to show the parts of a response instead of its unmodified body. */
export function takesApart({ format, fields }: Pick<ResponseFormat, 'format' | 'fields'>): boolean {
  return (format !== 'table' && format !== 'json') || fields !== undefined;
}

/**
 * Reads a response for this format. Throws a `BadReplyError` if it has to be JSON and is not, or if it is a web page, such
 * as that of a network where one has to log in.
 */
export function answerReader(look: ResponseFormat) {
  const wantsParts = takesApart(look) || look.paginate;
  const wantsJson = wantsParts || (look.format === 'json' && !look.include);
  return (answer: WireReply, baseUrl: string): Received => {
    const isPage = !look.include && isHtml(answer);
    if (!(wantsJson || isPage) || answer.body.trim() === '') return { answer, json: undefined };
    const json = readJson(answer, baseUrl);
    if (!wantsParts) return { answer, json: undefined };
    rememberNumbers(json, answer.body);
    const problem = look.writes ? undefined : csvProblem(json, look);
    if (problem === undefined) return { answer, json };
    throw new BadReplyError(problem.message, { status: answer.status, hint: problem.hint });
  };
}

/** Why a response cannot be shown as CSV; undefined if it can, or need not. */
function csvProblem(json: unknown, { format, fields }: ResponseFormat) {
  if (format !== 'csv') return undefined;
  const found = findRows(json);
  const columns = fields?.length ?? fieldsOf(found?.rows ?? []).length;
  if (found !== undefined && found.rows.length * columns > mostCells) {
    return {
      message: 'The rows of the response have too many different fields to be shown as CSV.',
      hint: 'Leave out --csv or --csv-safe, or choose with --fields.',
    };
  }
  if (isObject(json) || found !== undefined) return undefined;
  return {
    message: 'The response has no objects to show as CSV.',
    hint: 'Leave out --csv or --csv-safe to see it.',
  };
}

/**
 * A response as a result: unmodified, or as rows, or as fields. Throws an `OutputFailedError` if that of a
 * request that may have changed something cannot be shown.
 */
export function resultOf({ answer, json }: Received, look: ResponseFormat): Result {
  const carriedOut = look.writes ? { ids: idsIn(answer) } : undefined;
  if (json === undefined || !takesApart(look)) {
    return body({ answer, include: look.include, carriedOut });
  }
  const problem = csvProblem(json, look);
  if (problem !== undefined) {
    const { message, hint } = problem;
    throw new OutputFailedError(`The request was accepted. ${message}`, { ...carriedOut, hint });
  }
  const found = findRows(json);
  // A single thing is shown with its fields, as in other commands.
  const byFields = look.format === 'table' || look.format === 'json';
  if (found === undefined && byFields) {
    return textResult({ reply: json, text: '', afterWriting: look.writes, carriedOut });
  }
  const shape = found ?? { rows: [json] };
  return { ...listResult([{ rows: shape.rows, rest: json }], shape, look), carriedOut };
}

/** The ids in a response; none if it is not JSON. */
function idsIn({ body }: WireReply): readonly string[] {
  const json = parseJson(body);
  return (findRows(json)?.rows ?? [json]).map(idOf).filter((id) => id !== '');
}

/** Where a list has its rows, and the rows of its first page, which determine the columns. */
interface Shape {
  readonly rowsIn?: string | undefined;
  readonly rows: readonly unknown[];
}

/** The rows of a reply as a result: of one page or, with `--paginate`, of all pages joined. */
export function listResult(
  pages: readonly ListPage<unknown>[] | AsyncIterable<ListPage<unknown>>,
  { rowsIn, rows }: Shape,
  look: ResponseFormat,
): ListResult {
  return list<unknown>({
    pages: look.format === 'quiet' && look.fields === undefined ? withIds(pages) : pages,
    rowsIn,
    joinPages: look.paginate,
    afterWriting: look.writes,
    asJson: true,
    columns: fieldsOf(rows).map(fieldColumn),
    id: idOf,
    empty: 'No rows.',
  });
}

/** The pages without rows that lack an id to print. */
async function* withIds(
  pages: readonly ListPage<unknown>[] | AsyncIterable<ListPage<unknown>>,
): AsyncGenerator<ListPage<unknown>> {
  for await (const { rows } of pages) {
    yield { rows: rows.filter((row) => idOf(row) !== '') };
  }
}
