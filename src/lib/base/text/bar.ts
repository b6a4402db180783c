/** Columns of the widest bar; a wider one would show no more. */
export const widestBar = 30;

export const percentWidth = '100.0%'.length;

/** Rounded down, so that only a complete share is 100 %. Empty for an unknown share. */
export function percent(share: number | undefined): string {
  return share === undefined ? '' : `${(Math.floor(share * 1000) / 10).toFixed(1)}%`;
}

/**
 * Full and shaded blocks in these colours; without colours they still differ. Full only when
 * complete.
 */
export function bar(
  share: number,
  width: number,
  done: (text: string) => string,
  open: (text: string) => string,
): string {
  const cells = Math.floor(Math.min(share, 1) * width);
  return done('█'.repeat(cells)) + open('░'.repeat(width - cells));
}
