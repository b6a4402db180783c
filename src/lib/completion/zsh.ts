import { described } from './described.ts';
import type { Shell } from './typed.ts';

/** Zsh quotes and matches. Not with `_describe`: it cannot write a value with a backslash before a colon. */
export const zsh: Shell = {
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
