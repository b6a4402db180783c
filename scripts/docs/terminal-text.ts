/** A piece of text with the same style throughout. */
export interface Run {
  readonly text: string;
  /** `bold`, `dim`, or the name of a colour; empty for plain text. */
  readonly looks: readonly string[];
}

const on: Readonly<Record<number, string>> = {
  1: 'bold',
  2: 'dim',
  31: 'red',
  32: 'green',
  35: 'magenta',
};
/** The styles that a code ends. */
const off: Readonly<Record<number, readonly string[]>> = {
  0: Object.values(on),
  22: ['bold', 'dim'],
  39: ['red', 'green', 'magenta'],
};

/** The rows of a text with colours for a terminal. Throws for any other escape sequence. */
export function terminalRows(text: string): Run[][] {
  let looks: readonly string[] = [];
  return text.split('\n').map((row) => {
    const runs: Run[] = [];
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminals are driven with these.
    for (const [token, code] of row.matchAll(/\x1b\[(\d+)m|[^\x1b]+|\x1b/g)) {
      if (code === undefined && token.startsWith('\x1b')) {
        throw new Error(`unknown sequence in ${JSON.stringify(row)}`);
      }
      if (code === undefined) runs.push({ text: token, looks });
      else looks = changed(looks, Number(code));
    }
    return runs;
  });
}

function changed(looks: readonly string[], code: number): readonly string[] {
  const begun = on[code];
  if (begun !== undefined) return [...looks, begun];
  const ended = off[code];
  if (ended === undefined) throw new Error(`unknown code ${code}`);
  return looks.filter((one) => !ended.includes(one));
}
