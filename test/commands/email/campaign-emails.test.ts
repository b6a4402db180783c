import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, html, lacking, noSuch, page, summary } from '../campaign/draft.ts';

const campaign = summary('camp_1', {
  ...{ contactBookId: 'book_1', html, status: 'PAUSED', sent: 2 },
  ...{ from: 'News <news@example.com>', subject: 'For {{firstName, fallback=you}}: news' },
  scheduledAt: '2026-01-15T09:30:00.000Z',
});
const contacts = { body: ['ana', 'ben'].map((one) => ({ id: one, email: `${one}@example.org` })) };
const email = (id: string, to: string, subject: string, from = 'news@example.com') => ({
  ...{ id, to: [to], subject, from, createdAt: '2026-01-15T09:40:00.000Z' },
  latestStatus: 'DELIVERED',
});
const listed = [
  email('email_1', 'Ana@example.org', 'For Ana: news'),
  email('email_2', 'ben@example.org', 'For Ben: news', 'News <News@example.com>'),
  email('email_3', 'cid@example.net', 'For Cid: news'),
  email('email_4', 'ana@example.org', '[Test] For Ana: news'),
  email('email_5', 'ana@example.org', 'For Ana: news', 'shop@example.com'),
];
const emails = { body: { data: listed, count: listed.length } };

test('its sender, its subject with any values, its start and its book tell the emails of a campaign', async () => {
  const { run, service } = await connected({ body: campaign }, contacts, emails);
  const { stdout, stderr } = await run('email list --campaign camp_1 --all --jsonl --jq .id');
  expect(stdout).toBe('email_1\nemail_2\n');
  expect(stderr).toContain('The service does not say which campaign an email belongs to.');
  expect(stderr).toContain('to a contact who is in its book now');
  expect(stderr).toContain('The campaign counts 2 sent.');
  const { searchParams } = new URL(service.requests.at(-1)?.path ?? '', service.url);
  expect(searchParams.get('startDate')).toBe('2026-01-15T09:30:00Z');
});

test('without the contacts of the book, the recipients are not compared, and that is said', async () => {
  const { run } = await connected({ body: campaign }, lacking, emails);
  const { stdout, stderr } = await run('email list --campaign camp_1 --all --jsonl --jq .id');
  expect(stdout).toBe('email_1\nemail_2\nemail_3\n');
  expect(stderr).not.toContain('in its book');
});

test('by its name, with other filters', async () => {
  const world = createWorld();
  await create(world, 'Spring news', '--now', '--subject', 'Hi {{firstName, fallback=you}}');
  world.clock.advance(60_000);
  const all = await world.run([
    'email',
    'list',
    '--sandbox',
    '--campaign',
    'Spring news',
    '--quiet',
  ]);
  expect(all.stdout.trim().split('\n')).toHaveLength(11);
  const words = ['email', 'list', '--sandbox', '--campaign', 'Spring news', '--status', 'bounced'];
  const { stdout } = await world.run([...words, '--quiet']);
  expect(stdout.trim().split('\n')).toHaveLength(1);
});

test('a campaign that does not exist: 4', async () => {
  const { run } = await connected(page(), noSuch);
  expect(await run('email list --campaign nosuch')).toMatchObject({ exitCode: 4, stdout: '' });
});
