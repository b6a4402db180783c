/** White space, then a token: punctuation, a string, or another scalar. Nothing if none is there. */
const token =
  /[\t\n\r ]*(?:([[\]{}:,])|("(?:[ !#-[\]-\u{10ffff}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*")|(-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null))?/uy;

const value = 'sv[{';

/**
 * Where a text that `JSON.parse` rejects stops being JSON: `line 2, column 5`. The parser's own message may
 * have no position, and quotes the text, which may be secret.
 */
export function whereNotJson(text: string): string {
  const around: string[] = [];
  let expected = value;
  token.lastIndex = 0;
  for (let end = 0; ; end = token.lastIndex) {
    const [all = '', mark, string, scalar] = token.exec(text) ?? [];
    const kind = mark ?? (string && 's') ?? (scalar && 'v');
    if (kind === undefined || !expected.includes(kind)) {
      const lines = text.slice(0, end + all.search(/[^\t\n\r ]|$/)).split('\n');
      return `line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
    }
    if (kind === '[' || kind === '{') around.push(kind);
    else if (kind === ']' || kind === '}') around.pop();
    const isObject = around.at(-1) === '{';
    if (kind === '[') expected = `${value}]`;
    else if (kind === '{') expected = 's}';
    else if (kind === ':') expected = value;
    else if (kind === ',') expected = isObject ? 's' : value;
    else if (kind === 's' && isObject && expected !== value) expected = ':';
    else expected = around.length === 0 ? '' : isObject ? ',}' : ',]';
  }
}
