import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { connected, fileIn } from '../../support/connected.ts';
import { createWorld, type World } from '../../support/run.ts';
import { lockedIds, putTemplate, textOf } from './files.ts';

const pull = 'template pull templates';

/** A service with these templates, newest first. */
async function serving(...templates: readonly Record<string, unknown>[]) {
  const all = templates.map((one, index) => ({
    ...{ id: `tmpl_${index}`, subject: 'Hi', html: '<p>Hi</p>', content: null, ...one },
  }));
  const newest = all.filter(
    ({ name }: Record<string, unknown>, index) =>
      index === all.findIndex((one: Record<string, unknown>) => one.name === name),
  );
  const byName = newest.toSorted((one: Record<string, unknown>, other: Record<string, unknown>) =>
    String(one.name) < String(other.name) ? -1 : 1,
  );
  return await connected({ body: all }, ...byName.map((body) => ({ body })));
}

function filesOf(world: World): readonly string[] {
  return readdirSync(join(world.home, 'templates')).filter((name) => name.endsWith('.html'));
}

describe('on the sandbox', () => {
  test('writes a file for each template; a push afterwards creates nothing', async () => {
    const world = createWorld();
    expect(await world.run(`${pull} --sandbox`)).toEqual({
      exitCode: 0,
      stdout: 'file\tname\tid\tresult\nwelcome.html\tWelcome\ttmpl_welcome\twritten\n',
      stderr: 'Wrote 1 file.\n',
    });
    expect(textOf(world, 'welcome.html')).toBe(
      '---\nname: Welcome\nsubject: Welcome, {{name,fallback=friend}}!\n---\n<h1>Welcome, {{name,fallback=friend}}!</h1><p>It is good to have you here.</p>\n',
    );
    expect(lockedIds(world)).toEqual({ Welcome: 'tmpl_welcome' });
    const { stdout } = await world.run('template push templates --sandbox --fields result -q');
    expect(stdout).toBe('unchanged\n');
    const again = await world.run(`${pull} --sandbox --fields result -q`);
    expect(again).toEqual({ exitCode: 0, stdout: 'unchanged\n', stderr: '' });
  });

  test('pushing and pulling changes nothing, whatever name, subject and HTML are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(
          fc.record({
            name: fc
              .string({ unit: 'grapheme', minLength: 1 })
              .filter((text) => !text.includes('\0')),
            subject: fc
              .string({ unit: 'grapheme', minLength: 1 })
              .filter((text) => !/[\r\n\0]/.test(text)),
            html: fc
              .string({ unit: 'grapheme', minLength: 1 })
              .filter((text) => text.trim() !== '' && !text.includes('\0')),
          }),
          { selector: ({ name }) => name, minLength: 1, maxLength: 3 },
        ),
        async (templates) => {
          const world = createWorld();
          fileIn(world, 'seeds.json', { templates });
          await world.run('sandbox seed seeds.json --empty');
          const pulled = await world.run(`${pull} --sandbox`);
          expect(pulled.stderr).toMatch(/^Wrote \d files?\.\n$/);
          const { stdout } = await world.run(
            'template push templates --sandbox --fields result -q',
          );
          expect(stdout).toBe('unchanged\n'.repeat(templates.length));
        },
      ),
      { numRuns: 10 },
    );
  });
});

test('of several of one name it is the newest', async () => {
  const { world, run } = await serving(
    { name: 'Welcome', html: '<p>new</p>' },
    { name: 'Welcome', html: '<p>old</p>' },
  );
  expect((await run(pull)).exitCode).toBe(0);
  expect(textOf(world, 'welcome.html')).toContain('<p>new</p>');
  expect(lockedIds(world)).toEqual({ Welcome: 'tmpl_0' });
});

test('names from the service never lead out of the directory, and each has its own file', async () => {
  const names = [
    ...['../../etc/passwd', '..', '/', 'C:\\con', 'con', 'a/b', 'A b', 'a-b', '\u202e\x1b[31m'],
    ...['Größe №1', '.hidden', 'x'.repeat(500)],
  ];
  const { world, run } = await serving(...names.map((name) => ({ name })));
  const { exitCode, stdout } = await run(`${pull} --json`);
  expect(exitCode).toBe(0);
  const files = JSON.parse(stdout).map(({ file }: { file: string }) => file);
  expect([...files].sort()).toEqual(
    [
      ...['etc-passwd.html', 'template.html', 'template-2.html', 'c-con.html', 'con-template.html'],
      ...['a-b.html', 'a-b-2.html', 'a-b-3.html', '31m.html', 'größe-no1.html', 'hidden.html'],
      `${'x'.repeat(50)}.html`,
    ].sort(),
  );
  expect(filesOf(world).toSorted()).toEqual([...files].sort());
  expect(readdirSync(world.home).toSorted()).toEqual(['templates']);
});

