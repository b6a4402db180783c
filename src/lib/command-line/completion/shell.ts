import { bash } from './bash.ts';
import { described } from './described.ts';
import { matching } from './matching.ts';
import type { Shell } from './typed.ts';

/** Fish quotes what it inserts, and filters by itself. If the script's condition fails, it completes files. */
const fish: Shell = {
  read(typed) {
    // Fish passes it as typed, with its opening quote.
    const current = typed.at(-1) ?? '';
    return {
      words: typed.slice(0, -1),
      current: current.replace(/^["']/, ''),
      answer: (candidates, prefix) =>
        candidates
          .map(({ value, description }) => `${prefix}${value}\t${description}`)
          // The one thing that fish does not quote: it would insert a home directory.
          .filter((line) => !line.startsWith('~') || /^["'\\]/.test(current)),
    };
  },
};

/**
 * PowerShell inserts candidates as given, so all quoting is done here. The script passes the words as
 * Base64, because versions differ in how they pass quotes and empty words. Without candidates PowerShell
 * completes files, unless it gets an empty string.
 */
const powershell: Shell = {
  read([encoded = '']) {
    const typed = Buffer.from(encoded, 'base64').toString('utf8').split('\n');
    const current = (typed.at(-1) ?? '').replace(/^["']/, '');
    return {
      words: typed.slice(0, -1),
      current,
      answer: (candidates, prefix) =>
        matching(candidates, current.slice(prefix.length)).map(({ value, description }) =>
          [quoted(prefix + value), value, description || value].join('\t'),
        ),
    };
  },
};

/** A word as PowerShell code; PowerShell treats typographic quotes as quotes. */
function quoted(word: string): string {
  return /^[\w/.:=-]+$/.test(word) ? word : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}

/** Zsh quotes and matches. Not with `_describe`: it cannot write a value with a backslash before a colon. */
const zsh: Shell = {
  read([columns = '', ...typed]) {
    return {
      words: typed.slice(0, -1),
      current: typed.at(-1) ?? '',
      async answer(candidates) {
        const shown = await described(
          candidates,
          Number(columns),
          ({ description }) => `-- ${description}`,
        );
        return candidates.map(({ value }, index) => `${value}\t${shown[index]}`);
      },
    };
  },
};

/** The protocol of each shell, by its name. */
export const shells: ReadonlyMap<string, Shell> = new Map(
  Object.entries({ bash, fish, powershell, zsh }),
);
