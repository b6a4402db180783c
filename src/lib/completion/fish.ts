import type { Shell } from './typed.ts';

/** Fish quotes what it inserts, and filters by itself. If the script's condition fails, it completes files. */
export const fish: Shell = {
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
