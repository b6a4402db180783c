import type { Shell } from './typed.ts';

/** Fish quotes what it inserts, and chooses what matches. If the condition fails it completes files. */
export const fish: Shell = {
  read(typed) {
    return {
      words: typed.slice(0, -1),
      // Fish gives it as it was typed; only its beginning matters here.
      current: (typed.at(-1) ?? '').replace(/^["']/, ''),
      answer: (candidates, prefix) =>
        candidates.map(({ value, description }) => `${prefix}${value}\t${description}`),
    };
  },
};
