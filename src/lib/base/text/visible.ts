/** Finds the hidden characters of a text. Printable ASCII, as in most texts, has none but line feeds. */
function hiddenIn(text: string): RegExp {
  return /^[\n -~]*$/.test(text) ? /\n/g : hidden();
}

/** Made on first use: that takes a millisecond, and most texts do without. */
let pattern: RegExp | undefined;

/**
 * Invisible characters that change what a terminal shows, or that hide text from people but not
 * from programs: C0, DEL, C1, lone surrogates, the line and paragraph separators, and everything
 * that Unicode calls ignorable, such as bidi controls, zero-width characters, fillers and tags. The
 * flags of England, Scotland and Wales consist of tags, so they count as hidden, too. Two kinds do
 * not count in their proper place: a joiner after an emoji or a letter of a script that needs it,
 * such as Persian or Malayalam; and one variation selector after an emoji, a symbol or a letter of
 * a script with variants.
 */
function hidden(): RegExp {
  if (pattern !== undefined) return pattern;
  const joiner = String.raw`[\u200c\u200d]`;
  const selector = String.raw`\p{Variation_Selector}`;
  const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`;
  const european = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
  const joined = String.raw`[[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}[\p{L}--${european}]]--${ignorable}]`;
  const varied = String.raw`[[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}]--${ignorable}]`;
  // The range comes first: JavaScriptCore, in the executable, rejects a nested set right after a
  // range.
  const always = String.raw`[\ufff9-\ufffb\p{Cc}\p{Cs}\p{Zl}\p{Zp}[${ignorable}--[${joiner}${selector}]]]`;
  // The look-behind comes last: it is slow and rarely needed.
  const strayJoiner = `${joiner}(?<!(?:${joined}|${varied}${selector})${joiner})`;
  const straySelector = `${selector}(?<!${varied}${selector})`;
  pattern = new RegExp(`${always}|${strayJoiner}|${straySelector}`, 'gv');
  return pattern;
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Characters that are converted at once: a text full of hidden ones grows to many times its size.
 */
const together = 16 * 1024;

/**
 * Escapes every hidden character, so that the result is one line: `\n`, `\x1b`, `\u{202e}`.
 * Idempotent.
 */
export function visible(text: string): string {
  return replaceHidden(text, escapeCharacter);
}

/** Replaces each hidden character of `text`. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  return inPieces(text, (piece) => piece.replace(hiddenIn(piece), replace));
}

/** Splits a text into pieces that can be converted one by one, with the same result. */
export function* piecesOf(text: string): Generator<string> {
  if (text.length <= together) {
    yield text;
    return;
  }
  // Characters that are hidden or not depending on the one before: no piece starts with one. Made
  // here, because the pattern takes a millisecond to make.
  const dependent = /^(?:\n|[\udc00-\udfff]?[\u200c\u200d\p{Variation_Selector}]{0,3})/v;
  for (let start = 0; start < text.length; ) {
    let end = start + together;
    end += dependent.exec(text.slice(end, end + 8))?.[0].length ?? 0;
    yield text.slice(start, end);
    start = end;
  }
}

/** Converts a text piece by piece. Returns the text itself if nothing changes. */
export function inPieces(text: string, convert: (piece: string) => string): string {
  if (text.length <= together) return convert(text);
  const pieces: string[] = [];
  let isSame = true;
  for (const piece of piecesOf(text)) {
    const converted = convert(piece);
    isSame &&= converted === piece;
    pieces.push(converted);
  }
  return isSame ? text : pieces.join('');
}

/** Like `visible`, for several lines: LF stays, CRLF becomes LF. */
export function visibleLines(text: string): string {
  return inPieces(text, (piece) =>
    piece
      .split('\r\n')
      .join('\n')
      .replace(hiddenIn(piece), (character) =>
        character === '\n' ? '\n' : escapeCharacter(character),
      ),
  );
}

/**
 * JSON text with hidden characters written as `\uHHHH`. `json` comes from `JSON.stringify`, which
 * escapes C0 and lone surrogates itself, so any C0 left is layout. The value stays the same,
 * because all other hidden characters occur only in strings.
 */
export function escapeJson(json: string): string {
  return replaceHidden(json, (character) =>
    character < ' ' ? character : byUnit(character, (hex) => `\\u${hex.padStart(4, '0')}`),
  );
}

/** Escapes of a character's one or two UTF-16 units, each made from the unit's hex number. */
export function byUnit(character: string, escapeOf: (hex: string) => string): string {
  let escaped = '';
  for (let at = 0; at < character.length; at++) {
    escaped += escapeOf(character.charCodeAt(at).toString(16));
  }
  return escaped;
}

function escapeCharacter(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return (
    shortEscapes[character] ??
    (code < 0x100 ? `\\x${hex.padStart(2, '0')}` : `\\u{${hex.padStart(4, '0')}}`)
  );
}
