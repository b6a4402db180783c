/** Fewer columns than these are not a description any more. */
const leastDescription = 8;

/**
 * Values for a list on the screen, each with its description in a column beside it, cut to fit a
 * terminal so wide; unknown widths count as 80.
 */
export function described<Of extends { readonly value: string; readonly description: string }>(
  candidates: readonly Of[],
  columns: number,
  show: (candidate: Of) => string,
): string[] {
  const width = columns > 0 ? columns : 80;
  const longest = Math.max(0, ...candidates.map(({ value }) => lengthOf(value)));
  const room = width - longest - 3;
  return candidates.map((candidate) => {
    const { value, description } = candidate;
    if (description === '' || room < leastDescription) return value;
    const padding = ' '.repeat(longest - lengthOf(value) + 2);
    return `${value}${padding}${cut(show(candidate), room)}`;
  });
}

function cut(text: string, room: number): string {
  const characters = [...text];
  return characters.length <= room ? text : `${characters.slice(0, room - 1).join('')}…`;
}

function lengthOf(text: string): number {
  return [...text].length;
}
