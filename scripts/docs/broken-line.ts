/** Words that start a new part of a command line, and so are good places for a line break. */
const begins = /^(-.*|\||\|\||&&|>>?|<)$/;

const indent = '    ';
const end = ' \\';

/**
 * A command line in rows of at most `width` columns, each but the last ending with a backslash. Breaks before
 * flags and operators if that is enough, else between any words, but never inside quotes.
 */
export function brokenLine(line: string, width: number): readonly string[] {
  if (line.length <= width) return [line];
  const parts = partsOf(line).flatMap((words) =>
    indent.length + words.join(' ').length + end.length <= width ? [words.join(' ')] : words,
  );
  const rows: string[] = [];
  for (const part of parts) {
    const last = rows.at(-1);
    if (last === undefined) rows.push(part);
    else if (`${last} ${part}${end}`.length > width) rows.push(`${indent}${part}`);
    else rows[rows.length - 1] = `${last} ${part}`;
  }
  return rows.map((row, index) => (index === rows.length - 1 ? row : `${row}${end}`));
}

/** The words of a line, each flag with its value. */
function partsOf(line: string): string[][] {
  const parts: string[][] = [];
  for (const word of line.match(/(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? []) {
    const last = parts.at(-1);
    if (last === undefined || begins.test(word)) parts.push([word]);
    else last.push(word);
  }
  return parts;
}
