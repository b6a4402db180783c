import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect } from 'vitest';
import { openLocalService } from '../../../src/local-service/data.ts';
import { schemaVersion } from '../../../src/sandbox/store/schema.ts';
import type { World } from '../../support/run.ts';

/** Runs a command line that must succeed, and returns its stdout. */
export async function ok(world: World, words: string | readonly string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await world.run(words);
  expect({ exitCode, stderr }, String(words)).toEqual({ exitCode: 0, stderr: expect.any(String) });
  return stdout;
}

/** Sends any request to the sandbox of a world. */
export async function api(
  world: World,
  method: string,
  path: string,
  body?: unknown,
): Promise<Record<string, unknown>> {
  // Requests at the same time would have the same idempotency key.
  world.clock.advance(1);
  const input = body === undefined ? [] : ['--input', '-'];
  const { exitCode, stdout, stderr } = await world.run(
    ['api', method, path, '--sandbox', '--yes', ...input],
    {
      ...(body === undefined ? {} : { stdin: JSON.stringify(body) }),
    },
  );
  expect({ exitCode, stderr }, `${method} ${path}`).toEqual({
    exitCode: 0,
    stderr: expect.any(String),
  });
  // Every response that these tests read is an object.
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** Fills an account with every kind of data, in every status. */
export async function fillAccount(world: World): Promise<void> {
  const from = 'Shop <shop@example.com>';
  const mail = { from, subject: 'Hello', text: 'Hi', html: '<p>Hi</p>' };
  const book = await api(world, 'POST', '/v1/contactBooks', {
    name: 'Readers',
    emoji: '📗',
    properties: { kind: 'test' },
    variables: ['plan'],
    doubleOptInEnabled: false,
  });
  const contacts = `/v1/contactBooks/${book.id}/contacts`;
  await api(world, 'POST', contacts, { email: 'opened+a@example.org', firstName: 'A' });
  const second = await api(world, 'POST', contacts, {
    email: 'bounced+b@example.org',
    lastName: 'B\u202e',
    properties: { plan: 'pro' },
  });
  await api(world, 'POST', contacts, { email: 'c@example.org', subscribed: false });

  const campaign = {
    name: 'News',
    from,
    subject: 'News for {{firstName}}',
    contactBookId: book.id,
    html: '<a href="{{usesend_unsubscribe_url}}">Unsubscribe</a>',
    batchSize: 1,
  };
  await api(world, 'POST', '/v1/campaigns', {
    ...campaign,
    previewText: 'All',
    cc: 'x@example.org',
  });
  await api(world, 'POST', '/v1/campaigns', { ...campaign, name: 'Now', sendNow: true });
  const later = '2026-02-01T00:00:00.000Z';
  await api(world, 'POST', '/v1/campaigns', { ...campaign, name: 'Later', scheduledAt: later });
  const content = JSON.stringify({ type: 'doc', content: [] });
  const stored = { name: 'Of the editor', subject: 'Hi', content };
  await api(world, 'POST', '/v1/templates', stored);
  await api(world, 'POST', '/v1/templates', { ...stored, content: undefined, html: '<p>Hi</p>' });
  const rules = { match: 'any', conditions: [{ field: 'plan', op: 'in', value: ['pro'] }] };
  await api(world, 'POST', '/v1/segments', { name: 'Pro', contactBookId: book.id, rules });
  await api(world, 'POST', '/v1/segments', {
    name: 'All',
    rules: { conditions: [{ field: 'email', op: 'eq' }] },
  });
  const gone = await api(world, 'POST', '/v1/contactBooks', { name: 'Gone' });
  await api(world, 'POST', `/v1/contactBooks/${gone.id}/contacts`, { email: 'd@example.org' });
  await api(world, 'POST', '/v1/campaigns', { ...campaign, name: 'Lost', contactBookId: gone.id });
  await api(world, 'DELETE', `/v1/contactBooks/${gone.id}`);
  // By then, both batches are sent and their outcomes are known.
  for (let step = 0; step < 8; step++) {
    world.clock.advance(1000);
    await api(world, 'GET', '/v1/campaigns');
  }
  await api(world, 'DELETE', `${contacts}/${second.contactId}`);

  await followUnsubscribeLink(world, 'opened+a@example.org');

  const domain = await api(world, 'POST', '/v1/domains', {
    name: 'gone.example',
    region: 'us-east-1',
  });
  await api(world, 'PUT', `/v1/domains/${domain.id}/verify`);
  world.clock.advance(5000);
  await api(world, 'GET', `/v1/domains/${domain.id}`);
  await api(world, 'POST', '/v1/emails', { ...mail, from: 'a@gone.example', to: 'x@example.org' });
  world.clock.advance(5000);
  await api(world, 'DELETE', `/v1/domains/${domain.id}`);
  const failing = await api(world, 'POST', '/v1/domains', {
    name: 'fail.example.org',
    region: 'us-east-1',
  });
  await api(world, 'PUT', `/v1/domains/${failing.id}/verify`);

  const first = await api(world, 'POST', '/v1/emails', {
    ...mail,
    to: ['delayed@example.org', 'clicked@example.org'],
    cc: 'Ana <ana@example.org>',
    bcc: ['complained@example.org'],
    replyTo: 'help@example.org',
    headers: { 'X-Order': '1' },
    attachments: [
      { filename: '../../x', content: 'AAEC/w==' },
      { filename: 'b.txt', content: 'Yg==' },
    ],
  });
  await api(world, 'POST', '/v1/emails', {
    ...mail,
    to: 'suppressed@example.org',
    inReplyToId: first.emailId,
  });
  const scheduled = { ...mail, to: 'x@example.org', scheduledAt: '2026-01-20T00:00:00Z' };
  await api(world, 'POST', '/v1/emails', scheduled);
  const cancelled = await api(world, 'POST', '/v1/emails', scheduled);
  await api(world, 'POST', `/v1/emails/${cancelled.emailId}/cancel`);
  // By then, some of its reports have arrived; others, and the end of the verification, are still due.
  world.clock.advance(1500);
  await api(world, 'PUT', `/v1/domains/${failing.id}/verify`);
  const dnsRecords = [
    { name: 'mail.example.org', type: 'MX', values: ['10 mx.example.net'] },
    { name: 'mail.example.org', type: 'TXT' },
  ];
  const messages = [
    {
      from: 'app@localhost',
      to: 'ana@example.org',
      subject: 'Raw',
      domainId: 0,
      source: Buffer.from('Subject: Raw\r\n\r\nHi\r\n').toString('base64'),
    },
  ];
  const stdin = JSON.stringify({ dnsRecords, messages });
  expect(await world.run('sandbox seed -', { stdin })).toMatchObject({ exitCode: 0 });
}

/** The inbox's page for a search. */
export async function searched(world: World, query: string): Promise<string> {
  const sandbox = openLocalService({ directory: directoryOf(world), now: () => world.clock.now });
  const response = await sandbox.fetch(new Request(`http://sandbox.localhost/?q=${query}`));
  const page = await response.text();
  sandbox.close();
  return page;
}

/** Unsubscribes this address as a mail program does, by the link in its only email of a campaign. */
async function followUnsubscribeLink(world: World, to: string): Promise<void> {
  const list = JSON.parse(await ok(world, 'email list --sandbox --json'));
  const { id } = list.data.find((email: { to: string[] }) => email.to.includes(to));
  const sandbox = openLocalService({ directory: directoryOf(world), now: () => world.clock.now });
  const response = await sandbox.fetch(
    new Request(`http://sandbox.localhost/unsubscribe/${id}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: 'List-Unsubscribe=One-Click',
    }),
  );
  sandbox.close();
  expect(response.status).toBe(200);
}

function directoryOf({ home }: World): string {
  return join(home, '.local', 'share', 'mailer', 'sandbox');
}

/** Tables that are not exported. */
const left = [
  'settings',
  'requests',
  'idempotency',
  'deliveries',
  'unread',
  'webhooks',
  'webhook_calls',
  'webhook_attempts',
];

/** All rows of a world's sandbox, without columns that only count. */
export function rowsOf(world: World): Record<string, unknown[]> {
  const file = join(directoryOf(world), `sandbox-v${schemaVersion}.sqlite`);
  const database = new DatabaseSync(file);
  const rows = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'sqlite_sequence'")
    .all()
    .map(({ name }) => String(name))
    .filter((table) => !left.includes(table))
    .map((table) => {
      const all = database.prepare(`SELECT * FROM ${table}`).all();
      const shown = all.map(({ seq, ...row }) => {
        if (table === 'jobs') delete row.id;
        return JSON.stringify(row, (_, value) =>
          value instanceof Uint8Array ? [...value] : value,
        );
      });
      return [table, shown.sort()] as const;
    });
  database.close();
  return Object.fromEntries(rows);
}
