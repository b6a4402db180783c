import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root, temporaryDirectory } from '../../support/process.ts';
import { runInThread } from '../../support/thread.ts';

const changelog = `# Changelog

Versions follow Semantic Versioning.

## 1.3.0 (unreleased)

- not yet

## 1.2.0 (2026-11-21)

What is new, in a sentence
that goes on.

### Fixed
Two things:
- \`email send\`: one thing, which takes
  more than a line
  * and has
    parts
- another

\`\`\`sh
mailer --version
  mailer --help
\`\`\`
1. The last
   one

## 1.1.0

## 1.10.0
- another version
`;

const measured = '# Performance\n\n## One: `npm run bench -- one`\n\n```text\n1 ms\n```\n';

const script = join(root, 'scripts', 'release', 'release-notes.js');

async function notesOf(version: string, text = changelog, performance = measured) {
  const place = temporaryDirectory();
  const [file, page] = [join(place, 'CHANGELOG.md'), join(place, 'performance.md')];
  writeFileSync(file, text);
  writeFileSync(page, performance);
  const { exitCode, stdout, stderr } = await runInThread(script, [version, file, page]);
  return { exitCode, stdout: stdout.trimEnd(), stderr: stderr.trimEnd() };
}

test.each(['1.2.0', 'v1.2.0'])(
  'of %s: its section, without line breaks in paragraphs',
  async (name) => {
    expect(await notesOf(name)).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `What is new, in a sentence that goes on.

### Fixed
Two things:
- \`email send\`: one thing, which takes more than a line
  * and has parts
- another

\`\`\`sh
mailer --version
  mailer --help
\`\`\`
1. The last one`,
    });
  },
);

test.each([
  ['1.3.0', 'The change log calls it unreleased: "## 1.3.0 (unreleased)"'],
  ['1.1.0', 'The change log says nothing about 1.1.0'],
  ['1.1', 'There is no "## 1.1" in the change log'],
  ['v', 'There is no "## " in the change log'],
])('of %s: none, with the reason', async (version, stderr) => {
  expect(await notesOf(version)).toEqual({ exitCode: 1, stdout: '', stderr });
});

test.each([
  [
    'two parts',
    `${measured}
## Two: \`npm run bench -- two\`

\`\`\`text
Not measured yet.
\`\`\`

## Three, much longer: \`npm run bench -- three\`

Not measured yet.
`,
    'two, three',
  ],
  [
    'a part of another kind',
    `${measured}\n## Other machines\r\n\nNot measured yet.\n`,
    'Other machines',
  ],
  ['the whole page', `# Performance\n\nNot measured yet.\n\n## One\n`, 'Performance'],
])('none while %s of docs/performance.md has no figures', async (_, page, parts) => {
  expect(await notesOf('1.2.0', changelog, page)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `docs/performance.md says "Not measured yet" of: ${parts}`,
  });
});

test('of the last version of the list', async () => {
  expect(await notesOf('1.10.0')).toMatchObject({ exitCode: 0, stdout: '- another version' });
  const windows = changelog.replaceAll('\n', '\r\n');
  expect(await notesOf('1.10.0', windows)).toMatchObject({ exitCode: 0 });
});

test('the change log of this project has such sections', async () => {
  const { stderr } = await runInThread(script, ['0.0.0']);
  expect(stderr).toBe('There is no "## 0.0.0" in the change log\n');
});
