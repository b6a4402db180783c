import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { html, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const book = { body: { id: 'book_1', name: 'Customers', variables: ['plan'] } };
const contacts = {
  body: [
    {
      ...{ id: 'c1', email: 'ana@example.org', subscribed: true, firstName: 'Ana', lastName: 'B' },
      properties: { Plan: 'Pro' },
    },
  ],
};
const words = [
  ...[
    'campaign',
    'create',
    '--allow-duplicate',
    '--name',
    'News',
    '--from',
    'news@example.com',
    '--subject',
    'News',
  ],
];
const inBook = [...words, '--book', 'book_1'];

test('create warns of placeholders that are not variables of the book, and tells how to add them', async () => {
  const world = createWorld();
  const body = `${html} {{plan, fallback=Free}} {{Nick, fallback=you}} {{city, fallback=here}}`;
  const line = [...words, '--html', body, '--book', 'book_customers', '--sandbox'];
  const { exitCode, stderr } = await world.run(line);
  expect(exitCode).toBe(0);
  const update = 'contact book update book_customers --add-variable Nick --add-variable city';
  expect(stderr).toContain(
    `Warning: The campaign does not fill in these placeholders:\n  --html, line 1: {{Nick, fallback=you}}\n  --html, line 1: {{city, fallback=here}}\nContact book Customers has no such variable.\nTo add them to the book: mailer ${update} --sandbox\nCreated campaign News as a draft.`,
  );
  expect((await world.run(`${update.toLowerCase()} --sandbox`)).exitCode).toBe(0);
  expect((await world.run(line)).stderr).toMatch(/^Created/);
});

test.each([
  [html, 'Hi {{firstName,fallback=you}}, {{ contact.email }}, {{EMAIL,fallback=you}}'],
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

test('a draft warns of what campaigns do not know, and accepts what is meant to be seen', async () => {
  const { run, requests } = await connected({ body: summary('camp_1') });
  const body = `${html}{% if x %}{{ firstName | upcase }}<pre>{{ name }}</pre>`;
  const { exitCode, stderr } = await run([...inBook, '--html', body]);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'Warning: The campaign does not fill in these placeholders:\n  --html, line 1: {% if x %}\n  --html, line 1: {{ firstName | upcase }}\nCampaigns fill in {{variable}} and {{variable, fallback=text}} in the subject and the body, and nothing else.\n',
  );
  expect(requests()).toEqual(['POST /api/v1/campaigns']);
});

describe('a start of a campaign with a placeholder that it does not fill in is an error', () => {
  const create = [...inBook, '--now', '--yes'];
  test.for<[string, readonly string[], string]>([
    [
      'a name that the book does not have',
      ['--html', `${html}\n{{nick}}`],
      '  --html, line 2: {{nick}}\n',
    ],
    ['Liquid', ['--html', `${html}{% if plan %}x{% endif %}`], '  --html, line 1: {% if plan %}\n'],
    ['a brace too few', ['--html', `${html}{{firstName} {{{plan}}}`], 'line 1: {{firstName}\n'],
    ['a filter', ['--html', `${html}{{ firstName | upcase }}`], '{{ firstName | upcase }}\n'],
    [
      'an address for answers',
      ['--html', html, '--reply-to', '{{plan}} <a@example.com>'],
      '  --reply-to: {{plan}}\n',
    ],
    [
      'a preview text',
      ['--html', html, '--preview-text', 'Hi {{firstName}}'],
      '  --preview-text: {{firstName}}\n',
    ],
    ['Markdown', ['--markdown-file', 'a.md'], '  a.md, line 5: {{nick}}\n'],
    ['later', ['--html', `${html}{{nick}}`], '{{nick}}\n'],
  ])('create: %s', async ([name, body, expected]) => {
    const { run, requests, file } = await connected(book, contacts);
    file('a.md', '---\nlang: de\n---\n# News\n{{plan}} {{nick}} `{{code}}`\n');
    const start =
      name === 'later'
        ? create.with(-2, '--scheduled-at').toSpliced(-1, 0, '2026-02-01T09:00:00Z')
        : create;
    const { exitCode, stdout, stderr } = await run([...start, ...body]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain(expected);
    expect(stderr).not.toContain('code}}');
    expect(stderr).toContain('Nothing was created.');
    expect(stderr).toContain('add --literal.\n');
    expect(requests()).not.toContain('POST /api/v1/campaigns');
  });

  test('the advice names the fields that may be meant before it adds variables', async () => {
    const { run } = await connected(book);
    const body = `${html}{{first_name}} {{PLAN_}} {{city}} {{unsubscribe}}`;
    expect((await run([...create, '--html', body])).stderr).toContain(
      [
        'Hint: Nothing was created.',
        'Contact book Customers has no such variable.',
        '{{first_name}}: did you mean {{firstName}}?',
        '{{PLAN_}}: did you mean {{plan}}?',
        '{{unsubscribe}}: did you mean {{usesend_unsubscribe_url}}?',
        'To add them to the book: mailer contact book update book_1 --add-variable first_name --add-variable PLAN_ --add-variable city --add-variable unsubscribe',
        'To send the campaign as it is written, add --literal.',
      ].join('\n'),
    );
  });

  test('--literal starts it as it is written; with --allow-blank, without a look at the book', async () => {
    const { run, requests } = await connected({ body: summary('camp_1') });
    const line = [...create, '--html', `${html}{{nick}}{% x %}`, '--literal', '--allow-blank'];
    expect(await run(line)).toMatchObject({ exitCode: 0, stdout: 'camp_1\n' });
    expect(requests()).toEqual(['POST /api/v1/campaigns']);
  });

  const stored = (parts: object) => ({ body: summary(id, { contactBookId: 'book_1', ...parts }) });
  const bad = stored({ html: `${html}{{nick}}`, subject: 'Hi {{plan}} {{ firstName }}' });

  test.each([
    ['schedule --now', 'started'],
    ['schedule --scheduled-at 2026-02-01T09:00:00Z', 'scheduled'],
    ['resume', 'resumed'],
  ])('%s, with --yes and without: nothing is %s; --literal is the way', async (words, undone) => {
    const [command, ...flags] = words.split(' ');
    const line = ['campaign', command ?? '', id, ...flags];
    const asked = await connected(bad, book, contacts);
    const without = await asked.run(line);
    const inScript = await connected(bad, book, contacts);
    const withYes = await inScript.run([...line, '--yes']);
    for (const { exitCode, stdout, stderr } of [without, withYes]) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('does not fill in this placeholder:\n  HTML, line 1: {{nick}}\n');
      expect(stderr).toContain(`Nothing was ${undone}.`);
    }
    const looks = [`campaigns/${id}`, 'contactBooks/book_1', 'contactBooks/book_1/contacts'].map(
      (path) => `GET /api/v1/${path}`,
    );
    expect(asked.requests()).toEqual(looks);
    expect(inScript.requests()).toEqual(looks);
    const literal = await connected(bad, book, contacts, { body: { success: true } });
    expect((await literal.run([...line, '--yes', '--literal'])).exitCode).toBe(0);
  });

  test('nor is the sender filled in', async () => {
    const { run } = await connected(stored({ html, from: '{{plan}} <a@example.com>' }));
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(
      '  from: {{plan}}\nHint: Nothing was started. Campaigns fill in {{variable}} and {{variable, fallback=text}} in the subject and the body, and nothing else. To send',
    );
  });

  test('what it fills in, and what is code, is started', async () => {
    const good = `${html}{{plan}} {{contact.EMAIL, fallback=x}}<code>{{ nick }}</code>`;
    const { run } = await connected(stored({ html: good }), book, contacts, {
      body: { success: true },
    });
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  test('a campaign that cannot be read: that is said, and it is started', async () => {
    const { run } = await connected({ status: 403, body: 'no' }, { body: { success: true } });
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'The service does not show the campaign, so mailer did not check its status or its placeholders.\n',
    );
  });

  test('a book that the service does not show: that is said, and the campaign is started', async () => {
    const { run } = await connected(bad, { status: 403, body: 'no' }, contacts, {
      body: { success: true },
    });
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain(
      'The service does not show the contact book, so the names of placeholders are not checked.\n',
    );
  });

  test.each([
    ['campaign', [{ status: 503, body: 'no' }]],
    ['campaign', [{ status: 200, body: '<html>' }]],
    ['contact book', [bad, { status: 500, body: 'no' }]],
  ])('a %s that cannot be read for the moment: nothing is started', async (what, answers) => {
    const { run, requests } = await connected(...answers, { body: { success: true } });
    const outcome = await run(`campaign schedule ${id} --now --yes --retries 0`);
    expect(outcome).toMatchObject({ stdout: '' });
    expect([7, 8]).toContain(outcome.exitCode);
    expect(outcome.stderr).toContain(
      `Hint: Nothing was started, because the ${what} could not be read. To start `,
    );
    expect(requests().filter((one) => one.startsWith('POST'))).toEqual([]);
  });

  test('the same where it would be created and started', async () => {
    const { run, requests } = await connected({ status: 500, body: 'no' });
    const line = [...create, '--html', `${html}{{nick}}`, '--retries', '0'];
    const { exitCode, stderr } = await run(line);
    expect(exitCode).toBe(7);
    expect(stderr).toContain('Nothing was created, because the contact book could not be read.');
    expect(requests()).toEqual(['GET /api/v1/contactBooks/book_1']);
  });

  test('a campaign given by a name that looks like an id is read once it is found', async () => {
    const world = createWorld();
    const line = [...words.with(4, 'March2'), '--book', 'book_customers', '--html', html];
    expect((await world.run([...line, '--sandbox'])).exitCode).toBe(0);
    const { exitCode, stderr } = await world.run('campaign schedule March2 --now --yes --sandbox');
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    expect(stderr).not.toContain('cannot be read');
  });
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
const ofEditor =
  /content: \{\{shoe\}\}\n {2}\S*content: \{\{city\}\}\n {2}\S*content: \{\{nick\}\}\nContact book Customers has no such variable\./;

test("variables of the dashboard's editor are placeholders", async () => {
  const { run } = await connected(book, { body: summary('camp_1') });
  expect((await run([...inBook, '--content', content])).stderr).toMatch(ofEditor);
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
    contacts,
    { body: { emailId: 'email_1' } },
  );
  const { exitCode, stderr } = await run(`campaign test ${id} --to me@example.org`);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(ofEditor);
});

test('a test warns, too', async () => {
  const draft = { html: `${html}{{nick}}`, contactBookId: 'book_1' };
  const { run } = await connected({ body: summary(id, draft) }, book, {
    body: { emailId: 'email_1' },
  });
  const { exitCode, stderr } = await run(`campaign test ${id} --to me@example.org`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'Warning: The campaign does not fill in this placeholder:\n  HTML, line 1: {{nick}}\nContact book Customers has no such variable.',
  );
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
  const outcome = await world.run([
    ...words,
    '--book',
    '@last',
    '--html',
    '<p>Hi</p>',
    '--literal',
  ]);
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
