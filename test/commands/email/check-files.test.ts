import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const dark = '<meta name="color-scheme" content="light">';

function worldWithFiles() {
  const world = createWorld();
  fileIn(world, 'mails/a.html', `${dark}\n<a href="">x</a>`);
  fileIn(world, 'mails/de/b.md', '---\nsubject: Hi\n---\n[x](http://a.example)\n');
  fileIn(world, 'mails/de/c.eml', 'Subject: Hi\nContent-Type: text/plain\n\nHi\n');
  fileIn(world, 'mails/order.html', `---\nname: a\nsubject: b\n---\n${dark}{{name}}`);
  fileIn(world, 'mails/logo.png', 'x');
  fileIn(world, 'mails/package.json', {});
  fileIn(world, 'mails/.git/d.html', '<a href="">x</a>');
  fileIn(world, 'mails/node_modules/e.html', '<a href="">x</a>');
  return world;
}

test('a directory: its emails at any depth, and what is skipped', async () => {
  const { run } = worldWithFiles();
  const outcome = await run('email check mails --json');
  expect(outcome.exitCode).toBe(0);
  const reply = JSON.parse(outcome.stdout);
  expect(reply).toMatchObject({
    ok: true,
    summary: { error: 0, warning: 2, info: 0 },
    files: [
      { file: 'mails/a.html', kind: 'email', ok: true, summary: { warning: 1 } },
      { file: 'mails/de/b.md', summary: { warning: 1 } },
      { file: 'mails/de/c.eml', summary: { warning: 0 } },
      { file: 'mails/order.html', summary: { warning: 0 } },
    ],
    findings: [
      { file: 'mails/a.html', code: 'link-empty', line: 2, column: 4 },
      { file: 'mails/de/b.md', code: 'link-http', line: 4, column: 5 },
    ],
  });
  expect(reply.skipped.map(({ file }: { file: string }) => file)).toEqual([
    ...['mails/.git', 'mails/logo.png', 'mails/node_modules', 'mails/package.json'],
  ]);
  const shown = await run('email check mails --no-color', { terminal: 80 });
  expect(shown.stdout).toMatch(/^mails\/a\.html:2:4: warning: .*\nmails\/de\/b\.md:4:5: warning: /);
  expect(shown.stderr).toContain(
    'Skipped: mails/.git, mails/logo.png, mails/node_modules, mails/package.json',
  );
  expect((await run('email check mails')).stdout).toMatch(
    /^file\tseverity\twhere\tline\tcolumn\tcount\t/,
  );
});

test('a directory with a named pipe, which would never end', async () => {
  const world = worldWithFiles();
  execFileSync('mkfifo', [join(world.home, 'mails/pipe.html')]);
  const outcome = await world.run('email check mails --json');
  expect(JSON.parse(outcome.stdout).skipped).toContainEqual({
    file: 'mails/pipe.html',
    why: 'not a file',
  });
});

test('several files: one that cannot be read does not hide the others', async () => {
  const world = worldWithFiles();
  fileIn(world, 'bad.txt', Uint8Array.of(0xff));
  const outcome = await world.run('email check bad.txt mails/a.html --json');
  expect(outcome.exitCode).toBe(9);
  expect(JSON.parse(outcome.stdout)).toMatchObject({
    ok: false,
    findings: [
      { file: 'bad.txt', code: 'file-invalid', where: 'file', severity: 'error' },
      { file: 'mails/a.html', code: 'link-empty' },
    ],
  });
});

test('a file that there is not, and a directory without emails, are usage errors', async () => {
  const world = worldWithFiles();
  fileIn(world, 'other/a.png', 'x');
  for (const words of ['mails nothing.html', 'other']) {
    expect((await world.run(`email check ${words}`)).exitCode).toBe(2);
  }
});

test('a layout counts for Markdown only, and its findings are shown once', async () => {
  const world = createWorld();
  fileIn(world, 'l.html', `${dark}<a href="">x</a>{{ content }}`);
  for (const name of ['a.md', 'b.md', 'c.txt', 'd.text'])
    fileIn(world, name, '---\nsubject: Hi\n---\nHi');
  const { stdout, exitCode } = await world.run(
    'email check a.md b.md c.txt d.text --layout l.html --json',
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout).findings).toEqual([
    expect.objectContaining({ file: 'l.html', code: 'link-empty' }),
  ]);
});
