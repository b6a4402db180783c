import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld, type World } from '../../support/run.ts';
import { api, ok, rowsOf, searched } from './account.ts';

const seeds = {
  domains: [{ name: 'shop.test' }, { id: 40, name: 'new.test', status: 'PENDING' }],
  books: [{ name: 'Readers', variables: ['plan'] }],
  contacts: [
    { id: 'contact_1', book: 'Readers', email: 'ana@example.org', properties: { plan: 'pro' } },
    { book: 'Readers', email: 'ben@example.org', subscribed: false },
  ],
  templates: [{ id: 'tmpl_reset', name: 'Reset', subject: 'Hi {{name}}', html: '<p>{{name}}</p>' }],
  campaigns: [
    {
      name: 'News',
      from: 'a@shop.test',
      subject: 'News',
      book: 'Readers',
      html: '{{usesend_unsubscribe_url}}',
    },
  ],
  suppressions: [{ address: 'Gone@Example.org', reason: 'BOUNCED' }],
  messages: [
    {
      id: 'email_order',
      at: '2026-01-10T12:00:00+01:00',
      from: 'Shop <hello@shop.test>',
      to: 'ana@example.org',
      cc: ['ben@example.org'],
      subject: 'Order 1',
      html: '<p>Thanks</p>',
      headers: { 'X-Order': '1' },
      attachments: [{ filename: '../../order.pdf', content: 'AAEC' }],
      events: [
        { status: 'SENT' },
        { status: 'BOUNCED', at: '2026-01-10T11:00:01Z', data: { bounceType: 'Transient' } },
      ],
    },
    { from: 'hello@shop.test', to: 'opened@example.org', subject: 'As usual', text: 'Hi' },
    { from: 'hello@shop.test', to: 'gone@example.org', subject: 'To nobody', text: 'Hi' },
  ],
  reputationEvents: [
    { fromState: 'HEALTHY', toState: 'BLOCKED', bounceRate: 12.5, sampleSize: 8, actor: 'system' },
  ],
};

function store(world: World, value: unknown, name = 'seeds.json'): void {
  writeFileSync(join(world.home, name), typeof value === 'string' ? value : JSON.stringify(value));
}

async function seeded(value: unknown, flags = ''): Promise<World> {
  const world = createWorld();
  store(world, value);
  await ok(world, `sandbox seed seeds.json ${flags}`);
  return world;
}

/** The error of `sandbox seed` for a wrong file. Also checks that nothing was stored. */
async function refusal(value: unknown): Promise<string> {
  const world = createWorld();
  const before = await ok(world, 'sandbox export');
  store(world, value);
  const { exitCode, stdout, stderr } = await world.run('sandbox seed seeds.json');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(await ok(world, 'sandbox export')).toBe(before);
  return stderr;
}

const message = { from: 'shop@example.com', to: 'ana@example.org', subject: 'Hi' };

