import { described } from './described.ts';
import { matching } from './matching.ts';
import type { Shell } from './typed.ts';

/** Values of COMP_TYPE for which bash lists the words instead of inserting one, such as after TAB TAB. */
const listing = ['?', '!', '@'].map((type) => String(type.charCodeAt(0)));

/**
 * Bash inserts words as shell code, so all quoting is done here. The line is passed as typed, because
 * bash splits words at each = and colon. Bash before 4.4 sorts the words itself. Before 4.0 a script
 * cannot ask for file names while completing, so bash offers files whenever there is nothing else.
 */
export const bash: Shell = {
  read([type = '', columns = '', line = '', replaced = '']) {
    const parsed = parseLine(line, replaced);
    if (parsed === undefined) return undefined;
    const { words, current, kept, quote } = parsed;
    return {
      words: words.slice(1),
      current,
      answer(candidates, prefix) {
        const offered = matching(candidates, current.slice(prefix.length)).flatMap(
          ({ value, description }) => {
            const word = prefix + value;
            // The text before the part that bash replaces cannot be changed any more.
            if (!word.startsWith(kept)) return [];
            return [{ value: quoted(word.slice(kept.length), quote), description }];
          },
        );
        return offered.length > 1 && listing.includes(type)
          ? described(offered, Number(columns), ({ description }) => `(${description})`)
          : offered.map(({ value }) => value);
      },
    };
  },
};

type Quote = '' | '"' | "'";

/** Splits a line as bash does; bash will replace the part `replaced` at its end. Undefined inside `$'…'`. */
function parseLine(line: string, replaced: string) {
  const replacedFrom = line.length - replaced.length;
  const words: string[] = [];
  let current = '';
  let inWord = false;
  let quote: Quote = '';
  /** The beginning of `current` that bash keeps, and the quote that is open where it begins to replace. */
  let kept = '';
  let quoteThere: Quote = '';
  for (let index = 0; index <= line.length; index++) {
    if (index === replacedFrom) [kept, quoteThere] = [current, quote];
    const character = line.charAt(index);
    const next = line.charAt(index + 1);
    if (quote === "'") {
      if (character === "'") quote = '';
      else current += character;
    } else if (character === '\\' && (quote === '' || /["$`\\]/.test(next))) {
      inWord = true;
      current += next;
      index++;
    } else if (quote === '"') {
      if (character === '"') quote = '';
      else current += character;
    } else if (character === '"' || character === "'") {
      if (character === "'" && line.charAt(index - 1) === '$') return undefined;
      inWord = true;
      quote = character;
    } else if (/\s/.test(character)) {
      if (inWord) words.push(current);
      inWord = false;
      current = '';
    } else if (character !== '') {
      inWord = true;
      current += character;
    }
  }
  return { words, current, kept, quote: quoteThere };
}

/** Shell code for a text, to follow an open `quote`, which it closes. */
function quoted(text: string, quote: Quote): string {
  switch (quote) {
    case "'":
      return `${text.replaceAll("'", "'\\''")}'`;
    case '"':
      // An interactive shell expands ! in double quotes, so it must stand outside them.
      return `${text.replace(/[\\"$`]/g, '\\$&').replaceAll('!', '"\\!"')}"`;
    case '':
      return text.replace(/[^\w@%+,./:=\u0080-\uffff-]/g, '\\$&');
  }
}
