import { describe, expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, createWords, get, html, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };
const hour = 60 * 60 * 1000;
const other = ['--html', `${html}<p>Other</p>`];

describe('in the sandbox, the same newsletter under another name', () => {
  /** A world in which a campaign was sent to all contacts of the book an hour ago. */
  async function withSent() {
    const world = createWorld();
    const sent = await create(world, 'March', '--now');
    world.clock.advance(hour);
    return { world, sent };
  }

  test.each([
    ['the same content', ['--subject', 'Other'], 'content'],
    ['the same subject and sender', other, 'subject and sender'],
    ['later that day', ['--scheduled-at', 'in 20 hours'], 'content'],
  ])('%s: create --now stops with 5; --allow-duplicate is the way', async (_, more, what) => {
    const { world, sent } = await withSent();
    const start = more.includes('--scheduled-at') ? [] : ['--now'];
    const words = createWords('March (corrected)', ...start, ...more);
    const outcome = await world.run([...words, '--json']);
    expect(outcome.exitCode).toBe(5);
    const look = `mailer campaign get ${sent} --sandbox`;
    const would = what === 'content' ? 'would' : 'could';
    expect(errorOf(outcome)).toMatchObject({
      code: 'conflict',
      message: `Campaign "March" (${sent}) has the same contact book and the same ${what}. Its status is SENT, its start Thu 15 Jan 2026, 10:00 GMT (2026-01-15T10:00:00Z), and it has been sent to 11 contacts.`,
      hint: `Nothing was created, because contacts ${would} get the same email twice. To create it all the same, add --allow-duplicate.\nTo look at the other one: ${look}`,
    });
    expect((await world.run('campaign list --search corrected --sandbox -q')).stdout).toBe('');
    const allowed = await world.run([...words, '--allow-duplicate']);
    expect(allowed).toMatchObject({ exitCode: 0 });
  });

  test('the same Markdown with another subject, which its page has as title, is the same content', async () => {
    const world = createWorld();
    fileIn(world, 'march.md', 'Hello\n\n[Leave]({{usesend_unsubscribe_url}})\n');
    const markdown = ['--now', '--markdown-file', 'march.md', '--subject'];
    const words = (name: string) =>
      createWords(name, ...markdown, name).filter((one) => one !== '--html' && one !== html);
    expect(await world.run(words('March'))).toMatchObject({ exitCode: 0 });
    world.clock.advance(hour);
    const { exitCode, stderr } = await world.run(words('April'));
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
    expect(stderr).toContain('has the same contact book and the same content.');
  });

  test.each([
    ['another subject and content', ['--subject', 'Other', ...other], 0],
    ['another sender and content', ['--from', 'press@example.com', ...other], 0],
    ['a day later', [], 24 * hour],
  ])('%s: it is started', async (_, more, later) => {
    const { world } = await withSent();
    world.clock.advance(later);
    const { exitCode, stderr } = await world.run(createWords('April', '--now', ...more));
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  });

  test('another contact book: it is started', async () => {
    const { world } = await withSent();
    await world.run('contact book create --name Readers --double-opt-in off --sandbox');
    await world.run('contact add --book Readers --email a@example.org --sandbox --yes');
    const { exitCode } = await world.run(createWords('April', '--now', '--book', 'Readers'));
    expect(exitCode).toBe(0);
  });

  test('the same name with another text is the same newsletter, too', async () => {
    const { world } = await withSent();
    expect((await world.run(createWords('March', '--now', ...other))).exitCode).toBe(5);
  });

  test('a draft is created, and stops when it is started', async () => {
    const { world, sent } = await withSent();
    const draft = await create(world, 'April');
    for (const words of ['schedule April --now', `schedule ${draft} --now`, `resume ${draft}`]) {
      for (const flags of ['', '--yes', '--yes --literal --allow-blank']) {
        const { exitCode, stdout, stderr } = await world.run(
          `campaign ${words} ${flags} --sandbox`,
        );
        expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
        expect(stderr).toMatch(`Error: Campaign "March" (${sent}) has the same contact book`);
        expect(stderr).toContain('To start it all the same, add --again.\n');
      }
    }
    expect(await get(world, draft)).toMatchObject({ status: 'DRAFT' });
    const replaced = await world.run(`campaign replace ${draft} --name May --now --yes --sandbox`);
    expect(replaced).toMatchObject({ exitCode: 5, stdout: '' });
    expect(replaced.stderr).toContain('Nothing was created or deleted, because contacts');
    const again = await world.run(`campaign schedule ${draft} --now --yes --again --sandbox`);
    expect(again).toMatchObject({ exitCode: 0 });
  });

  test('one that is scheduled counts by its start', async () => {
    const world = createWorld();
    const later = ['--scheduled-at', '2026-01-20T09:00:00Z'];
    await create(world, 'March', ...later);
    expect((await world.run(createWords('April', ...later))).exitCode).toBe(5);
    expect((await world.run(createWords('May', '--now'))).exitCode).toBe(0);
  });

  test('--dry-run looks nothing up', async () => {
    const { world } = await withSent();
    const { exitCode } = await world.run(createWords('April', '--now', '--dry-run'));
    expect(exitCode).toBe(0);
  });
});

const draft = { body: summary(id, { contactBookId: 'book_1', html }) };

test('a draft of last week that was resumed today counts', async () => {
  const world = createWorld();
  const first = await create(world, 'March');
  await world.run('sandbox advance 3d');
  expect(await world.run(`campaign resume ${first} --yes --allow-blank --sandbox`)).toMatchObject({
    exitCode: 0,
  });
  expect((await world.run(createWords('Again', '--now'))).exitCode).toBe(5);
});

test.each([3, -3])(
  'the day of a campaign is one of the service, whose clock is %i days off',
  async (days) => {
    const at = new Date(Date.parse('2026-01-15T09:00:00Z') + days * 86_400_000).toISOString();
    const sent = { status: 'SENT', createdAt: at, scheduledAt: at };
    const { run, service, world } = await connected(draft, page(summary('camp_2', sent)), {
      body: summary('camp_2', { ...sent, contactBookId: 'book_1', html }),
    });
    service.now = () => world.clock.now + days * 86_400_000;
    expect((await run(`campaign schedule ${id} --now --yes`)).exitCode).toBe(5);
  },
);

test('campaigns that are long past are not looked at', async () => {
  const old = summary('camp_2', { status: 'SENT', createdAt: '2025-11-15T10:00:00.000Z' });
  const then = '2026-01-13T10:00:00.000Z';
  const day = summary('camp_3', { status: 'SENT', createdAt: then, updatedAt: then });
  const { run, requests } = await connected(draft, page(day, old), success);
  expect((await run(`campaign schedule ${id} --now --yes`)).exitCode).toBe(0);
  expect(requests()).toHaveLength(3);
});

test('a list that fails for the moment stops the start; one that is not offered is said', async () => {
  const broken = await connected(draft, { status: 500, body: 'no campaigns' });
  const stopped = await broken.run(`campaign resume ${id} --yes --retries 0`);
  expect(stopped.exitCode).toBe(7);
  expect(stopped.stderr).toContain(
    'Nothing was resumed, because the campaigns could not be listed. To start it all the same, add --again.',
  );
  const lacking = await connected(draft, { status: 403, body: 'no campaigns' }, success);
  const { exitCode, stderr } = await lacking.run(`campaign schedule ${id} --now --yes`);
  expect(exitCode).toBe(0);
  expect(stderr).toContain(
    'The service does not list campaigns, so mailer did not check whether another one sends the same.\n',
  );
});
