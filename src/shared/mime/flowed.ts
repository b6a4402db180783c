interface Paragraph {
  /** How often it is quoted. */
  readonly depth: number;
  readonly lines: string[];
}

const signature = '-- ';

/**
 * Joins the lines of a text with format=flowed (RFC 3676): a line that ends with a space continues, if the next
 * one is quoted as often. With `delSp`, that space is not part of the text.
 */
export function unwrapFlowed(text: string, { delSp = false } = {}): string {
  const paragraphs: Paragraph[] = [];
  let continues = false;
  for (const line of text.split(/\r?\n/)) {
    const depth = /^>*/.exec(line)?.[0].length ?? 0;
    const content = line.slice(depth).replace(/^ /, '');
    const isSignature = content === signature;
    const last = paragraphs.at(-1);
    if (last !== undefined && continues && !isSignature && last.depth === depth)
      last.lines.push(content);
    else paragraphs.push({ depth, lines: [content] });
    continues = content.endsWith(' ') && !isSignature;
  }
  return paragraphs.map(({ depth, lines }) => written(depth, lines, delSp)).join('\n');
}

function written(depth: number, lines: readonly string[], delSp: boolean): string {
  const text = lines
    .map((line, at) => (delSp && at < lines.length - 1 ? line.slice(0, -1) : line))
    .join('');
  return depth === 0 || text === '' ? '>'.repeat(depth) + text : `${'>'.repeat(depth)} ${text}`;
}
