import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { commandPages, commonFlags, groupPages } from '../../scripts/docs/command-pages.ts';
import {
  commandManual,
  groupManual,
  manualFile,
  programManual,
} from '../../scripts/docs/man-pages.ts';
import { environment } from '../../scripts/docs/overview.ts';
import { referencePage } from '../../scripts/docs/reference-page.ts';
import { roff, shownTerm } from '../../scripts/docs/roff.ts';
import { groups, manifest } from '../../src/commands/manifest.ts';
import { root } from '../support/process.ts';
import { filesIn, read } from '../support/sources.ts';

const commands = await commandPages();
const common = commonFlags();
const manuals = [
  ...groupPages().map((page) => {
    const text = page.words === '' ? programManual(page, common) : groupManual(page);
    return [manualFile(page.words), text] as const;
  }),
  ...commands.map((page) => [manualFile(page.words), commandManual(page)] as const),
];

describe('the manual pages', () => {
  test.each(manuals)('%s is current', async (file, text) => {
    expect(text.split('\n').filter((line) => /\s$/.test(line))).toEqual([]);
    await expect(text).toMatchFileSnapshot(join(root, 'man', file));
  });

  test('are one for the program, each group and each command, and no others', () => {
    expect(filesIn('man/*')).toEqual(manuals.map(([file]) => `man/${file}`).sort());
    expect(manuals).toHaveLength(1 + Object.keys(groups).length + manifest.length);
  });

  // Read by npm, and filled by hand: npm takes no pattern there.
  const { man }: { man?: string[] } = JSON.parse(read('package.json'));
  test('are all named in package.json, so that npm installs them', () => {
    expect(man?.toSorted()).toEqual(filesIn('man/*').map((path) => `./${path}`));
  });

  const checkers = [
    ['mandoc', ['-T', 'lint', '-W', 'warning']],
    ['groff', ['-man', '-T', 'utf8', '-ww']],
  ] as const;
  for (const [program, flags] of checkers) {
    const missing = spawnSync(program, ['--version']).error !== undefined;
    test.skipIf(missing)(`are right in the eyes of ${program}`, async () => {
      const run = await execa(program, [...flags, ...filesIn('man/*')], {
        cwd: root,
        reject: false,
      });
      const said = program === 'groff' ? run.stderr : run.stdout;
      // A date would be another one with each change.
      expect(said.split('\n').filter((line) => line !== '' && !/missing date/.test(line))).toEqual(
        [],
      );
    });
  }
});

describe('text for a manual page', () => {
  test.each([
    ['.TH at the start', '\\&.TH at the start'],
    ["'br and it's", '\\(aqbr and it\\(aqs'],
    ['C:\\new --all', 'C:\\(rsnew \\-\\-all'],
    ['"a" `b` ~c ^d …', '\\(dqa\\(dq \\(gab\\(ga \\(tic \\(had \\[u2026]'],
  ])('%s', (text, expected) => {
    expect(roff(text)).toBe(expected);
  });

  test.each([
    ['-q, --quiet', '\\fB\\-q\\fR, \\fB\\-\\-quiet\\fR'],
    ['--to <addresses>', '\\fB\\-\\-to\\fR \\fIaddresses\\fR'],
    ['--wait[=status]', '\\fB\\-\\-wait\\fR[=\\fIstatus\\fR]'],
    ['[file]', '[\\fIfile\\fR]'],
  ])('of the term %s', (term, expected) => {
    expect(shownTerm(term)).toBe(expected);
  });
});

test('the reference page is current', async () => {
  const page = referencePage(commands, common);
  await expect(page).toMatchFileSnapshot(join(root, 'docs', 'reference.md'));
});

test('every variable of the environment that the program reads is explained', () => {
  const explained = environment.flatMap(({ term }) => term.split(', '));
  const found = filesIn('src/**/*.ts').flatMap((path) => [
    ...read(path).matchAll(/\benv\.([A-Z][A-Z_]+)|'((?:XDG|MAILER)_[A-Z_]+)'/g),
  ]);
  const used = new Set(found.map(([, one, other]) => one ?? other ?? ''));
  // Where the home directory is, and on Windows what is in it.
  const ofSystem = ['HOME', 'APPDATA', 'LOCALAPPDATA'];
  expect([...used].filter((name) => !explained.includes(name) && !ofSystem.includes(name))).toEqual(
    [],
  );
});
