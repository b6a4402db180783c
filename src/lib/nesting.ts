/** How many levels of arrays and objects are read; more would not fit on the stack. */
const deepest = 1000;

/** Whether JSON text, which must be valid, is nested deeper than this program reads. */
export function isTooDeep(json: string): boolean {
  let depth = 0;
  for (let at = 0; at < json.length; at++) {
    const character = json[at];
    if (character === '"') at = endOfString(json, at);
    else if (character === '[' || character === '{') depth++;
    else if (character === ']' || character === '}') depth--;
    if (depth > deepest) return true;
  }
  return false;
}

/** Where the string of a valid JSON text ends that begins at `start`: the place of its last quote. */
export function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let escapes = 0;
    while (json[end - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return end;
  }
  return json.length;
}
