import { readFileSync } from 'node:fs';

/** The release date of a version from the changelog; empty if it is not released. */
export function releaseDate(version: string, changelog = readChangelog()): string {
  const titles = changelog.split('\n').filter((line) => line.startsWith('## '));
  const title = titles.find((line) => line.split(' ')[1] === version) ?? '';
  return /\d{4}-\d\d-\d\d/.exec(title)?.[0] ?? '';
}

function readChangelog(): string {
  return readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8');
}
