import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { html, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const book = { body: { id: 'book_1', name: 'Customers', variables: ['plan'] } };
const words = [
  ...['campaign', 'create', '--name', 'News', '--from', 'news@example.com', '--subject', 'News'],
];
const inBook = [...words, '--book', 'book_1'];

test('create warns of placeholders that are not variables of the book, and tells how to add them', async () => {
  const world = createWorld();
  const body = `${html} {{plan}} {{Nick}} {{city, fallback=here}}`;
  const line = [...words, '--html', body, '--book', 'book_customers', '--sandbox'];
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(0);
  const update = 'contact book update book_customers --add-variable Nick --add-variable city';
  expect(stderr).toContain(
    `Warning: Not filled in, because contact book Customers has no such variable: {{Nick}}, {{city, fallback=here}}\nTo add them: mailer ${update} --sandbox\nCreated campaign News as a draft.`,
  );
  expect((await world.run(`${update.toLowerCase()} --sandbox`)).exitCode).toBe(0);
  expect((await world.run(line)).stderr).toMatch(/^Created/);
});

test.each([
  [html, 'Hi {{firstName}}, {{ contact.lastName }}, {{EMAIL,fallback=you}}'],
  ['{{unsend_unsubscribe_url}}', 'News'],
])('what every book fills in needs no look at the book: %s %s', async (body, subject) => {
  const { run, requests } = await connected({ body: summary('camp_1') });
  const { stderr } = await run([
    ...inBook.with(inBook.indexOf('--subject') + 1, subject),
    '--html',
    body,
  ]);
  expect(stderr).not.toContain('Warning');
  expect(requests()).toEqual(['POST /api/v1/campaigns']);
});

test.each([
  ['lacks the request', { status: 404, body: '404 Not Found' }],
  ['has no such book', { status: 404, body: { error: { code: 'NOT_FOUND', message: 'no' } } }],
  [
    'rejects the key for it',
    { status: 403, body: { error: { code: 'FORBIDDEN', message: 'no' } } },
  ],
])('a service that %s: no warning, and the campaign is created', async (_, answer) => {
  const { run, requests } = await connected(answer, { body: summary('camp_1') });
  const outcome = await run([...inBook, '--html', `${html}{{nick}}`]);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'camp_1\n' });
  expect(outcome.stderr).not.toContain('Warning');
  expect(requests()).toEqual(['GET /api/v1/contactBooks/book_1', 'POST /api/v1/campaigns']);
});

test('a start in a script is warned of, not stopped; JSON stays JSON', async () => {
  const { run, requests } = await connected(book, { body: summary('camp_1') });
  const line = [...inBook, '--html', `${html}{{nick}}`, '--send-now', '--yes', '--json'];
  const { exitCode, stdout, stderr } = await run(line);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ id: 'camp_1' });
  expect(stderr).toMatch(/^Warning: Not filled in, .*: \{\{nick\}\}\nTo add it: /);
  expect(requests()).toHaveLength(2);
});

test('a name of the book that was looked up anyway needs no other request', async () => {
  const { run, requests } = await connected({ body: [book.body] }, { body: summary('camp_1') });
  const { stderr } = await run([...words, '--book', 'Customers', '--html', `${html}{{nick}}`]);
  expect(stderr).toContain('{{nick}}');
  expect(requests()).toEqual(['GET /api/v1/contactBooks', 'POST /api/v1/campaigns']);
});

test('a body of another type is a usage error', async () => {
  const { run, file } = await connected();
  const wrong = file('news.json', { html: 5 });
  const { exitCode, stderr } = await run([...inBook, '--file', wrong]);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('html');
});

test('--dry-run looks nothing up', async () => {
  const { run, requests } = await connected();
  const { exitCode } = await run([...inBook, '--html', `${html}{{nick}}`, '--dry-run']);
  expect(exitCode).toBe(0);
  expect(requests()).toEqual([]);
});

