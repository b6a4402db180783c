// The table at the end of npm run release: what there is, and what is known about it.

/** A line for each row: its file, size, who has tested it and what nobody has; for a missing one, the reason. */
export function tableOf(rows) {
  const cells = rows.map(({ name, size, tested, untested, reason }) =>
    reason === undefined
      ? [name, sizeOf(size), tested || '-', untested || '-']
      : [name, '-', '-', reason],
  );
  const lines = [['FILE', 'SIZE', 'TESTED', 'NOT TESTED'], ...cells];
  const widths = [0, 1, 2].map((column) => Math.max(...lines.map((line) => line[column].length)));
  const padded = (line) => line.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ');
  return lines.map((line) => `${padded(line).trimEnd()}\n`).join('');
}

function sizeOf(bytes) {
  if (bytes < 1e6) return `${Math.ceil(bytes / 1000)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
