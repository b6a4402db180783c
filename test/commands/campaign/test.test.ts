import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, html, lacking, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const words = `campaign test ${id} --to me@example.org`;
const accepted = { body: { emailId: 'email_1' } };

function full(fields: Readonly<Record<string, unknown>> = {}) {
  const content = { html, content: null, previewText: null, replyTo: [], cc: [], bcc: [] };
  return { body: summary(id, { ...content, ...fields }) };
}

test('on the sandbox: the email arrives, marked, from the sender of the campaign', async () => {
  const world = createWorld();
  await create(world, 'Spring news', '--cc', 'boss@example.org', '--reply-to', 'help@example.com');
  const { exitCode, stdout, stderr } = await world.run([
    ...['campaign', 'test', 'Spring news', '--to', 'me@example.org', '--sandbox', '--wait'],
  ]);
  expect(exitCode, stderr).toBe(0);
  expect(stdout).toMatch(/^latestStatus\tDELIVERED$|\nsubject\t\[Test\] News\n/);
  expect(stderr).toMatch(/^The unsubscribe link of a test leads nowhere\.\nWaiting/);
  const { data } = JSON.parse((await world.run('email list --sandbox --json --limit 1')).stdout);
  expect(data[0]).toMatchObject({
    to: ['me@example.org'],
    cc: [],
    bcc: [],
    replyTo: ['help@example.com'],
    from: 'news@example.com',
    subject: '[Test] News',
    html: '<p>Hello https://unsubscribe.invalid/</p>',
  });
  const campaign = await world.run(['campaign', 'get', 'Spring news', '--sandbox', '--json']);
  expect(JSON.parse(campaign.stdout)).toMatchObject({ status: 'DRAFT', sent: 0 });
  expect((await world.run('email get @last --sandbox -q')).stdout).toBe(`${data[0].id}\n`);
});

test('the request has a key, and no copies', async () => {
  const { run, service, sent } = await connected(
    full({ previewText: 'Soon', cc: ['c@example.org'], bcc: ['d@example.org'] }),
    accepted,
  );
  const outcome = await run(`${words},you@example.org`);
  expect(outcome).toMatchObject({ exitCode: 0, stdout: 'email_1\n' });
  expect(outcome.stderr).toContain('Accepted. Check its status: mailer email get email_1\n');
  expect(sent(1)).toEqual({
    to: ['me@example.org', 'you@example.org'],
    from: 'news@example.com',
    subject: '[Test] News',
    text: 'Soon',
    html: '<p>Hello https://unsubscribe.invalid/</p>',
  });
  expect(service.requests[1]).toMatchObject({ method: 'POST', path: '/api/v1/emails' });
  expect(service.requests[1]?.headers['idempotency-key']).toBeTruthy();
});

test('both names of the unsubscribe link are replaced; other placeholders stay, and are named', async () => {
  const { run, sent } = await connected(
    full({
      subject: 'Hi {{firstName}}',
      html: '<a href="{{unsend_unsubscribe_url}}">x</a>{{ usesend_unsubscribe_url }} {{plan}}',
    }),
    accepted,
  );
  const { stderr } = await run(words);
  expect(sent(1)).toMatchObject({
    subject: '[Test] Hi {{firstName}}',
    html: '<a href="https://unsubscribe.invalid/">x</a>https://unsubscribe.invalid/ {{plan}}',
  });
  expect(stderr).toContain(
    'Placeholders are not filled in, as there is no contact: {{firstName}}, {{plan}}. To fill them in, add --contact.\n',
  );
});

test('a given key is sent, so that the command can be repeated safely', async () => {
  const { run, service } = await connected(full(), (response) => void response.destroy(), accepted);
  const { exitCode } = await run(`${words} --idempotency-key test-1`);
  expect(exitCode).toBe(0);
  const keys = service.requests.slice(1).map(({ headers }) => headers['idempotency-key']);
  expect(keys).toEqual(['test-1', 'test-1']);
});

test('an unknown outcome: the command that repeats it', async () => {
  const { run } = await connected(full(), (response) => void response.destroy());
  const { exitCode, stderr } = await run(`${words} --retries 0`);
  expect(exitCode).toBe(7);
  expect(stderr).toMatch(
    /\nmailer campaign test cm3k9x2f8000008l4 --to me@example.org --retries 0 --idempotency-key \S+\n/,
  );
});

test('--dry-run prints the request without what only the campaign has, and needs no key', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run(
    `${words} --dry-run --base-url https://mail.example.com/api`,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toContain('POST https://mail.example.com/api/v1/emails\n');
  expect(stdout).toContain('me@example.org');
  expect(stderr).toContain(
    `The campaign "${id}" would be looked up first; the request then has its sender, subject and content.\n`,
  );
});

