/**
 * Characters that change what a terminal shows without being seen themselves: C0, DEL, C1, bidi
 * marks, embeddings, overrides and isolates, zero-width and other invisible format characters,
 * the line and paragraph separator, and halves of surrogate pairs. A joiner counts as hidden
 * except after an emoji or a letter of a script that needs it, such as Persian or Malayalam.
 */
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\x00-\x1f\x7f-\x9f\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\p{Cs}]|(?<![\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}[\p{L}--[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]]])[\u200c\u200d]/gv;

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Characters that are replaced at once: a text full of hidden ones takes many times its size then. */
const together = 64 * 1024;

/**
 * `text` with every hidden character written out: `\n`, `\x1b`, `\u{202e}`. For strings from the
 * service, before they reach a terminal. The result is one line; applying it twice changes
 * nothing more.
 */
export function visible(text: string): string {
  if (text.length <= together) return text.replace(hidden, escapeCharacter);
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    let end = start + together;
    // Whether a joiner is hidden depends on what is before it, which this leaves in its piece.
    while (text.charCodeAt(end) >= 0x80) end++;
    pieces.push(text.slice(start, end).replace(hidden, escapeCharacter));
    start = end;
  }
  return pieces.join('');
}

/** Like `visible`, for texts of several lines: LF stays, CRLF becomes LF. */
export function visibleLines(text: string): string {
  return text.split(/\r?\n/).map(visible).join('\n');
}

/**
 * JSON text with DEL, C1, bidi controls and the line and paragraph separator written as `\uHHHH`.
 * `json` is output of `JSON.stringify`, which escapes C0 and lone surrogates itself. The value
 * stays the same, as these characters occur in JSON inside strings only.
 */
export function escapeJson(json: string): string {
  return json.replace(
    /[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function escapeCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  return (
    shortEscapes[character] ??
    (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex.padStart(4, '0')}}`)
  );
}
