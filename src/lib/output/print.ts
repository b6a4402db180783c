import { attempt } from '../../shared/attempt.ts';
import { parseExact } from '../json/exact-numbers.ts';
import { hasTooManyParts, isTooMuch } from '../json/nesting.ts';
import type { Output } from '../system/system.ts';
import type { WireReply } from '../system/wire.ts';
import { tsvRow } from '../text/csv.ts';
import { escapeJson, visible, visibleLines } from '../text/visible.ts';
import { cellIn, plainCell } from './cells.ts';
import { checkFields, chooseFields, dataOf } from './chosen-fields.ts';
import { pick, valueAt } from './fields.ts';
import { printLabelled, stackedRows } from './print-labelled.ts';
import { printList } from './print-list.ts';
import {
  indentedJson,
  jsonDocument,
  jsonLine,
  type PrintOptions,
  print,
  printConverted,
  printJson,
  printTsv,
} from './print-text.ts';
import {
  type BodyResult,
  type Column,
  type ListResult,
  linesOf,
  type RecordResult,
  type Result,
  type Section,
} from './result.ts';

/** Prints a result. Nothing else writes a command's output to stdout. */
export async function printResult(result: Result, options: PrintOptions): Promise<void> {
  switch (result.kind) {
    case 'list':
      return await (result.file === undefined ? printList : printToFile)(result, options);
    case 'record':
      return await printRecord(result, options);
    case 'done':
      await printSingle({ reply: result.reply, text: result.ids.map(visible).join('\n') }, options);
      if (result.failure === undefined) options.notes.say(result.message);
      return;
    case 'body':
      return await printBody(result, options);
    case 'stream':
      for (const piece of result.pieces) await print(options, piece);
      return;
    case 'text':
      if (result.verbatim === true) return await print(options, result.text);
      return await printSingle(
        {
          ...result,
          text: options.format === 'quiet' ? visible(result.quiet ?? result.text) : result.text,
        },
        options,
      );
  }
}

/** Writes a list to the file that replaces stdout, once it is complete. */
async function printToFile(result: ListResult, options: PrintOptions): Promise<void> {
  const pieces: string[] = [];
  const stdout: Output = {
    write(text, done) {
      pieces.push(text);
      done();
    },
  };
  await printList(result, { ...options, stdout });
  await result.file?.write(pieces);
  options.notes.say(result.file?.written ?? '');
}

/**
 * Shows a response as received. On a terminal, JSON is indented and hidden characters are escaped.
 */
async function printBody(result: BodyResult, options: PrintOptions): Promise<void> {
  const { answer, include, failure } = result;
  const { format, stdout } = options;
  const forTerminal = stdout.isTTY === true;
  if (format === 'quiet') return;
  if (format === 'json' && include) {
    // For a rejection, scripts get only the error.
    if (failure !== undefined) return;
    return await print(options, shownBody(wholeDocument(answer), forTerminal));
  }
  if (include) await print(options, await headText(answer));
  await print(options, shownBody(answer.body, forTerminal));
}

/** Status and headers as lines, and an empty line. The HTTP version is unknown. */
async function headText({ status, headers }: WireReply): Promise<string> {
  const { STATUS_CODES } = await import('node:http');
  const statusLine = `HTTP ${status} ${STATUS_CODES[status] ?? ''}`.trimEnd();
  const lines = Object.entries(headers).map(([name, value]) => visible(`${name}: ${value}`));
  return `${[statusLine, ...lines, ''].join('\n')}\n`;
}

/** The response as JSON text; a JSON body stays as received. */
function wholeDocument({ status, headers, body }: WireReply): string {
  const json = isJson(body) ? body.trim() : JSON.stringify(body === '' ? null : body);
  return `{"status":${status},"headers":${JSON.stringify(headers)},"body":${json}}`;
}

function shownBody(text: string, forTerminal: boolean): string {
  if (text === '') return '';
  if (!forTerminal) return isJson(text) ? withLineEnd(text) : text;
  return withLineEnd(indented(text) ?? visibleLines(text));
}

/** JSON text for a person; undefined if it is not JSON, or too large for that. */
function indented(text: string): string | undefined {
  if (isTooMuch(text) !== undefined) return undefined;
  return attempt(() => escapeJson(indentedJson(parseExact(text))), undefined);
}

function withLineEnd(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}

