import { fileSize } from '../../../shared/file-size.ts';
import type { Cell } from './result.ts';

/** Longer HTML, in characters, does not help on a terminal. */
const mostHtml = 500;

/**
 * HTML as a cell for a terminal; only its size if it is long. The command has the flag `--open`.
 */
export function htmlInShort(html: string | null | undefined): Cell {
  if (typeof html !== 'string' || html.length <= mostHtml) return html;
  return `${fileSize(Buffer.byteLength(html))}: --open shows it`;
}
