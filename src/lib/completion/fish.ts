import type { Shell } from './typed.ts';

/** Fish quotes what it inserts, and filters by itself. If the script's condition fails, it completes files. */
export const fish: Shell = {
  read(typed) {
    return {
      words: typed.slice(0, -1),
      // Fish passes it as typed, with its opening quote.
      current: (typed.at(-1) ?? '').replace(/^["']/, ''),
      answer: (candidates, prefix) =>
        candidates.map(({ value, description }) => `${prefix}${value}\t${description}`),
    };
  },
};
