/**
 * Finds lines and columns of a text, which count from 1, the column in characters. A line ends with LF, CR LF or CR.
 */
export function positionsIn(text: string) {
  let starts: number[] | undefined;
  return (offset: number) => {
    starts ??= lineStarts(text);
    let [low, high] = [0, starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle - 1;
    }
    const start = starts[low] ?? 0;
    let column = 1;
    // One character may be two UTF-16 code units.
    for (let at = start; at < offset; column++) {
      at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
    }
    return { line: low + 1, column };
  };
}

function lineStarts(text: string): number[] {
  const starts = [0];
  for (const { index, 0: end } of text.matchAll(/\r\n|\n|\r/g)) starts.push(index + end.length);
  return starts;
}
