/** A description cut to fewer columns says nothing. */
const leastDescription = 8;

/** Measures texts: how many columns one takes, and how much of it fits. */
interface Measure {
  readonly width: (text: string) => number;
  readonly cut: (text: string, width: number) => string;
}

/** Values with their descriptions in a column beside them, cut to the terminal; 80 if it is unknown. */
export async function described<
  Of extends { readonly value: string; readonly description: string },
>(
  candidates: readonly Of[],
  columns: number,
  show: (candidate: Of) => string,
): Promise<readonly string[]> {
  const texts = candidates.map((candidate) => ({
    value: candidate.value,
    shown: candidate.description === '' ? '' : show(candidate),
  }));
  const { width, cut } = await measureFor(texts.flatMap(({ value, shown }) => [value, shown]));
  const longest = Math.max(0, ...texts.map(({ value }) => width(value)));
  const room = (columns > 0 ? columns : 80) - longest - 3;
  return texts.map(({ value, shown }) => {
    if (shown === '' || room < leastDescription) return value;
    return `${value}${' '.repeat(longest - width(value) + 2)}${cut(shown, room)}`;
  });
}

/** Latin letters and common punctuation: one column each in every terminal. */
const narrow = /^[ -~\u00a1-\u00ac\u00ae-\u02ff\u2010-\u2027]*$/;

const ofNarrow: Measure = {
  width: (text) => text.length,
  cut: (text, width) => (text.length <= width ? text : `${text.slice(0, width - 1)}…`),
};

/** The module that measures other texts takes longer to load than everything else here. */
async function measureFor(texts: readonly string[]): Promise<Measure> {
  if (texts.every((text) => narrow.test(text))) return ofNarrow;
  const [{ default: width }, { cut }] = await Promise.all([
    import('string-width'),
    import('../../base/text/flow.ts'),
  ]);
  return { width, cut };
}
