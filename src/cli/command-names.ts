import { groups, type ManifestEntry, manifest } from '../commands/manifest.ts';

/** The commands and groups directly below a group, in the order of help, each with its summary. */
export function commandsBelow(path: readonly string[]): ReadonlyMap<string, string> {
  const below = new Map<string, string>();
  for (const { words, summary } of manifest) {
    const name = words[path.length];
    if (name === undefined || !path.every((word, index) => words[index] === word)) continue;
    below.set(name, groups[[...path, name].join(' ')]?.summary ?? summary);
  }
  return below;
}

/** The command that these words name; undefined if they name a group or nothing. */
export function commandNamed(path: readonly string[]): ManifestEntry | undefined {
  return manifest.find(({ words }) => words.join(' ') === path.join(' '));
}

/** Words of other tools for the same thing, which simply work where there is no command of that name. */
const same: Readonly<Record<string, string>> = {
  ls: 'list',
  rm: 'delete',
  add: 'create',
  create: 'add',
};

/** The command or group below a level that a word names: its name, a plural of it, or a word in `same`. */
export function nameBelow(path: readonly string[], word: string): string | undefined {
  const names = commandsBelow(path);
  return [word, same[word], word.replace(/s$/, '')].find(
    (name) => name !== undefined && names.has(name),
  );
}
