/** What stands at the beginning of a line of Markdown, which may be a template: characters that no text has. */
const lineMark = /\ue000(\d+)\ue001/g;

/** Marks each line that does not begin in a placeholder. */
export function withMarkedLines(markdown: string): string {
  let line = 0;
  return markdown
    .split(/(\{\{[\s\S]*?\}\}|\{%[\s\S]*?%\})/)
    .map((part, index) =>
      part.replace(/\r\n|\n|\r/g, (end) => {
        line++;
        return index % 2 === 1 ? end : `${end}\ue000${line}\ue001`;
      }),
    )
    .join('');
}

/** Markdown without these marks, and the line of the source for each of its lines; both count from 0. */
export function withoutLineMarks(markdown: string) {
  const lines: number[] = [];
  const text = markdown
    .split(/\r\n|\n|\r/)
    .map((line) => {
      const [mark] = line.matchAll(lineMark);
      lines.push(mark === undefined ? (lines.at(-1) ?? 0) : Number(mark[1]));
      return line.replace(lineMark, '');
    })
    .join('\n');
  return { text, lines };
}

/** A comment in HTML that was made of Markdown: what follows is from this line, which counts from 0. */
export function lineComment(line: number): string {
  return `<!--zqsource-${line}-->`;
}

/** These comments, with their offsets. */
export function lineCommentsIn(html: string) {
  return [...html.matchAll(/<!--zqsource-(\d+)-->/g)].map(({ 1: line, index }) => ({
    at: index,
    line: Number(line),
  }));
}
