import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { afterAll, describe, expect, test } from 'vitest';
import { brokenLine } from '../../scripts/docs/broken-line.ts';
import { commandPages, commonFlags } from '../../scripts/docs/command-pages.ts';
import { fieldNamesFile } from '../../scripts/docs/field-names.ts';
import { manualFile, manualPages } from '../../scripts/docs/man-pages.ts';
import { codeCell, markdown } from '../../scripts/docs/markdown.ts';
import { environment } from '../../scripts/docs/overview.ts';
import { referencePage } from '../../scripts/docs/reference-page.ts';
import { releaseDate } from '../../scripts/docs/release-date.ts';
import { bold, roff, shownTerm } from '../../scripts/docs/roff.ts';
import { groups, manifest } from '../../src/commands/manifest.ts';
import { needing, works } from '../support/needs.ts';
import { root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { filesIn, read } from '../support/sources.ts';

const commands = await commandPages();
const common = commonFlags();
const manuals = await manualPages();

/** A directory with all manual pages, as in the package. */
const man = mkdtempSync(join(tmpdir(), 'mailer-man-'));
const files = manuals.map(([file]) => join(man, file));
for (const [file, text] of manuals) writeFileSync(join(man, file), text);
afterAll(() => rmSync(man, { recursive: true, force: true }));

test('the fields that help pages name are those of the schemas', async () => {
  const path = join(root, 'src', 'cli', 'field-names.ts');
  await expect(await fieldNamesFile()).toMatchFileSnapshot(path);
});

describe('the manual pages', () => {
  test('are one for the program, each group and each command', () => {
    expect(new Set(files).size).toBe(1 + Object.keys(groups).length + manifest.length);
  });

  test('have no space at the end of a line', () => {
    const lines = manuals.flatMap(([, text]) => text.split('\n'));
    expect(lines.filter((line) => /\s$/.test(line))).toEqual([]);
  });

  test('say more than their names', () => {
    for (const { sentence, description } of commands) {
      expect(description).toMatch(/^[A-Z].*\.$/s);
      expect(description).not.toContain(sentence);
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
  test('fit 80 columns', needing(works(`mandoc -T utf8 ${files[0]}`, 'mandoc')), async () => {
    const run = await execa('mandoc', ['-T', 'utf8', '-O', 'width=80', ...files], {
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
  for (const [name, flags] of checkers) {
    const checker = works(`${name} -man -T utf8 ${files[0]}`, name);
    test(`pass ${name}`, needing(checker), async () => {
      const run = await execa(name, [...flags, ...files], {
        cwd: root,
        reject: false,
      });
      const said = name === 'groff' ? run.stderr : run.stdout;
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
  // The home directory, its equivalents on Windows, and where programs are.
  const ofSystem = ['HOME', 'APPDATA', 'LOCALAPPDATA', 'PATH'];
  expect([...used].filter((name) => !explained.includes(name) && !ofSystem.includes(name))).toEqual(
    [],
  );
});