describe('seeds', () => {
  test('are available in the whole API', async () => {
    const world = await seeded(seeds);
    expect(await api(world, 'GET', '/v1/domains')).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: 'shop.test', status: 'SUCCESS', dmarcAdded: true }),
        expect.objectContaining({ id: 40, name: 'new.test', status: 'PENDING' }),
      ]),
    );
    expect(await api(world, 'GET', '/v1/emails/email_order')).toMatchObject({
      from: 'Shop <hello@shop.test>',
      to: ['ana@example.org'],
      createdAt: '2026-01-10T11:00:00.000Z',
      emailEvents: [
        {
          status: 'BOUNCED',
          createdAt: '2026-01-10T11:00:01.000Z',
          data: { bounceType: 'Transient' },
        },
        { status: 'SENT', createdAt: '2026-01-10T11:00:00.000Z' },
      ],
    });
    const [event] = JSON.parse(await ok(world, 'reputation events --sandbox --json --limit 1'));
    expect(event).toMatchObject({ toState: 'BLOCKED', bounceRate: 12.5 });
    const sent = await api(world, 'POST', '/v1/emails', {
      from: 'hello@shop.test',
      to: 'ana@example.org',
      templateId: 'tmpl_reset',
      variables: { name: 'Ana' },
      text: '-',
    });
    expect(await api(world, 'GET', `/v1/emails/${sent.emailId}`)).toMatchObject({
      subject: 'Hi Ana',
    });
    await ok(world, ['campaign', 'schedule', 'News', '--yes', '--now', '--sandbox']);
    expect(await ok(world, 'campaign get News --sandbox --json')).toContain('"total":1');
  });

  test('are counted in words, and as JSON', async () => {
    const world = createWorld();
    store(world, seeds);
    expect(await world.run('sandbox seed seeds.json')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr:
        'Stored 2 domains, 1 book, 2 contacts, 1 template, 1 suppression, 1 campaign, 3 messages, 1 reputation event.\n',
    });
    expect(JSON.parse(await ok(world, 'sandbox seed seeds.json --json'))).toMatchObject({
      domains: 2,
      messages: 3,
    });
    expect(await world.run('sandbox seed seeds.json --quiet')).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
    expect(await world.run('sandbox seed -', { stdin: '{}' })).toMatchObject({
      exitCode: 0,
      stderr: 'Stored nothing: the file has no entries.\n',
    });
  });

  test('loaded again are the same: no duplicates', async () => {
    const world = await seeded(seeds);
    const before = rowsOf(world);
    await ok(world, 'sandbox seed seeds.json');
    expect(rowsOf(world)).toEqual(before);
    expect(await ok(await seeded(seeds), 'email list --sandbox --quiet')).toBe(
      await ok(world, 'email list --sandbox --quiet'),
    );
  });

  test('replace entries with their id, even with a history', async () => {
    const world = await seeded(seeds);
    world.clock.advance(60_000);
    const changed = { ...message, id: 'email_order', subject: 'Changed' };
    store(world, { messages: [changed], contacts: [{ ...seeds.contacts[0], firstName: 'Ana' }] });
    await ok(world, 'sandbox seed seeds.json');
    expect(await api(world, 'GET', '/v1/emails/email_order')).toMatchObject({
      subject: 'Changed',
      html: null,
      emailEvents: [],
    });
    expect(rowsOf(world).attachments).toEqual([]);
    expect(
      rowsOf(world).contacts?.filter((row) => String(row).includes('ana@example.org')),
    ).toEqual([expect.stringContaining('"first_name":"Ana"')]);
  });

  test('are found in the inbox by their new text', async () => {
    const world = await seeded({ messages: [{ ...message, id: 'email_a', subject: 'Zebra' }] });
    expect(await searched(world, 'zebra')).toContain('email_a');
    store(world, { messages: [{ ...message, id: 'email_a', subject: 'Giraffe' }] });
    await ok(world, 'sandbox seed seeds.json');
    expect(await searched(world, 'giraffe')).toContain('email_a');
    expect(await searched(world, 'zebra')).not.toContain('email_a');
  });

  test('without status and events are sent like all others', async () => {
    const world = await seeded(seeds);
    world.clock.advance(10_000);
    const list = JSON.parse(await ok(world, 'email list --sandbox --json'));
    const statuses = list.data.map((one: Record<string, string>) => [
      one.subject,
      one.latestStatus,
    ]);
    expect(statuses).toEqual(
      expect.arrayContaining([
        ['As usual', 'OPENED'],
        ['To nobody', 'SUPPRESSED'],
        ['Order 1', 'BOUNCED'],
      ]),
    );
  });

  test('with a future time are sent then, and can be cancelled until then', async () => {
    const scheduledAt = '2026-01-16T10:00:00Z';
    const world = await seeded({
      messages: [
        { ...message, id: 'email_1', scheduledAt },
        { ...message, id: 'email_2', scheduledAt, status: 'SCHEDULED' },
        { ...message, id: 'email_3', events: [{ status: 'DELIVERED', at: scheduledAt }] },
      ],
    });
    await ok(world, 'email cancel email_2 --sandbox');
    world.clock.now = Date.parse(scheduledAt) + 5000;
    const list = JSON.parse(await ok(world, 'email list --sandbox --json'));
    const statuses = list.data.map((one: Record<string, string>) => [one.id, one.latestStatus]);
    expect(Object.fromEntries(statuses)).toMatchObject({
      email_1: 'DELIVERED',
      email_2: 'CANCELLED',
      email_3: 'DELIVERED',
    });
  });

  test('with --empty are all data', async () => {
    const world = await seeded(seeds, '--empty');
    expect(await ok(world, 'domain list --sandbox --quiet')).toBe('40\n1\n');
    expect(await ok(world, 'email list --sandbox --quiet')).not.toContain('email_welcome');
  });

  test('with a path as a file name write no such file', async () => {
    const world = await seeded(seeds);
    expect(existsSync(join(world.home, '..', '..', 'order.pdf'))).toBe(false);
    expect(readdirSync(world.home).sort()).toEqual(['.local', 'seeds.json']);
  });
});

