import { inPieces, visible } from './visible.ts';

/**
 * One CSV record, CRLF included (RFC 4180). Values are unchanged, as scripts rely on them: only `asText`
 * keeps a spreadsheet from taking one for a formula. Without cells there is no record.
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

/** Where a formula may begin: at the start, or where a spreadsheet splits the cell; in full width too. */
const beginning = /(?<=^|[;\t|\r\n]["']?)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** A cell that no spreadsheet takes for a formula (OWASP, "CSV injection"). A number stays a number. */
export function asText(cell: string): string {
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell);
  return isNumber ? cell : cell.replace(beginning, "'");
}

/** One line of tab-separated values, LF included. Tabs and line breaks in cells are written out. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(visible).join('\t')}\n`;
}
