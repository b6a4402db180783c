import { inPieces, visible } from './visible.ts';

/**
 * One CSV record, CRLF included (RFC 4180). Values are not altered, as scripts rely on them: one
 * that starts with `=`, `+`, `-` or `@` is a formula to a spreadsheet that opens the file, unless
 * `asText` has been at it. Without cells there is no record, and so nothing.
 */
export function csvRow(cells: readonly string[]): string {
  if (cells.length === 0) return '';
  // Readers skip an empty line.
  if (cells.length === 1 && cells[0] === '') return '""\r\n';
  return `${cells.map(quoted).join(',')}\r\n`;
}

function quoted(cell: string): string {
  if (!/[",\r\n]/.test(cell)) return cell;
  // `replace` takes twenty times the memory where there are many.
  return `"${inPieces(cell, (piece) => piece.split('"').join('""'))}"`;
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