describe('a file', () => {
  test.each<[string, unknown, string]>([
    ['no JSON', '{"messages": [', 'sandbox seed: seeds.json is not JSON: '],
    ['no object', '[]', 'must be an object'],
    ['an unknown list', { emails: [] }, 'unknown field "emails"'],
    [
      'an unknown field',
      { messages: [message, { ...message, subjet: 'Hi' }] },
      'messages[1]: unknown field "subjet"',
    ],
    ['no address', { messages: [{ ...message, to: 'nobody' }] }, 'messages[0].to: "nobody" is not'],
    [
      'what is no list of addresses',
      { messages: [{ ...message, cc: 7 }] },
      'messages[0].cc: must be an email address or a list of them',
    ],
    [
      'what is no address in a list of them',
      { messages: [{ ...message, cc: ['ana@example.org', 7] }] },
      'messages[0].cc[1]: must be a string',
    ],
    [
      'an id that would lead elsewhere in a URL',
      { messages: [{ ...message, id: '../control' }] },
      'messages[0].id: "../control" cannot be an id',
    ],
    [
      'an id that would add a header',
      { messages: [{ ...message, id: 'a\r\nBcc: b@example.org' }] },
      'messages[0].id: ',
    ],
    ['no time', { messages: [{ ...message, at: '-2h' }] }, 'messages[0].at: must be an ISO 8601'],
    [
      'no base64',
      { messages: [{ ...message, attachments: [{ filename: 'a', content: '?' }] }] },
      'messages[0].attachments[0].content: must be base64',
    ],
    [
      'no status',
      { domains: [{ name: 'a.test', status: 'OK' }] },
      'domains[0].status: must be one',
    ],
    [
      'a contact of no book',
      { contacts: [{ book: 'Nobody', email: 'a@example.org' }] },
      'contacts[0]: there is no contact book "Nobody"',
    ],
    [
      'a contact of one of two books',
      {
        books: [
          { id: 'a1', name: 'Two' },
          { id: 'a2', name: 'Two' },
        ],
        contacts: [{ book: 'Two', email: 'a@example.org' }],
      },
      'contacts[0]: there are 2 contact books "Two"; use its id',
    ],
    [
      'a message of an unknown domain',
      { messages: [{ ...message, from: 'a@nobody.test' }] },
      'messages[0]: the domain of its sender, nobody.test, is missing: add it under "domains"',
    ],
    [
      'an id twice',
      {
        messages: [
          { ...message, id: 'abc' },
          { ...message, id: 'abc' },
        ],
      },
      'messages[1]: duplicates messages[0]: abc',
    ],
    [
      'a domain that exists under another id',
      { domains: [{ id: 9, name: 'example.com' }] },
      'domains[0]: another domain has this name',
    ],
    [
      'a contact that exists under another id',
      { contacts: [{ id: 'x', book: 'Customers', email: 'delivered+ana@example.com' }] },
      'contacts[0]: another contact in its book has this address',
    ],
    [
      'a message that is scheduled and has events',
      { messages: [{ ...message, status: 'SCHEDULED', events: [{ status: 'SENT' }] }] },
      'messages[0]: is SCHEDULED, so it cannot have events',
    ],
    [
      'half of a campaign',
      { messages: [{ ...message, campaignId: 'abc' }] },
      'messages[0].campaignId: must be given together with contactId',
    ],
    [
      'a NUL character',
      { messages: [{ ...message, text: 'a\0b' }] },
      'messages[0].text: must not contain a NUL character',
    ],
  ])('with %s is rejected, and nothing is stored', async (_, value, expected) => {
    expect(await refusal(value)).toContain(expected);
  });

  test('is an error with all its problems, each with its place', async () => {
    const stderr = await refusal({
      contacts: [{ book: 'No', email: 'a@example.org' }],
      messages: [{ ...message, from: 'a@nobody.test' }],
    });
    expect(stderr).toContain('contacts[0]: ');
    expect(stderr).toContain('messages[0]: ');
    expect(stderr).toContain('Hint: Nothing was stored.');
  });

  test.each(['', ' --empty'])('is an error before the first use%s', async (flags) => {
    const world = createWorld();
    store(world, { messages: [{ ...message, from: 'a@nobody.test' }] });
    const { exitCode, stderr } = await world.run(`sandbox seed seeds.json${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(/^Error: messages\[0\]: .*\nHint: Nothing was stored\.\n$/);
    expect(await ok(world, 'email list --sandbox -q')).toBe('email_receipt\nemail_welcome\n');
  });

  test('with many problems does not fill the screen', async () => {
    const stderr = await refusal({ messages: Array(500).fill({ ...message, to: '' }) });
    expect(stderr.split('\n').length).toBeLessThan(25);
    expect(stderr).toContain('and 480 more');
  });

  test('is a JSON error with --json', async () => {
    const world = createWorld();
    store(world, { messages: [{ ...message, x: 1 }] });
    const { exitCode, stdout, stderr } = await world.run('sandbox seed seeds.json --json');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'usage', issues: [{ path: ['messages', 0], message: 'unknown field "x"' }] },
    });
  });
});
