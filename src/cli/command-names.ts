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
