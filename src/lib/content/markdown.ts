import { Marked, type Token, type Tokens } from 'marked';
import { lineComment, withoutLineMarks } from './line-marks.ts';

const marked = new Marked({
  gfm: true,
  renderer: {
    table(token) {
      // The class distinguishes these tables from those of a layout, in CSS and in the text part.
      const row = (cells: typeof token.header) =>
        `<tr>${cells.map((cell) => this.tablecell(cell).trim()).join('')}</tr>`;
      const rows = token.rows.map(row).join('\n');
      return `<table class="data" role="table">\n<thead>\n${row(token.header)}\n</thead>\n<tbody>\n${rows}\n</tbody>\n</table>\n`;
    },
  },
});

/** Converts Markdown in GitHub's dialect to HTML. HTML in it is kept, because it is the author's own. */
export function htmlOfMarkdown(markdown: string): string {
  return marked.parse(markdown, { async: false });
}

/** The same, of Markdown whose lines are marked, with comments that name the lines of its source. */
export function markedHtmlOf(markdown: string): string {
  const { text, lines } = withoutLineMarks(markdown);
  let cursor = 0;
  let line = 0;
  /** Moves on to a token. Within a list or a quote, its text may differ from that of the source. */
  const lineOf = (token: Token): number => {
    const [first = ''] = token.raw.trimStart().split('\n', 1);
    const found = text.indexOf(first, cursor);
    if (found !== -1) {
      line += text.slice(cursor, found).split('\n').length - 1;
      cursor = found;
    }
    return lines[line] ?? 0;
  };
  const comment = (token: Token, block: boolean): Token => ({
    type: 'html',
    raw: '',
    pre: false,
    text: lineComment(lineOf(token)),
    block,
  });
  const withComments = (tokens: readonly Token[], isTop: boolean): Token[] =>
    tokens.flatMap((token) => {
      // A comment at the beginning of an item would be in the way of its box.
      const isBlock = isTop || /^(?:html|code|table|hr)$/.test(token.type);
      const before = token.type === 'space' ? [] : [comment(token, isBlock)];
      visit(token);
      return isBlock || isInline.test(token.type) ? [...before, token] : [token];
    });
  const visit = (token: Token) => {
    if (token.type === 'list') {
      for (const item of (token as Tokens.List).items)
        item.tokens = withComments(item.tokens, false);
    } else if (token.type === 'table') {
      const { header, rows } = token as Tokens.Table;
      for (const cell of [header, ...rows].flat()) cell.tokens = withComments(cell.tokens, false);
    } else if (token.type !== 'image' && 'tokens' in token && token.tokens !== undefined) {
      token.tokens = withComments(token.tokens, token.type === 'blockquote');
    }
  };
  const tokens = marked.lexer(text);
  return marked.parser(withComments(tokens, true));
}

/** Tokens within a line. */
const isInline = /^(?:link|image|html|codespan|text|strong|em|del|br|escape)$/;
