import { Marked, type Token, Tokenizer, type Tokens } from 'marked';
import { grouped } from '../../../shared/grouped.ts';
import { lineComment, withoutLineMarks } from './line-marks.ts';

/** How many lists and quotes may be in each other. */
const mostLevels = 100;

/** How many marks such as `*` one paragraph may have: each is compared with all that follow. */
const mostMarks = 5000;

/** How many lines a paragraph of a list may have: each is looked at again with the next. */
const mostLines = 2000;

/** How long a word may be that could have an address in it, which is looked for from each of its characters. */
const longestWord = 10_000;

/** The first sign of a list or a quote. */
const begins = /^ {0,3}(?:>|[-*+]|\d{1,9}[.)])/;

/** The text has more of something than is converted in a short time. */
export class MarkdownLimit extends Error {
  /** What is too much, as a sentence; the converter adds words of its own to the message. */
  readonly what: string;
  /** The line where it is, or the end of that line. */
  readonly near: string;

  constructor(what: string, text: string) {
    super(what);
    this.what = what;
    const [near = ''] = text.trimStart().split('\n', 1);
    this.near = near;
  }
}

/** Reads no more than has an end in sight. */
class LimitedTokenizer extends Tokenizer {
  #levels = 0;
  #counted = '';

  /** For another text: work that took too long never came to its end. */
  reset(): void {
    this.#levels = 0;
    this.#counted = '';
  }

  override blockquote(text: string): Tokens.Blockquote | undefined {
    return this.#within(text, () => super.blockquote(text));
  }

  override list(text: string): Tokens.List | undefined {
    refuseLongItem(text);
    return this.#within(text, () => super.list(text));
  }

  override emStrong(
    text: string,
    paragraph: string,
    before?: string,
  ): Tokens.Em | Tokens.Strong | undefined {
    if (paragraph !== this.#counted) {
      this.#counted = paragraph;
      refuseParagraph(paragraph, text);
    }
    return super.emStrong(text, paragraph, before);
  }

  #within<Result>(text: string, read: () => Result): Result {
    if (this.#levels === mostLevels && begins.test(text)) {
      throw new MarkdownLimit(
        `lists and quotes are nested too deeply, in more than ${mostLevels} others`,
        text,
      );
    }
    this.#levels++;
    const result = read();
    this.#levels--;
    return result;
  }
}

/** Throws if the first block of a list has a paragraph of too many lines. */
function refuseLongItem(text: string): void {
  let lines = 0;
  for (const line of text.split('\n', mostLines + 2)) {
    if (line.trim() === '') return;
    lines = begins.test(line.trimStart()) ? 1 : lines + 1;
    if (lines > mostLines) {
      throw new MarkdownLimit(
        `a paragraph of a list has more than ${grouped(mostLines)} lines`,
        text,
      );
    }
  }
}

/** Throws if a paragraph, whose links and code are masked, has too much of something. */
function refuseParagraph(paragraph: string, text: string): void {
  if ((paragraph.match(/[*_]+/g)?.length ?? 0) > mostMarks) {
    throw new MarkdownLimit(`a paragraph has more than ${grouped(mostMarks)} of * and _`, text);
  }
  if (paragraph.length <= longestWord) return;
  if (paragraph.split(/\s+/).some((one) => one.length > longestWord && /[@(]/.test(one))) {
    throw new MarkdownLimit(`a word has more than ${grouped(longestWord)} characters`, text);
  }
}

const tokenizer = new LimitedTokenizer();

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

// Only so are the methods of a class taken.
marked.setOptions({ tokenizer });

/** Converts Markdown in GitHub's dialect to HTML. HTML in it is kept, because it is the author's own. */
export function htmlOfMarkdown(markdown: string): string {
  tokenizer.reset();
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
  tokenizer.reset();
  const tokens = marked.lexer(text);
  return marked.parser(withComments(tokens, true));
}

/** Tokens within a line. */
const isInline = /^(?:link|image|html|codespan|text|strong|em|del|br|escape)$/;