/** The editor's document with a variable that every book has, one of the book, and others. */
const content = JSON.stringify({
  type: 'doc',
  content: [
    { type: 'variable', attrs: { id: 'email', fallback: 'you' } },
    { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'Plan' } }] },
    { type: 'paragraph', content: [{ type: 'variable', attrs: { id: 'city', name: 'Town' } }] },
    { type: 'paragraph', content: [{ type: 'variable', attrs: { name: 'nick' } }] },
    { type: 'paragraph', content: [{ type: 'text', text: '{{shoe}}' }] },
  ],
});
const ofEditor = 'has no such variable: {{shoe}}, {{city}}, {{nick}}\n';

test("variables of the dashboard's editor are placeholders", async () => {
  const { run } = await connected(book, { body: summary('camp_1') });
  expect((await run([...inBook, '--content', content])).stderr).toContain(ofEditor);
});

test.each(['{', '[null]', '{"type":"variable"}', '{"type":"variable","attrs":5}'])(
  'content without names of variables is left to the service: %s',
  async (other) => {
    const { run } = await connected({ body: summary('camp_1') });
    const { exitCode, stderr } = await run([...inBook, '--content', other]);
    expect(exitCode).toBe(0);
    expect(stderr).not.toContain('Warning');
  },
);

test("a test of a draft that only has the editor's content warns of its variables", async () => {
  const { run } = await connected(
    { body: summary(id, { content, contactBookId: 'book_1' }) },
    { body: { html: '<p>{{city}}</p>' } },
    book,
    { body: { emailId: 'email_1' } },
  );
  const { exitCode, stderr } = await run(`campaign test ${id} --to me@example.org`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(ofEditor);
});

test('a test warns, too', async () => {
  const draft = { html: `${html}{{nick}}`, contactBookId: 'book_1' };
  const { run } = await connected({ body: summary(id, draft) }, book, {
    body: { emailId: 'email_1' },
  });
  const { exitCode, stderr } = await run(`campaign test ${id} --to me@example.org`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain('Warning: Not filled in, because contact book Customers');
});

test('schedule in a script with --yes looks nothing up', async () => {
  const { run, requests } = await connected({ body: { success: true } });
  expect((await run(`campaign schedule ${id} --yes --now`)).exitCode).toBe(0);
  expect(requests()).toEqual([`POST /api/v1/campaigns/${id}/schedule`]);
});

test.each(['No Book', 'none', '12345678', 'cm3k2abc9'])(
  'book %s, which does not exist: 4, by its name or its id',
  async (book) => {
    const world = createWorld();
    const outcome = await world.run([...words, '--book', book, '--html', html, '--sandbox']);
    expect(outcome).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `Error: There is no contact book "${book}".\nHint: To list the contact books: mailer contact book list --sandbox\n`,
    });
  },
);

test('a book that exists is not named by a rejection for another reason; @last is its id', async () => {
  const { world, run } = await connected(
    book,
    { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'No' } } },
    { body: [{ id: 'book_1', name: 'Readers' }] },
    { body: [{ id: 1, name: 'example.com', status: 'SUCCESS' }] },
  );
  await run('api POST /v1/contactBooks -f name=Readers');
  const outcome = await world.run([...words, '--book', '@last', '--html', '<p>Hi</p>']);
  expect(outcome).toEqual({ exitCode: 1, stdout: '', stderr: 'Error: No\n' });
});

test('a book whose name looks like an id: the hint has its id', async () => {
  const world = createWorld();
  await world.run('contact book create --name march2026 --double-opt-in off --sandbox');
  const { stdout } = await world.run('contact book get @last --sandbox --json');
  const line = [...words, '--book', 'march2026', '--html', html, '--sandbox'];
  const outcome = await world.run(line);
  expect(outcome).toMatchObject({ exitCode: 1, stdout: '' });
  expect(outcome.stderr).toContain(
    `Hint: "march2026" is the name of a contact book. Use its id: ${JSON.parse(stdout).id}\n`,
  );
});
