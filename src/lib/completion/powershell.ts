import { matching } from './matching.ts';
import type { Shell } from './typed.ts';

/**
 * PowerShell inserts what it gets, so all quoting is done here. The words are passed as Base64, because
 * versions differ in how they pass quotes and empty words. Only an empty string prevents files.
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

/** A word of PowerShell code; typographic quotes count as quotes there. */
function quoted(word: string): string {
  return /^[\w/.:=-]+$/.test(word) ? word : `'${word.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
