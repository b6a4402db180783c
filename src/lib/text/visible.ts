/** Made when it is first needed: that takes a millisecond, and a help page does without. */
let pattern: RegExp | undefined;

/**
 * Characters that change what a terminal shows without being seen themselves, or hide text from
 * people that programs read: C0, DEL, C1, halves of surrogate pairs, the line and paragraph
 * separator, and all that Unicode calls ignorable, such as bidi controls, zero-width characters,
 * fillers and tags. The flags of England, Scotland and Wales are written in tags, and count as
 * hidden with them. Two kinds do not count where they belong: a joiner after an emoji or a letter of
 * a script that needs it, such as Persian or Malayalam, and one variation selector after an emoji,
 * a symbol or a letter of a script that has variants.
 */
function hidden(): RegExp {
  if (pattern !== undefined) return pattern;
  const joiner = String.raw`[\u200c\u200d]`;
  const selector = String.raw`\p{Variation_Selector}`;
  const ignorable = String.raw`\p{Default_Ignorable_Code_Point}`;
  const european = String.raw`[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]`;
  const joined = String.raw`[[\p{M}\p{Extended_Pictographic}\p{Emoji_Modifier}[\p{L}--${european}]]--${ignorable}]`;
  const varied = String.raw`[[\p{Emoji}\p{S}\p{Script=Han}\p{Script=Mongolian}\p{Script=Myanmar}\p{Script=Phags_Pa}]--${ignorable}]`;
  // The range stands first: JavaScriptCore, in the executable, refuses a nested set right after one.
  const always = String.raw`[\ufff9-\ufffb\p{Cc}\p{Cs}\p{Zl}\p{Zp}[${ignorable}--[${joiner}${selector}]]]`;
  // What stands before is looked at last: that is slow, and seldom needed.
  const strayJoiner = `${joiner}(?<!(?:${joined}|${varied}${selector})${joiner})`;
  const straySelector = `${selector}(?<!${varied}${selector})`;
  pattern = new RegExp(`${always}|${strayJoiner}|${straySelector}`, 'gv');
  return pattern;
}

const shortEscapes: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** Characters that are replaced at once: a text full of hidden ones takes many times its size then. */
const together = 16 * 1024;

/** Every hidden character is written out, and all is one line: `\n`, `\x1b`, `\u{202e}`. Idempotent. */
export function visible(text: string): string {
  return replaceHidden(text, escapeCharacter);
}

/** `text` with something else in the place of each hidden character. */
export function replaceHidden(text: string, replace: (character: string) => string): string {
  return inPieces(text, (piece) => piece.replace(hidden(), replace));
}

/** A text in parts of a size that can be converted one by one, with the same result. */
export function* piecesOf(text: string): Generator<string> {
  // What is hidden or not by what stands before it: no piece begins with it. Not outside, because such a
  // pattern takes a millisecond to make.
  const dependent = /^(?:\n|[\udc00-\udfff]?[\u200c\u200d\p{Variation_Selector}]{0,3})/v;
  for (let start = 0; start < text.length; ) {
    let end = start + together;
    end += dependent.exec(text.slice(end, end + 8))?.[0].length ?? 0;
    yield text.slice(start, end);
    start = end;
  }
}

/** A text of which each piece has been converted; the text itself where nothing was to be done. */
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

/** Like `visible`, for texts of several lines: LF stays, CRLF becomes LF. */
export function visibleLines(text: string): string {
  return inPieces(text, (piece) =>
    piece
      .split('\r\n')
      .join('\n')
      .replace(hidden(), (character) => (character === '\n' ? '\n' : escapeCharacter(character))),
  );
}

/**
 * JSON text with the same characters written as `\uHHHH`. `json` is output of `JSON.stringify`, which
 * escapes C0 and lone surrogates itself: what is left of C0 is its layout. The value stays the
 * same, as all others occur in JSON inside strings only.
 */
export function escapeJson(json: string): string {
  return replaceHidden(json, (character) =>
    character < ' ' ? character : byUnit(character, (hex) => `\\u${hex.padStart(4, '0')}`),
  );
}

/** A character as escapes for its one or two UTF-16 units, each made of the unit's number in hex. */
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
