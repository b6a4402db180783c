import { stringify } from 'csv-stringify/sync';
import { visible } from './visible.ts';

/**
 * One CSV record, CRLF included (RFC 4180). Values are not altered, as scripts rely on them: one
 * that starts with `=`, `+`, `-` or `@` is a formula to a spreadsheet that opens the file, unless
 * `asText` has been at it. Without cells there is no record, and so nothing.
 */
export function csvRow(cells: readonly string[]): string {
  if (cells.length === 0) return '';
  return stringify([[...cells]], {
    record_delimiter: '\r\n',
    // Its own quoting looks for the whole record delimiter; a lone CR or LF needs quotes too.
    quoted_match: /[\r\n]/,
    // Readers skip an empty line.
    quoted_empty: cells.length === 1,
  });
}

/**
 * What may begin a formula, in full width too, at the beginning of a cell or where a spreadsheet that
 * splits at semicolons, tabs or bars begins one; a quotation mark may stand before it.
 */
const beginning = /(?<=^|[;\t|\r\n]["']?)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/**
 * A cell that no spreadsheet takes for a formula: a quote goes before what may begin one, as OWASP
 * has it under "CSV injection". A number stays as it is: it does nothing, and is to be added up.
 */
export function asText(cell: string): string {
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell);
  return isNumber ? cell : cell.replace(beginning, "'");
}

/** One line of tab-separated values, LF included. Tabs and line breaks in cells are written out. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(visible).join('\t')}\n`;
}
