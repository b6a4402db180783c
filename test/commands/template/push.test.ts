import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { takeLock } from '../../../src/lib/base/files/process-lock.ts';
import { atTerminal } from '../../support/at-terminal.ts';
import { type Connected, connected, errorOf, failureOf, fileIn } from '../../support/connected.ts';
import { enter } from '../../support/keys.ts';
import type { Recorded } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';
import { lockedIds, putTemplate, templateText, textOf } from './files.ts';

const push = 'template push templates --yes';

async function ids(world: World): Promise<readonly string[]> {
  const { stdout } = await world.run('template list --sandbox --fields id,name --no-header');
  return stdout.trim().split('\n');
}

describe('on the sandbox', () => {
  test('a policy that does not allow it does not ask to run the command again', async () => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt');
    const { exitCode, stderr } = await world.run(`${push} --sandbox`, {
      env: { MAILER_READ_ONLY: 'on' },
    });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('mailer policy show');
    expect(stderr).not.toContain('again');
  });

  test('creates what is new or changed, and nothing a second time', async () => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt');
    putTemplate(world, 'welcome.html', 'Welcome');
    const first = await world.run(`${push} --sandbox`);
    const { Receipt, Welcome } = lockedIds(world);
    expect(first).toEqual({
      exitCode: 0,
      stdout: [
        'file\tname\tid\tresult',
        `receipt.html\tReceipt\t${Receipt}\tcreated`,
        // A template with this name already exists, with another text.
        `welcome.html\tWelcome\t${Welcome}\tcreated`,
        '',
      ].join('\n'),
      stderr: 'Created 2 templates.\n',
    });
    expect(await ids(world)).toEqual([
      `${Welcome}\tWelcome`,
      `${Receipt}\tReceipt`,
      'tmpl_welcome\tWelcome',
    ]);
    const lock = textOf(world, 'mailer-templates.lock.json');
    const second = await world.run(`${push} --sandbox --fields result --no-header`);
    expect(second).toEqual({
      exitCode: 0,
      stdout: 'unchanged\nunchanged\n',
      stderr: 'Created 0 templates.\n',
    });
    expect(textOf(world, 'mailer-templates.lock.json')).toBe(lock);
    expect(await ids(world)).toHaveLength(3);
  });

  test.each([
    ['the subject', templateText('Receipt', 'Your order', '<p>Hi</p>')],
    ['the HTML', templateText('Receipt', 'About Receipt', '<p>Hello</p>')],
  ])('a change of %s makes a new one, whose id replaces the old one', async (_, text) => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt');
    await world.run(`${push} --sandbox`);
    const { Receipt: old } = lockedIds(world);
    fileIn(world, 'templates/receipt.html', text);
    expect((await world.run(`${push} --sandbox --json`)).exitCode).toBe(0);
    expect(lockedIds(world).Receipt).not.toBe(old);
    const { stdout } = await world.run(
      `template get ${lockedIds(world).Receipt} --sandbox --fields subject,html -q`,
    );
    expect(text).toContain(stdout.split('\n')[0]);
  });

  test('line ends of another system, and those after the last line, are no change', async () => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt', '<p>\nHi</p>');
    await world.run(`${push} --sandbox`);
    const other = `${textOf(world, 'receipt.html').replaceAll('\n', '\r\n')}\r\n\r\n`;
    writeFileSync(join(world.home, 'templates', 'receipt.html'), other);
    const { stdout } = await world.run(`${push} --sandbox --fields result --no-header`);
    expect(stdout).toBe('unchanged\n');
  });

  test('another checkout, without the file of ids, creates nothing, and writes the same file', async () => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt');
    await world.run(`${push} --sandbox`);
    const lock = textOf(world, 'mailer-templates.lock.json');
    rmSync(join(world.home, 'templates', 'mailer-templates.lock.json'));
    const second = await world.run(`${push} --sandbox --fields result --no-header`);
    expect(second.stdout).toBe('unchanged\n');
    expect(textOf(world, 'mailer-templates.lock.json')).toBe(lock);
  });

  test('--dry-run compares, and creates and writes nothing', async () => {
    const world = createWorld();
    putTemplate(world, 'receipt.html', 'Receipt');
    putTemplate(world, 'welcome.html', 'Welcome');
    expect(await world.run('template push templates --dry-run --sandbox')).toEqual({
      exitCode: 0,
      stdout:
        'file\tname\tid\tresult\nreceipt.html\tReceipt\t\tnew\nwelcome.html\tWelcome\ttmpl_welcome\tchanged\n',
      stderr: '2 templates would be created. Nothing was created.\n',
    });
    expect(await ids(world)).toHaveLength(1);
    expect(existsSync(join(world.home, 'templates', 'mailer-templates.lock.json'))).toBe(false);
  });

  test('the file of ids has those of every service, in the same order', async () => {
    const world = createWorld();
    putTemplate(world, 'b.html', 'B');
    putTemplate(world, 'a.html', 'A');
    const others = { version: 1, services: { 'https://z.example/api': { A: 'tmpl_1' } } };
    fileIn(world, 'templates/mailer-templates.lock.json', others);
    await world.run(`${push} --sandbox`);
    const lock = JSON.parse(textOf(world, 'mailer-templates.lock.json'));
    expect(Object.keys(lock.services)).toEqual([
      'http://sandbox.localhost/api',
      'https://z.example/api',
    ]);
    expect(lock.services['https://z.example/api']).toEqual({ A: 'tmpl_1' });
    expect(Object.keys(lock.services['http://sandbox.localhost/api'])).toEqual(['A', 'B']);
  });
});

