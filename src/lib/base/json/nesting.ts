/** Most levels of arrays and objects that are read; more would not fit on the stack. */
export const deepest = 1000;

/**
 * Most parts of a short text. Each part takes up to a hundred bytes as a value, as much again
 * during its check, and five times that if its number is kept as text. A page of 50 emails has
 * about 2,000 parts; the longest list, 5,000 contacts with ten properties each, has 210,000.
 */
const mostParts = 250_000;

/** The budget of a long text: its characters, and 50 more for each part. */
const charactersAndParts = 20 * 1024 * 1024;
const charactersOfPart = 50;

/**
 * Whether JSON text has more nesting than these levels, or more parts (values and their names), than this program
 * reads. Checked before parsing, because the values of 16 MiB of `{},{},…` take gigabytes. The
 * result means nothing for text that is not JSON.
 */
export function isTooMuch(json: string, levels = deepest): 'nesting' | 'parts' | undefined {
  const most = Math.min(mostParts, (charactersAndParts - json.length) / charactersOfPart);
  let depth = 0;
  let parts = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === ',' || character === ':') parts++;
    else if (character === '[' || character === '{') {
      parts++;
      depth++;
    } else if (character === ']' || character === '}') depth--;
    if (depth > levels) return 'nesting';
    if (parts > most) return 'parts';
  }
  return undefined;
}

/** The position of the closing quote of a string that starts at `start`, in valid JSON text. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
