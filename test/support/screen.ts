/** What a person sees on a terminal. */
export interface Screen {
  /** Rows without the blanks at their ends, and without empty rows at the end. */
  readonly rows: readonly string[];
  readonly cursorVisible: boolean;
}

/**
 * Draws text with the escape sequences that prompts and spinners use: cursor movement, erasing, hiding the
 * cursor; ignores colours. Throws for unknown sequences. A row has `columns` columns; the number of rows is
 * not limited.
 */
export function draw(output: string, columns: number): Screen {
  const rows: string[][] = [[]];
  let row = 0;
  let column = 0;
  let cursorVisible = true;

  const line = () => {
    while (rows.length <= row) rows.push([]);
    return rows[row] ?? [];
  };
  const put = (character: string) => {
    if (column >= columns) newLine(true);
    const cells = line();
    while (cells.length < column) cells.push(' ');
    cells[column++] = character;
  };
  const newLine = (toStart: boolean) => {
    row++;
    if (toStart) column = 0;
    line();
  };
  const control = (final: string, parameters: string) => {
    const [first, second] = parameters.split(';').map(Number);
    const count = first || 1;
    if (final === 'm' || (final === 'u' && parameters.startsWith('>'))) return;
    if (final === 'A') row = Math.max(0, row - count);
    else if (final === 'B') row += count;
    else if (final === 'C') column = Math.min(columns - 1, column + count);
    else if (final === 'D') column = Math.max(0, column - count);
    else if (final === 'G') column = count - 1;
    else if (final === 'H') [row, column] = [count - 1, (second || 1) - 1];
    else if (final === 'K') eraseInLine(line(), column, first);
    else if (final === 'J' && !first) {
      line().splice(column);
      rows.splice(row + 1);
    } else if (parameters === '?25' && /[hl]/.test(final)) cursorVisible = final === 'h';
    else if (!/^\?(2004|2026)$/.test(parameters)) {
      throw new Error(`unknown sequence CSI ${parameters}${final}`);
    }
  };

  // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
  for (const [token, parameters, final] of output.matchAll(/\x1b\[([?>\d;]*)([A-Za-z])|[\s\S]/gu)) {
    if (final !== undefined) control(final, parameters ?? '');
    else if (token === '\n') newLine(false);
    else if (token === '\r') column = 0;
    else if (token === '\t') column = Math.min(columns - 1, column - (column % 8) + 8);
    else if (token === '\b') column = Math.max(0, column - 1);
    else if (token === '\x1b') throw new Error(`unknown sequence in ${JSON.stringify(output)}`);
    else if (token !== '\x07') put(token);
  }
  const shown = rows.map((cells) => cells.join('').trimEnd());
  while (shown.at(-1) === '') shown.pop();
  return { rows: shown, cursorVisible };
}

function eraseInLine(cells: string[], column: number, what = 0): void {
  if (what === 0) cells.splice(column);
  else cells.fill(' ', 0, what === 1 ? column + 1 : cells.length);
}