test('without a terminal it needs --yes, and nothing is created', async () => {
  const { world, run, requests } = await connected({ body: [] });
  putTemplate(world, 'a.html', 'A');
  expect(await run('template push templates')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: Nothing was created, because this needs confirmation: This creates 1 template, which the API can neither change nor delete. Continue?\nHint: To confirm, add --yes.\n',
  });
  expect(requests()).toEqual(['GET /api/v1/templates']);
});

test.each<[string, Readonly<Record<string, string>>, string]>([
  [
    'no HTML files',
    { 'a.txt': 'x' },
    'templates has no templates, which are files ending in .html',
  ],
  ['no front matter', { 'a.html': '<p>' }, 'a.html: has no name and subject between two lines'],
  ['no subject', { 'a.html': '---\nname: A\n---\nx' }, 'a.html: subject is missing'],
  ['a list', { 'a.html': '---\nname: [A]\nsubject: S\n---\nx' }, 'a.html: name must be text'],
  ['no HTML', { 'a.html': '---\nname: A\nsubject: S\n---\n\n' }, 'a.html: has no HTML'],
  [
    'an alias',
    { 'a.html': '---\nname: &a A\nsubject: *a\n---\nx' },
    'a.html: line 2: name is "A" in YAML, without its first word; put the value in quotes',
  ],
  [
    'laughs',
    { 'a.html': `---\nname: &a [x, x]\nsubject: [*a, *a]\n---\nx` },
    'a.html: name must be text',
  ],
  [
    'a list as a field',
    { 'a.html': '---\n? [A]\n: S\n---\nx' },
    'a.html: the name of a field must be a word',
  ],
  ['a tag', { 'a.html': '---\nname: !!set A\n---\nx' }, 'a.html: cannot be read as YAML: '],
  ['another field', { 'a.html': '---\nname: A\nfrom: S\n---\nx' }, 'a.html: unknown field "from"'],
  ['invalid YAML', { 'a.html': '---\nname: "A\n---\nx' }, 'a.html: cannot be read as YAML: '],
  [
    'a field twice',
    { 'a.html': '---\nname: A\nname: B\n---\nx' },
    'a.html: cannot be read as YAML',
  ],
  [
    'a name twice',
    { 'a.html': templateText('A', 'S', 'x'), 'b.html': templateText('A', 'S', 'x') },
    'b.html: a.html has the same name, "A"',
  ],
  [
    'a damaged file of ids',
    { 'a.html': templateText('A', 'S', 'x'), 'mailer-templates.lock.json': '<<<<' },
    'mailer-templates.lock.json is damaged, or of another version\nHint: Delete it',
  ],
])('%s: 2, and nothing is sent', async (_, files, message) => {
  const { world, run, requests } = await connected();
  for (const [name, text] of Object.entries(files)) fileIn(world, `templates/${name}`, text);
  const { exitCode, stderr, stdout } = await run(push);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('a missing directory: 2', async () => {
  const { exitCode, stderr } = await createWorld().run(`${push} --sandbox`);
  expect({ exitCode, stderr }).toEqual({
    exitCode: 2,
    stderr: 'Error: templates does not exist\n',
  });
});

test('a file instead of a directory: 2', async () => {
  const world = createWorld();
  fileIn(world, 'templates', 'x');
  const { exitCode, stderr } = await world.run(`${push} --sandbox`);
  expect([exitCode, stderr]).toEqual([2, 'Error: templates is not a directory\n']);
});

test('a name may be what YAML reads as a number, and a subject in quotes as a boolean', async () => {
  const world = createWorld();
  fileIn(world, 'templates/a.html', '---\nname: 2026\nsubject: "yes"\n---\n<p>Hi</p>\n');
  await world.run(`${push} --sandbox`);
  const { stdout } = await world.run('template get 2026 --sandbox --fields name,subject --json');
  expect(JSON.parse(stdout)).toEqual({ name: '2026', subject: 'yes' });
});

test('a template of the editor is compared by the HTML that the service renders', async () => {
  const content = JSON.stringify({ type: 'doc', content: [{ type: 'paragraph' }] });
  const { world, run, requests, sent } = await connected(
    { body: [{ id: 'tmpl_1', name: 'A', subject: 'About A' }] },
    { body: { id: 'tmpl_1', name: 'A', subject: 'About A', html: null, content } },
    { body: { html: '<p>Hi</p>' } },
  );
  putTemplate(world, 'a.html', 'A');
  expect((await run(`${push} --fields result --no-header`)).stdout).toBe('unchanged\n');
  expect(requests()).toEqual([
    'GET /api/v1/templates',
    'GET /api/v1/templates/tmpl_1',
    'POST /api/v1/templates/render',
  ]);
  expect(sent(2)).toEqual({ content });
});

/** A service that stores templates. `trouble` decides what happens to the n-th create. */
async function service(trouble: (n: number) => 'lost before' | 'lost after' | 'rejected' | 'fine') {
  const stored: Record<string, unknown>[] = [];
  let creates = 0;
  const setup: Connected = await connected(
    ...Array.from(
      { length: 40 },
      () => (response: import('node:http').ServerResponse, request: Recorded) => {
        const json = (body: unknown, status = 200) =>
          response
            .writeHead(status, { 'content-type': 'application/json' })
            .end(JSON.stringify(body));
        const path = request.path.replace('/api/v1/templates', '');
        if (request.method === 'GET') {
          return json(path === '' ? stored : stored.find(({ id }) => `/${id}` === path));
        }
        const what = trouble(++creates);
        if (what === 'rejected')
          return json({ error: { code: 'BAD_REQUEST', message: 'no' } }, 400);
        const template = { id: `tmpl_${creates}`, ...JSON.parse(request.body) };
        if (what !== 'lost before') stored.unshift(template);
        if (what !== 'fine') return response.destroy();
        return json(template);
      },
    ),
  );
  for (const name of ['A', 'B', 'C']) putTemplate(setup.world, `${name}.html`, name);
  return { ...setup, stored, creates: () => creates };
}

describe('a create that fails', () => {
  test('is not repeated if its response is lost: the list shows that it was created', async () => {
    const { run, world, stored, creates } = await service((n) => (n === 2 ? 'lost after' : 'fine'));
    const { exitCode, stderr } = await run(push);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: 'Created 3 templates.\n' });
    expect(stored.map(({ name }) => name)).toEqual(['C', 'B', 'A']);
    expect(creates()).toBe(3);
    expect(lockedIds(world)).toEqual({ A: 'tmpl_1', B: 'tmpl_2', C: 'tmpl_3' });
  });

  test('ends the run if it is not in the list; the same command creates the rest', async () => {
    const { run, world, stored } = await service((n) => (n === 2 ? 'lost before' : 'fine'));
    const outcome = await run(`${push} --json`);
    expect(outcome.exitCode).toBe(7);
    expect(failureOf(outcome)).toMatchObject({
      code: 'unavailable',
      hint: '1 of 3 templates were created. Run the command again: it creates only what the service does not have. To find the cause: mailer doctor',
    });
    expect(JSON.parse(outcome.stdout)).toMatchObject([
      { name: 'A', result: 'created' },
      { name: 'B', result: 'new', id: null },
      { name: 'C', result: 'new' },
    ]);
    expect(lockedIds(world)).toEqual({ A: 'tmpl_1' });
    expect((await run(push)).stderr).toBe('Created 2 templates.\n');
    expect(stored.map(({ name }) => name)).toEqual(['C', 'B', 'A']);
  });

  test('the first one: the error alone, and no file of ids', async () => {
    const { run, world } = await service(() => 'rejected');
    const outcome = await run(`${push} --json`);
    expect(outcome.exitCode).toBe(1);
    expect(errorOf(outcome).code).toBe('rejected');
    expect(existsSync(join(world.home, 'templates', 'mailer-templates.lock.json'))).toBe(false);
  });

  test('the ids of those before it are stored when the program is interrupted, which says how many', async () => {
    const ctrlC = new AbortController();
    const { run, world } = await service((n) => {
      if (n === 2) ctrlC.abort(new InterruptedError('Interrupted.'));
      return 'fine';
    });
    expect(await run(push, { signal: ctrlC.signal })).toEqual({
      exitCode: 130,
      stdout: '',
      stderr:
        'Error: Interrupted.\nHint: 1 of 3 templates were created. Run the command again: it creates only what the service does not have.\n',
    });
    expect(lockedIds(world)).toEqual({ A: 'tmpl_1' });
  });
});