test('a file that differs is replaced only with --yes', async () => {
  const { world, run } = await serving({ name: 'A' });
  putTemplate(world, 'own.html', 'A', '<p>mine</p>');
  expect(await run(pull)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      "Error: Nothing was written, because this needs confirmation: 1 file would be replaced with the service's version. Continue?\nHint: To confirm, add --yes.\n",
  });
  expect(textOf(world, 'own.html')).toContain('mine');
  const again = await serving({ name: 'A' });
  putTemplate(again.world, 'own.html', 'A', '<p>mine</p>');
  expect((await again.run(`${pull} --yes`)).exitCode).toBe(0);
  // Pull updates the file that already has the template, and creates no other.
  expect(filesOf(again.world)).toEqual(['own.html']);
  expect(textOf(again.world, 'own.html')).toContain('<p>Hi</p>');
});

test('a file that is no template keeps its name', async () => {
  const { world, run } = await serving({ name: 'A' });
  fileIn(world, 'templates/a.html', 'mine');
  expect((await run(pull)).exitCode).toBe(0);
  expect(textOf(world, 'a.html')).toBe('mine');
  expect(textOf(world, 'a-2.html')).toContain('name: A');
});

test('of the editor: the HTML that the service renders, and a note about what is lost', async () => {
  const { world, run } = await connected(
    { body: [{ id: 'tmpl_1', name: 'A', subject: 'S' }] },
    { body: { id: 'tmpl_1', name: 'A', subject: 'S', html: null, content: { type: 'doc' } } },
    { body: { html: '<p>made</p>' } },
  );
  const { stderr } = await run(pull);
  expect(stderr).toBe(
    "Wrote 1 file.\nWritten in the dashboard's editor: 1 template. The files have only the HTML, and a version that is pushed from them cannot be edited there.\n",
  );
  expect(textOf(world, 'a.html')).toContain('<p>made</p>');
});

test('drafts without subject or HTML are left out, as their files could not be pushed', async () => {
  const blank = [{ name: 'Draft', html: null }, { name: 'New', subject: '' }, { name: '' }];
  const { world, run } = await serving({ name: 'A' }, ...blank);
  expect(await run(pull)).toEqual({
    exitCode: 0,
    stdout: 'file\tname\tid\tresult\na.html\tA\ttmpl_0\twritten\n',
    stderr:
      'Wrote 1 file.\nLeft out, because they have no subject or no HTML: "", "Draft", "New"\n',
  });
  expect(filesOf(world)).toEqual(['a.html']);
  expect(lockedIds(world)).toEqual({ A: 'tmpl_0' });
  const drafts = await serving({ name: 'Draft', html: null });
  expect((await drafts.run(pull)).stderr).toBe(
    'Left out, because they have no subject or no HTML: "Draft"\n',
  );
});

test('a template that is deleted meanwhile is named, and the others are written', async () => {
  const all = ['A', 'B', 'C'].map((name) => ({ id: `tmpl_${name}`, name, subject: 'Hi' }));
  const gone = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'No' } } };
  const full = all.map((one) =>
    one.name === 'B' ? gone : { body: { ...one, html: '<p>Hi</p>' } },
  );
  const { world, run } = await connected({ body: all }, ...full);
  expect(await run(pull)).toMatchObject({
    exitCode: 0,
    stderr: 'Warning: Left out, because it was deleted meanwhile: "B"\nWrote 2 files.\n',
  });
  expect(filesOf(world)).toEqual(['a.html', 'c.html']);
  expect(lockedIds(world)).toEqual({ A: 'tmpl_A', C: 'tmpl_C' });
});

test('no templates: nothing but an empty file of ids', async () => {
  const { world, run } = await connected({ body: [] });
  const { exitCode, stderr } = await run(pull);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'The service has no templates.\n' });
  expect(lockedIds(world)).toEqual({});
});

test('a service without templates: 4, and no directory is made', async () => {
  const { world, run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect((await run(pull)).exitCode).toBe(4);
  expect(existsSync(join(world.home, 'templates'))).toBe(false);
});

test('an id that no path can have: the error names the template', async () => {
  const { run } = await serving({ name: 'Welcome' }, { name: 'Zoo', id: '../../v1/domains' });
  expect(await run(pull)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr: 'Error: template "Zoo": "../../v1/domains" cannot be an id\n',
  });
});
