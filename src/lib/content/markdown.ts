import { Marked } from 'marked';

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
