/**
 * A word; or a command after a colon, up to the end of its line, or of its sentence if another
 * follows.
 */
const pieces =
  / *(?:(?<=: )mailer [a-z -]+\.(?= [A-Z])|(?<=: )(?:mailer|chmod|chown|iconv|sudo) .*|\S+)/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours begin with one
const colors = /\x1b\[[\d;]*m/g;

/**
 * Wraps sentences for a terminal of so many columns. Lines break between words; continuation lines
 * are indented, so that none looks like the start of a message. A command to copy stays on one
 * line.
 */
export function wrapped(text: string, columns: number): string {
  return text.replace(/^(?!(?:mailer|chmod|chown|iconv|printf) ).+$/gm, (line) =>
    wrappedLine(line, columns),
  );
}

function wrappedLine(line: string, columns: number): string {
  if (widthOf(line) <= columns) return line;
  const indent = `${/^ */.exec(line)?.[0]}  `;
  const lines = [''];
  for (const piece of line.match(pieces) ?? []) {
    const longer = `${lines.at(-1)}${piece}`;
    if (lines.at(-1) === '' || widthOf(longer) <= columns) lines.splice(-1, 1, longer);
    else lines.push(`${indent}${piece.trimStart()}`);
  }
  return lines.join('\n');
}

/** Estimates the columns of a text: measuring exactly takes longer than to start the program. */
function widthOf(text: string): number {
  // Made here: it takes a millisecond to make.
  const wide = /\p{Emoji_Presentation}|\p{scx=Han}|\p{scx=Hangul}|\p{scx=Hira}|\p{scx=Kana}/gu;
  const shown = text.replace(colors, '');
  return [...shown].length + (shown.match(wide)?.length ?? 0);
}