describe('a service that rewrites HTML', () => {
  const otherKey = 'us_other_key_1234567890';

  /** A service that stores and returns other HTML than it received, with two accounts. */
  async function rewriting() {
    const stored: Record<string, string>[] = [];
    const ofOther: Record<string, string>[] = [];
    const setup = await connected(
      ...Array.from(
        { length: 40 },
        () => (response: import('node:http').ServerResponse, request: Recorded) => {
          const path = request.path.replace('/api/v1/templates', '');
          const own = request.headers.authorization === `Bearer ${otherKey}` ? ofOther : stored;
          if (request.method === 'POST') {
            const sent = JSON.parse(request.body);
            const html = `<html>${sent.html}</html>`;
            own.unshift({ id: `tmpl_${stored.length + ofOther.length + 1}`, ...sent, html });
          }
          const body =
            request.method === 'POST'
              ? own[0]
              : path === ''
                ? own
                : own.find(({ id }) => `/${id}` === path);
          response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
        },
      ),
    );
    putTemplate(setup.world, 'a.html', 'A');
    return { ...setup, stored };
  }

  test('has each version once', async () => {
    const { run, stored, world } = await rewriting();
    expect((await run(push)).stderr).toBe('Created 1 template.\n');
    const lock = textOf(world, 'mailer-templates.lock.json');
    expect((await run(push)).stderr).toBe('Created 0 templates.\n');
    expect(textOf(world, 'mailer-templates.lock.json')).toBe(lock);
    putTemplate(world, 'a.html', 'A', '<p>Hello</p>');
    expect((await run(push)).stderr).toBe('Created 1 template.\n');
    expect((await run(push)).stderr).toBe('Created 0 templates.\n');
    expect(stored.map(({ id }) => id)).toEqual(['tmpl_2', 'tmpl_1']);
    const { rewritten } = JSON.parse(textOf(world, 'mailer-templates.lock.json'));
    expect(Object.keys(rewritten)).toEqual(['tmpl_2']);
  });

  test('in another checkout, too, if that has the file of ids', async () => {
    const { run, stored, world } = await rewriting();
    await run(push);
    for (const file of ['a.html', 'mailer-templates.lock.json']) {
      fileIn(world, `clone/${file}`, textOf(world, file));
    }
    expect((await run('template push clone --yes')).stderr).toBe('Created 0 templates.\n');
    rmSync(join(world.home, 'clone', 'mailer-templates.lock.json'));
    // Only that file records what the service stored.
    expect((await run('template push clone --yes')).stderr).toBe('Created 1 template.\n');
    expect(stored).toHaveLength(2);
  });

  test('has it once in each of two accounts', async () => {
    const { run, world } = await rewriting();
    const other = { env: { MAILER_API_KEY: otherKey } };
    await run(push);
    await run(push, other);
    for (const account of [{}, other]) {
      expect((await run(push, account)).stderr).toBe('Created 0 templates.\n');
    }
    putTemplate(world, 'a.html', 'A', '<p>Hello</p>');
    await run(push);
    const { rewritten } = JSON.parse(textOf(world, 'mailer-templates.lock.json'));
    expect(Object.keys(rewritten)).toEqual(['tmpl_2', 'tmpl_3']);
  });

  test('and changed by somebody since gets the content of the file', async () => {
    const { run, stored } = await rewriting();
    await run(push);
    Object.assign(stored[0] ?? {}, { html: '<html>Edited</html>' });
    expect((await run(push)).stderr).toBe('Created 1 template.\n');
  });
});

