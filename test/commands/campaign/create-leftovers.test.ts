import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { createWords, html, page, summary } from './draft.ts';

const words = [
  ...[
    'campaign',
    'create',
    '--allow-duplicate',
    '--name',
    'Spring news',
    '--from',
    'news@example.com',
  ],
  ...['--subject', 'News', '--book', 'book_customers', '--html', html, '--yes', '--retries', '0'],
];
const refusal = { status: 400, body: { error: { code: 'BAD_REQUEST', message: 'Não foi' } } };

/** A book without recipients, so that the second step of a create fails. */
async function emptiedBook() {
  const world = createWorld();
  const names = 'ana ben chloe dmitri elif farid grace hugo ines jonas keiko'.split(' ');
  for (const name of names) {
    await world.run(
      `contact update contact_${name} --book book_customers --unsubscribed --sandbox --quiet`,
    );
  }
  return world;
}

test.each(['--now', '--scheduled-at=tomorrow 9am'])(
  'names the draft that the service keeps when it rejects %s',
  async (flag) => {
    const world = await emptiedBook();
    const { exitCode, stdout, stderr } = await world.run(createWords('Spring news', flag));
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' });
    const drafts = await world.run('campaign list --sandbox --status DRAFT --quiet');
    const id = drafts.stdout.trim();
    expect(id).toMatch(/^c[a-z0-9]{24}$/);
    expect(stderr).toMatch(/^Error: No subscribed contacts to send to\n/);
    expect(stderr).toContain(
      [
        `Hint: The service kept it as a draft: ${id}`,
        'A campaign starts only if its contact book has a subscribed contact. Contacts subscribe with the confirmation email they received; or, with their consent: mailer contact update ID --book book_customers --subscribed --sandbox',
        `To start it then: mailer campaign schedule ${id} --now --sandbox`,
        `To delete it: mailer campaign delete ${id} --sandbox`,
        '',
      ].join('\n'),
    );
  },
);

test('searches the drafts of that name, after the rejection', async () => {
  const { world, service } = await connected(refusal, page(summary('camp_new')));
  const { exitCode, stderr } = await world.run([...words, '--now', '--json']);
  expect(exitCode).toBe(1);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'rejected',
    message: 'Não foi',
    hint: expect.stringContaining('kept it as a draft: camp_new'),
  });
  expect(service.requests.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'POST /api/v1/campaigns',
    'GET /api/v1/campaigns?page=1&status=DRAFT&search=Spring+news',
  ]);
});

test.each([
  ['has another subject', { subject: 'Other' }],
  ['has another sender', { from: 'other@example.com' }],
  ['only contains the name', { name: 'Spring news 2' }],
  ['is no draft', { status: 'SENT' }],
  ['is from last week', { createdAt: '2026-01-08T09:59:00.000Z' }],
])('claims nothing about a campaign that %s', async (_, fields) => {
  const { world } = await connected(refusal, page(summary('camp_other', fields)));
  expect(await world.run([...words, '--now'])).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Error: Não foi\n',
  });
});

test('look-ups that fail do not hide the rejection', async () => {
  const failure = { status: 500, body: {} };
  const { world, service } = await connected(refusal, failure, failure, failure);
  const { exitCode, stderr } = await world.run([...words, '--now']);
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: 'Error: Não foi\n' });
  expect(service.requests).toHaveLength(4);
});

test.each([
  ['a 500', { status: 500, body: {} }, 7],
  ['a broken connection', (response: { destroy(): void }) => response.destroy(), 7],
  ['a reply that cannot be read', { body: 'created' }, 8],
] as const)('after %s, with an unknown outcome, prints how to check', async (_, answer, code) => {
  const { world, service } = await connected(answer);
  // A create is never repeated, even with retries left.
  const { exitCode, stderr } = await world.run(words.slice(0, -2));
  expect(exitCode).toBe(code);
  expect(stderr).toContain(
    "Hint: It may have been created. Check before you create it again:\nmailer campaign list --search 'Spring news'\n",
  );
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['--now', 'It may have been created and started. Check'],
  ['--scheduled-at=2031-01-01T09:00:00Z', 'It may have been created and scheduled. Check'],
])('after %s, an unknown outcome includes the start', async (flag, hint) => {
  const { world } = await connected({ status: 500, body: {} });
  const { stderr } = await world.run([...words.slice(0, -2), flag]);
  expect(stderr).toContain(`Hint: ${hint}`);
});

test.each([
  [500, 7],
  [400, 1],
])(
  'a service that responds with %i to a look-up of the book: nothing was created',
  async (status, code) => {
    const { world, service } = await connected({ status, body: {} });
    const { exitCode, stderr } = await world.run([
      ...words.with(words.indexOf('book_customers'), 'My readers'),
      '--now',
    ]);
    expect(exitCode).toBe(code);
    expect(stderr).toContain('Hint: Nothing was created.');
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  },
);

test('a refused connection is a known outcome', async () => {
  const { world, service } = await connected();
  await service.close();
  const { exitCode, stderr } = await world.run(words);
  expect(exitCode).toBe(7);
  expect(stderr).not.toContain('may have been created');
});

test('a rejected key: 3, without a look for the campaign', async () => {
  const { world, service } = await connected({ status: 403, body: {} });
  expect((await world.run([...words, '--now'])).exitCode).toBe(3);
  expect(service.requests.map(({ path }) => path)).toEqual(['/api/v1/campaigns', '/api/v1/mcp/me']);
});
