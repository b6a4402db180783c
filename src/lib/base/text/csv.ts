import { inPieces, visible } from './visible.ts';

/**
 * One CSV record with its CRLF (RFC 4180), or another end. Values are unchanged, because scripts rely on them; only
 * `asText` protects spreadsheets from formulas. No cells, no record.
 */
export function csvRow(cells: readonly string[], end = '\r\n'): string {
  if (cells.length === 0) return '';
  // Readers would skip an empty line.
  if (cells.length === 1 && cells[0] === '') return `""${end}`;
  return `${cells.map(quoted).join(',')}${end}`;
}

function quoted(cell: string): string {
  // Many readers take white space around a cell as none of it.
  if (!/[",\r\n]|^\s|\s$/.test(cell)) return cell;
  // With many quotes, `replace` takes twenty times the memory.
  return `"${inPieces(cell, (piece) => piece.split('"').join('""'))}"`;
}

/**
 * Where a formula may start: at the beginning, or where a spreadsheet splits the cell. Full-width
 * characters count, too.
 */
const beginning = /(?<=^|[;\t|\r\n]["']?)(?=[=+\-@＝＋－＠])|^(?=[\t\r\n])/g;

/** A cell that no spreadsheet reads as a formula (OWASP, "CSV injection"). Numbers stay numbers. */
export function asText(cell: string): string {
  const isNumber = /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell);
  return isNumber ? cell : cell.replace(beginning, "'");
}

/** One line of tab-separated values with its LF. */
export function tsvRow(cells: readonly string[]): string {
  return `${cells.map(tsvCell).join('\t')}\n`;
}

/** A cell whose tabs, line breaks and hidden characters are escaped, and backslashes, so that it can be undone. */
export function tsvCell(cell: string): string {
  return visible(cell.replaceAll('\\', '\\\\'));
}
