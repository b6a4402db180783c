import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { brokenLine } from '../../scripts/docs/broken-line.ts';
import { commandPages, commonFlags, groupPages } from '../../scripts/docs/command-pages.ts';
import { descriptions } from '../../scripts/docs/descriptions.ts';
import {
  commandManual,
  groupManual,
  manualFile,
  programManual,
} from '../../scripts/docs/man-pages.ts';
import { codeCell, markdown } from '../../scripts/docs/markdown.ts';
import { environment } from '../../scripts/docs/overview.ts';
import { referencePage } from '../../scripts/docs/reference-page.ts';
import { releaseDate } from '../../scripts/docs/release-date.ts';
import { bold, roff, shownTerm } from '../../scripts/docs/roff.ts';
import { groups, manifest } from '../../src/commands/manifest.ts';
import { root } from '../support/process.ts';
import { works } from '../support/programs.ts';
import { createWorld } from '../support/run.ts';
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

  // npm reads this list, which cannot be a pattern.
  const { man }: { man?: string[] } = JSON.parse(read('package.json'));
  test('are all named in package.json, so that npm installs them', () => {
    expect(man?.toSorted()).toEqual(filesIn('man/*').map((path) => `./${path}`));
  });

  test('say more than their names', () => {
    expect(Object.keys(descriptions)).toEqual(commands.map(({ words }) => words));
    for (const { sentence, about } of commands) {
      expect(about).toMatch(/^[A-Z].*\.$/s);
      expect(about).not.toContain(sentence);
    }
  });

  test('and the reference have every part of help', async () => {
    const reference = referencePage(commands, common);
    for (const { words, load } of manifest) {
      const { command } = await load();
      const manual = manuals.find(([file]) => file === manualFile(words.join(' ')))?.[1] ?? '';
      const help = (await createWorld().run([...words, '--help'])).stdout;
      const titles = [...help.matchAll(/^([A-Z]\w+):/gm)].map(([, title = '']) => title);
      const named = ['Usage', 'Arguments', 'Flags', 'Examples'];
      for (const title of titles.filter((one) => !named.includes(one))) {
        expect(manual).toContain(`\n.SS ${title}\n`);
      }
      for (const [term, meaning] of command.grammar?.rows ?? []) {
        expect(manual).toContain(`.TP\n${bold(term)}\n${roff(meaning)}\n`);
        expect(reference).toContain(`| ${codeCell(term)} | ${markdown(meaning)} |`);
      }
    }
  });

  // A bold letter is the letter, a backspace and the letter again.
  const overstruck = new RegExp(`.${String.fromCharCode(8)}`, 'gu');
  test.skipIf(!works('mandoc -T utf8 man/mailer.1'))('fit 80 columns', async () => {
    const run = await execa('mandoc', ['-T', 'utf8', '-O', 'width=80', ...filesIn('man/*')], {
      cwd: root,
    });
    const rows = run.stdout.replace(overstruck, '').split('\n');
    // A line of PowerShell cannot be continued with a backslash.
    expect(rows.filter((row) => row.length > 80 && !row.includes('$PROFILE'))).toEqual([]);
  });

  const checkers = [
    ['mandoc', ['-T', 'lint', '-W', 'warning']],
    ['groff', ['-man', '-T', 'utf8', '-ww']],
  ] as const;
  for (const [program, flags] of checkers) {
    test.skipIf(!works(`${program} -man -T utf8 man/mailer.1`))(`pass ${program}`, async () => {
      const run = await execa(program, [...flags, ...filesIn('man/*')], {
        cwd: root,
        reject: false,
      });
      const said = program === 'groff' ? run.stderr : run.stdout;
      // An unreleased version has no date.
      const isMeant = (line: string) => line !== '' && !/missing date/.test(line);
      expect(said.split('\n').filter(isMeant)).toEqual([]);
    });
  }
});

test('the date of a manual page is that of the release, not of the build', () => {
  const changelog = '# Changelog\n\n## 1.1.0 (unreleased)\n\n## 1.0.0 (2026-02-01)\n';
  expect(releaseDate('1.0.0', changelog)).toBe('2026-02-01');
  expect(releaseDate('1.1.0', changelog)).toBe('');
});

describe('a command line that is too long', () => {
  test.each([
    ['mailer login', ['mailer login']],
    [
      'mailer x --subject "A long one" --to a@b.c --text T | wc -l',
      ['mailer x --subject "A long one" \\', '    --to a@b.c --text T | wc -l'],
    ],
    [
      'cat https://example.com/a/long/one https://example.com/b',
      ['cat https://example.com/a/long/one \\', '    https://example.com/b'],
    ],
  ])('%s', (line, rows) => {
    expect(brokenLine(line, 38)).toEqual(rows);
    expect(rows.filter((row) => row.length > 38)).toEqual([]);
  });
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
  // The home directory, and its equivalents on Windows.
  const ofSystem = ['HOME', 'APPDATA', 'LOCALAPPDATA'];
  expect([...used].filter((name) => !explained.includes(name) && !ofSystem.includes(name))).toEqual(
    [],
  );
});
