/** A command line of the program in a text, without the program's name. */
export interface CommandLine {
  /** Unmodified. */
  readonly text: string;
  readonly words: readonly string[];
  /** Whether it is mentioned in a sentence, where it may omit arguments. */
  readonly mention: boolean;
}

const fence = /^```([^\n]*)\n([\s\S]*?)^```$/gm;

/** The command lines of `mailer` in a Markdown text, in blocks and between backticks. */
export function commandLines(markdown: string): CommandLine[] {
  const blocks = [...markdown.matchAll(fence)]
    .filter(([, language]) => language !== 'json' && language !== 'text')
    .map(([, , block = '']) => block);
  const inBlocks = blocks.flatMap((block) => {
    const lines = block.replace(/\\\n\s*/g, ' ').replace(/^\s*#.*$/gm, '');
    // A look-ahead, because the rest may contain another command line.
    return [...lines.matchAll(/(?<=^|[\s(|;&])mailer (?=(.*))/gm)].map(([, text = '']) => ({
      text,
      mention: false,
    }));
  });
  const prose = markdown.replace(fence, '');
  const mentions = [...prose.matchAll(/`mailer\s([^`]+)`/g)].map(([, line = '']) => ({
    text: line.replace(/\s+/g, ' '),
    mention: true,
  }));
  return [...inBlocks, ...mentions].map((line) => ({ ...line, words: firstCommand(line.text) }));
}

/** The words of a shell's first command. */
function firstCommand(line: string): string[] {
  const words: string[] = [];
  const part = /\s*((?:'[^']*'|"(?:\\.|[^"\\])*"|\\[^\n]|[^\s'"\\|;&<>()#])+)/y;
  for (let found = part.exec(line); found !== null; found = part.exec(line)) {
    words.push(unquoted(found[1] ?? ''));
  }
  return words;
}

function unquoted(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:\\.|[^"\\])*)"|\\(.)/g,
    (_, single?: string, double?: string, escaped?: string) =>
      single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? '',
  );
}