test.each([
  ['', 'Missing --to'],
  ['--to nobody', '--to: "nobody" is not an email address'],
  ['--to me@example.org --wait-timeout 5s', '--wait-timeout needs --wait'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { run, requests } = await connected(full());
  const { exitCode, stderr } = await run(`campaign test ${id} ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

describe('a draft that only has content of the editor', () => {
  const content = JSON.stringify({
    type: 'doc',
    content: [{ type: 'paragraph', content: [{ type: 'text', text: 'Hello' }] }],
  });
  const draft = full({ html: null, content });

  test('is rendered by the service', async () => {
    const { run, requests, sent } = await connected(
      draft,
      { body: { html: '<p>Hello</p>' } },
      accepted,
    );
    expect((await run(words)).exitCode).toBe(0);
    expect(requests()[1]).toBe('POST /api/v1/templates/render');
    expect(sent(1)).toEqual({ content });
    expect(sent(2)).toMatchObject({ html: '<p>Hello</p>' });
  });

  test('is rendered on the sandbox', async () => {
    const world = createWorld();
    const link = { type: 'text', text: '{{usesend_unsubscribe_url}}' };
    const document = { type: 'doc', content: [{ type: 'paragraph', content: [link] }] };
    await world.run([
      ...['campaign', 'create', '--sandbox', '--name', 'Draft', '--from', 'news@example.com'],
      ...['--subject', 'News', '--book', 'book_customers', '--content', JSON.stringify(document)],
    ]);
    await world.run('campaign test Draft --to me@example.org --sandbox');
    const { stdout } = await world.run('email get @last --sandbox --fields html -q');
    expect(stdout).toContain('<p>https://unsubscribe.invalid/</p>');
  });

  test('cannot be rendered by a service without that: what to do instead', async () => {
    const { run, requests } = await connected(draft, lacking);
    const { code, message, hint } = errorOf(await run(`${words} --json`));
    expect(code).toBe('not_offered');
    expect(message).toBe(
      `Campaign ${id} only has content of the dashboard's editor, which this service cannot render.`,
    );
    expect(hint).toContain('Use the dashboard of the service');
    expect(requests()).toHaveLength(2);
  });
});

test('a service that shows no campaign in full: not_offered', async () => {
  const { run } = await connected(lacking, page(summary(id)));
  expect(errorOf(await run(`${words} --json`))).toMatchObject({
    code: 'not_offered',
    message: `This service does not show the content of campaign ${id}.`,
  });
});

describe('as a contact would get it', () => {
  async function withPlan() {
    const world = createWorld();
    const text =
      '<p>{{firstName}}, {{plan, fallback=Free}} {{email}} {{usesend_unsubscribe_url}}</p>';
    await create(world, 'Spring news', '--subject', 'Hi {{firstName}}', '--html', text);
    await world.run([
      'contact',
      'update',
      'contact_ana',
      '--book',
      'book_customers',
      '--sandbox',
      '--first-name',
      '<Ana>',
    ]);
    return world;
  }

  test('--contact fills in their values, and --to is who gets it', async () => {
    const world = await withPlan();
    const words =
      'campaign test @last --contact delivered+ana@example.com --to me@example.org --sandbox --yes';
    const { exitCode, stderr } = await world.run(words);
    expect(exitCode, stderr).toBe(0);
    const { data } = JSON.parse((await world.run('email list --sandbox --json --limit 1')).stdout);
    expect(data[0]).toMatchObject({ to: ['me@example.org'], subject: '[Test] Hi <Ana>' });
    expect(data[0].html).toMatch(
      /^<p>&lt;Ana&gt;, \S+ delivered\+ana@example.com https:\/\/unsubscribe.invalid\/<\/p>$/,
    );
    expect(stderr).not.toContain('not filled in');
  });

  test('without --to, the contact gets it, once that is confirmed', async () => {
    const world = await withPlan();
    const words = 'campaign test @last --contact contact_ana --sandbox';
    const asked = await world.run(words);
    expect(asked).toMatchObject({ exitCode: 2, stdout: '' });
    expect(asked.stderr).toContain(
      'Send a test to delivered+ana@example.com, as contact delivered+ana@example.com would',
    );
    expect((await world.run(`${words} --yes`)).exitCode).toBe(0);
    const { data } = JSON.parse((await world.run('email list --sandbox --json --limit 1')).stdout);
    expect(data[0]).toMatchObject({ to: ['delivered+ana@example.com'] });
  });

  test('a contact who has unsubscribed does not get it', async () => {
    const world = await withPlan();
    await world.run(
      'contact update contact_ana --book book_customers --unsubscribed --sandbox --quiet',
    );
    const words = 'campaign test @last --contact delivered+ana@example.com --sandbox --yes';
    const { exitCode, stderr } = await world.run(words);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('delivered+ana@example.com is not subscribed');
    expect((await world.run(`${words} --to me@example.org`)).exitCode).toBe(0);
  });

  test('an unknown contact is an error', async () => {
    const world = await withPlan();
    const words = 'campaign test @last --contact nobody@example.org --sandbox --yes';
    expect(await world.run(words)).toMatchObject({ exitCode: 4 });
  });
});
