/** Escapes a text for Markdown. */
export function markdown(text: string): string {
  return text.replace(/[\\`*_{}[\]<>|#]/g, '\\$&');
}

/** A text as code in a cell of a table. */
export function codeCell(text: string): string {
  return `\`${text.replaceAll('|', '\\|')}\``;
}

/** A table; the cells are Markdown already. */
export function table(
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [line(header), `|${' --- |'.repeat(header.length)}`, ...rows.map(line), ''];
}

/** The fragment that GitHub gives a heading. */
export function anchor(heading: string): string {
  return `#${heading.toLowerCase().replaceAll(' ', '-')}`;
}
