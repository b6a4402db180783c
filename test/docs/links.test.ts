import { existsSync } from 'node:fs';
import { posix } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../support/process.ts';
import { filesIn, read } from '../support/sources.ts';

const pages = filesIn('*.md', 'docs/**/*.md', '.github/*.md');

/** A page's links to files of this repository, and to its own headings. */
function linksIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`]*`/g, '');
  return [...prose.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)].map(([, target = '']) => target);
}

/** The anchor of each heading, as GitHub creates it. */
function anchorsIn(markdown: string): string[] {
  const prose = markdown.replace(/^```[\s\S]*?^```$/gm, '');
  return [...prose.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

test.each(pages)('the links of %s lead to files and headings that exist', (page) => {
  const broken = linksIn(read(page)).filter((link) => {
    const [path = '', anchor] = link.split('#');
    const target = path === '' ? page : posix.join(posix.dirname(page), path);
    if (!existsSync(posix.join(root, target))) return true;
    return anchor !== undefined && !anchorsIn(read(target)).includes(anchor);
  });
  expect(broken).toEqual([]);
});

test.each(pages)('the paths that %s names exist', (page) => {
  const prose = read(page).replace(/^```[\s\S]*?^```$/gm, '');
  const named = /`((?:\.github|bench|docs|man|scripts|src|test)\/[\w./-]*\w)`/g;
  const paths = [...prose.matchAll(named)].map(([, path = '']) => path);
  expect(paths.filter((path) => !existsSync(posix.join(root, path)))).toEqual([]);
});

test('the paths that have code owners exist', () => {
  const lines = read('.github/CODEOWNERS').split('\n');
  const paths = lines.flatMap((line) => /^\/(\S+)/.exec(line)?.[1] ?? []);
  expect(paths).not.toEqual([]);
  expect(paths.filter((path) => !existsSync(posix.join(root, path)))).toEqual([]);
});
