import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const notFound = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'no' } } };
const listed = (id: string, name: string, createdAt: string) => ({ id, name, createdAt });

test('by id, exact name or @last: the same template', async () => {
  const world = createWorld();
  const html = '<p>Thank you.</p>';
  const create = ['template', 'create', '--name', 'Receipt', '--subject', 'Order', '--html', html];
  const id = (await world.run([...create, '--sandbox'])).stdout.trim();
  for (const named of [id, 'Receipt', '@last']) {
    expect(await world.run(['template', 'get', named, '--sandbox'])).toEqual({
      exitCode: 0,
      stdout: `id\t${id}\nname\tReceipt\nsubject\tOrder\nhtml\t${html}\ncontent\t\n`,
      stderr: '',
    });
  }
});

test('HTML is shown as text with links on a terminal, and whole with --fields', async () => {
  const html = '<p>Hello, <a href="https://example.com/a">all</a></p>';
  const reply = { body: { id: 'tmpl_1', name: 'Long', subject: 'Hi', html, content: null } };
  const { run } = await connected(reply, reply);
  const { stdout } = await run('template get tmpl_1 --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^HTML +Hello, all \(https:\/\/example\.com\/a\)$/m);
  expect((await run('template get tmpl_1 -q --fields html')).stdout).toBe(`${html}\n`);
});

test('--open shows it in the browser, without a script of its own', async () => {
  const world = createWorld();
  const { stderr } = await world.run('template get Welcome --open --sandbox');
  expect(stderr).toBe(`Opened ${join(world.home, 'page.html')}\n`);
  const page = readFileSync(join(world.home, 'page.html'), 'utf8');
  expect(page).toContain('<iframe sandbox="" srcdoc="&lt;h1&gt;Welcome');
  expect(page).not.toContain('From');
});

test('what looks like an id is tried as an id, then as a name; a lower-case word as a name first', async () => {
  const found = (id: string) => ({ body: { id, name: 'News', html: 'x' } });
  const list = { body: [listed('tmpl_1', 'tmpl_news', ''), listed('tmpl_3', 'welcome', '')] };
  const { run, requests } = await connected(notFound, list, found('tmpl_1'), list, found('tmpl_3'));
  expect((await run('template get tmpl_news -q')).stdout).toBe('tmpl_1\n');
  expect((await run('template get welcome -q')).exitCode).toBe(0);
  expect(requests()).toEqual([
    'GET /api/v1/templates/tmpl_news',
    ...['GET /api/v1/templates', 'GET /api/v1/templates/tmpl_1'],
    ...['GET /api/v1/templates', 'GET /api/v1/templates/tmpl_3'],
  ]);
});

test('a name that several have is that of the newest', async () => {
  const { run, requests } = await connected(
    {
      body: [
        listed('tmpl_1', 'Welcome', '2026-01-01T00:00:00.000Z'),
        listed('tmpl_3', 'Welcome', '2026-01-03T00:00:00.000Z'),
        listed('tmpl_2', 'Other', '2026-01-09T00:00:00.000Z'),
      ],
    },
    { body: { id: 'tmpl_3', name: 'Welcome', html: 'x' } },
  );
  expect((await run('template get Welcome -q')).stdout).toBe('tmpl_3\n');
  expect(requests()).toEqual(['GET /api/v1/templates', 'GET /api/v1/templates/tmpl_3']);
});

test('one that does not exist: 4, with the command that lists them', async () => {
  const { exitCode, stderr } = await createWorld().run('template get Goodbye --sandbox');
  expect({ exitCode, stderr }).toEqual({
    exitCode: 4,
    stderr:
      'Error: There is no template "Goodbye".\nHint: To list the templates: mailer template list --sandbox\n',
  });
  const missing = await createWorld().run('template get tmpl_nope --sandbox --json');
  expect([missing.exitCode, errorOf(missing).code]).toEqual([4, 'not_found']);
});

test('a service without templates: 4, not offered', async () => {
  const lacking = { status: 404, body: '404 Not Found' };
  const { run } = await connected(lacking, { body: [] });
  expect(errorOf(await run('template get tmpl_1 --json')).code).toBe('not_offered');
});
