import { stringify } from 'csv-stringify/sync';
import { visible } from './visible.ts';

/**
 * One CSV record, CRLF included (RFC 4180). Values are not altered, as scripts rely on them: one
 * that starts with `=`, `+`, `-` or `@` is a formula to a spreadsheet that opens the file. Without
 * cells there is no record, and so nothing.
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

/** One line of tab-separated values, LF included. Tabs and line breaks in cells are written out. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(visible).join('\t')}\n`;
}
