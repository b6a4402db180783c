import { matching } from './matching.ts';
import type { Shell } from './typed.ts';

/**
 * PowerShell inserts candidates as given, so all quoting is done here. The script passes the words as
 * Base64, because versions differ in how they pass quotes and empty words. Without candidates PowerShell
 * completes files, unless it gets an empty string.
 */
export const powershell: Shell = {
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
