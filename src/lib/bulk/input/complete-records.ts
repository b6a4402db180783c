import { longestRow } from './row.ts';

/**
 * A text in pieces that end between two CSV records: behind a line break that is not in quotes, or
 * at the end of the text. A quote in a quoted cell is written twice (RFC 4180), so that the number
 * of quotes tells. Calls `tooLong` for a record that cannot end well any more, which throws.
 */
export async function* completeRecords(
  text: AsyncIterable<string>,
  tooLong: () => never,
): AsyncGenerator<string> {
  let rest = '';
  let quoted = false;
  for await (const piece of text) {
    let end = 0;
    for (let from = 0; ; ) {
      const quote = piece.indexOf('"', from);
      const until = quote === -1 ? piece.length : quote;
      const lineBreak = quoted ? -1 : piece.slice(from, until).lastIndexOf('\n');
      if (lineBreak !== -1) end = from + lineBreak + 1;
      if (quote === -1) break;
      quoted = !quoted;
      from = quote + 1;
    }
    const complete = rest + piece.slice(0, end);
    rest = end === 0 ? complete + piece : piece.slice(end);
    if (end > 0) yield complete;
    if (rest.length > longestRow) tooLong();
  }
  if (rest !== '') yield rest;
}