test('two at once: the second sends nothing, with the reason', async () => {
  const world = createWorld();
  putTemplate(world, 'a.html', 'A');
  const held = takeLock(join(world.home, 'templates', '.mailer-templates.lock'));
  expect(await world.run(`${push} --sandbox`)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: Another process is pushing the templates in templates\nHint: Nothing was created. Run this again once the other one has ended.\n',
  });
  expect((await world.run('template push templates --dry-run --sandbox')).exitCode).toBe(0);
  held?.release();
  expect((await world.run(`${push} --sandbox`)).exitCode).toBe(0);
  expect(readdirSync(join(world.home, 'templates'))).toEqual([
    'a.html',
    'mailer-templates.lock.json',
  ]);
});

test('a service without templates: 4, not offered', async () => {
  const { world, run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  putTemplate(world, 'a.html', 'A');
  expect(errorOf(await run(`${push} --json`)).code).toBe('not_offered');
  expect(readFileSync(join(world.home, 'templates', 'a.html'), 'utf8')).toContain('name: A');
});

test('at a terminal, the templates to create are shown before the question; a no creates nothing', async () => {
  const world = createWorld();
  // A name from a repository must do nothing to the terminal.
  putTemplate(world, 'a\u202eb\u001b[2J.html', 'Receipt');
  const words = 'template push templates --sandbox';
  const no = await atTerminal(world.run, words, [['Continue? (y/N)', `n${enter}`]]);
  expect(no.exitCode).toBe(2);
  expect(no.text).toContain('new  a\\u{202e}b\\x1b[2J.html');
  expect(no.text).toContain('Error: Not confirmed. Nothing was created.');
  const yes = await atTerminal(world.run, words, [['Continue? (y/N)', `y${enter}`]]);
  expect(yes.exitCode).toBe(0);
  expect(yes.text).toContain('Created 1 template.');
  for (const row of yes.rows) expect(row.length).toBeLessThanOrEqual(80);
});