/** Whether a text is JSON, at any depth, with no more parts than this program reads. */
function isJson(text: string): boolean {
  return !hasTooManyParts(text) && attempt(() => JSON.parse(text), undefined) !== undefined;
}

/** Shows one thing in full: labels and values, then its sections. */
async function printRecord(result: RecordResult, options: PrintOptions): Promise<void> {
  const { format, fields, stdout } = options;
  const { reply, sections = [] } = result;
  const columns = columnsOf(result);
  if (format !== 'table' || fields !== undefined) {
    const ofSections = sections.flatMap((one) => sectionColumns(one));
    const single = { reply, text: visible(result.quiet), columns: [...columns, ...ofSections] };
    return await printSingle(single, options);
  }
  if (stdout.isTTY === true) {
    await printLabelled(
      // Labels are only as wide as those that are shown.
      result.rows.flatMap(([, label, cell]) => (plainCell(cell) === '' ? [] : [[label, cell]])),
      options,
    );
  } else {
    for (const column of columns) {
      const data = dataOf(column, reply);
      // A field that is missing from the reply has no row.
      const isThere = data !== undefined || valueAt(reply, column.field) !== undefined;
      if (isThere) await printTsv(options, [column.field, plainCell(data)]);
    }
  }
  for (const section of sections) await printSection(section, options);
  if (result.note !== undefined) options.notes.say(...linesOf(result.note));
}

/** The rows of a record as columns. Fields that are not in the reply are computed. */
function columnsOf({ reply, rows }: RecordResult): readonly Column<unknown>[] {
  return rows.map(([field, header, cell]) => ({
    field,
    header,
    cell: () => cell,
    computed: valueAt(reply, field) === undefined,
  }));
}

/** The columns of a section as columns of the whole reply: each cell has the values of all rows. */
function sectionColumns({ field: place, columns, rows }: Section<unknown>): Column<unknown>[] {
  return columns
    .filter(({ computed }) => computed === true)
    .map((column) => ({
      ...{ field: `${place}.${column.field}`, header: '', computed: true },
      cell: () => rows.map((row) => plainCell(cellIn(column, row))),
    }));
}

async function printSection(section: Section<unknown>, options: PrintOptions): Promise<void> {
  const { stdout, style } = options;
  const { title, field: place, columns, rows } = section;
  if (stdout.isTTY !== true) {
    await print(options, `\n${tsvRow(columns.map(({ field }) => `${place}.${field}`))}`);
    for (const row of rows) {
      await print(options, tsvRow(columns.map((column) => plainCell(dataOf(column, row)))));
    }
    return;
  }
  await print(options, `\n${style.palette.bold(title)}\n`);
  if (rows.length === 0) return await print(options, `${section.empty}\n`);
  if (section.stacked === true) return await stackedRows(columns, options)(rows);
  const { createTable } = await import('./table.ts');
  const table = createTable(columns, style, stdout.columns || 80);
  await print(options, table(rows.map((row) => columns.map((column) => cellIn(column, row)))));
}

/** One value, and what is known about it. */
interface Single {
  readonly reply: unknown;
  /** Shown unless JSON or some of its fields are asked for. */
  readonly text: string;
  /** The columns for output by fields, if any. */
  readonly columns?: readonly Column<unknown>[];
  readonly afterWriting?: boolean | undefined;
}

/** Prints JSON or the chosen fields if asked for, else the text. */
async function printSingle(
  { reply, text, columns = [], afterWriting }: Single,
  options: PrintOptions,
): Promise<void> {
  const { format, known } = options;
  const chosen = options.fields && chooseFields(options.fields, { columns, known });
  if (chosen !== undefined) checkFields(chosen, [reply], { columns, afterWriting }, options);
  const shown = () => (chosen === undefined ? reply : pick(reply, chosen));
  if (format === 'json') return await printJson(options, jsonDocument(shown(), options));
  if (format === 'jsonl') return await printJson(options, jsonLine(shown()));
  if (chosen === undefined) return await printText(text, options);
  for (const { name, column } of chosen) {
    const value = plainCell(dataOf(column, reply));
    if (format === 'quiet') await printText(value, options, '\n');
    else await printTsv(options, [name, value]);
  }
}

/** Prints a text that ends with a line break, or `empty` if it is empty. */
async function printText(text: string, options: PrintOptions, empty = ''): Promise<void> {
  await printConverted(options, text === '' ? empty : `${text}\n`, visibleLines);
}
