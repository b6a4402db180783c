import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, createWords, get, html, lacking, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };
const draft = { body: summary(id, { contactBookId: 'book_1' }) };

/** A book of the service, with all its contacts. */
function book(contacts: number) {
  return { body: { id: 'book_1', name: 'Customers', _count: { contacts } } };
}

/** The contacts of a book, of whom these are subscribed. */
function contacts(all: number, subscribed: number) {
  const body = Array.from({ length: all }, (_, index) => ({
    id: `c${index}`,
    email: `p${index}@example.org`,
    subscribed: index < subscribed,
  }));
  return { body };
}

const questionOf = (stderr: string) =>
  /because this needs confirmation: (.*)\nHint: To confirm, add --yes\.\n$/.exec(stderr)?.[1];

describe('without a terminal', () => {
  test('nothing starts without --yes, and the error has sender, book, time and number', async () => {
    const world = createWorld();
    const drafted = await create(world, 'Spring news');
    const named = `Campaign "Spring news" (${drafted}) from news@example.com`;
    const goesTo = 'goes to at most 11 subscribed contacts of contact book "Customers".';
    const later = 'starts on Fri 16 Jan 2026, 09:00 GMT (2026-01-16T09:00:00Z)';
    for (const [words, question] of [
      [['schedule', drafted, '--now'], `${named} starts now and ${goesTo} Start it?`],
      [['schedule', 'Spring news', '--now'], `${named} starts now and ${goesTo} Start it?`],
      [
        ['schedule', drafted, '--scheduled-at', 'tomorrow 9am'],
        `${named} ${later} and ${goesTo} Schedule it?`,
      ],
      [
        ['schedule', drafted, '--scheduled-at', '2026-01-01T00:00:00Z', '--allow-past'],
        `${named} starts now and ${goesTo} Schedule it?`,
      ],
      [['resume', drafted], `${named} starts now and ${goesTo} Resume it?`],
    ] as const) {
      const outcome = await world.run(['campaign', ...words, '--sandbox']);
      expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
      expect(questionOf(outcome.stderr)).toBe(question);
    }
    expect(await get(world, drafted)).toMatchObject({ status: 'DRAFT' });
  });

  test.each([
    ['--now', 'starts now and', 'Create it and start it?'],
    [
      '--scheduled-at=tomorrow 9am',
      'starts on Fri 16 Jan 2026, 09:00 GMT (2026-01-16T09:00:00Z) and',
      'Create it and schedule it?',
    ],
  ])('create %s needs --yes, too; a draft does not', async (flag, starts, question) => {
    const world = createWorld();
    const words = createWords('Spring news').filter((word) => word !== '--yes');
    const copied = [...words, flag, '--bcc', 'boss@example.com'];
    const outcome = await world.run(copied);
    expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
    expect(questionOf(outcome.stderr)).toBe(
      `Campaign "Spring news" from news@example.com ${starts} goes to at most 11 subscribed contacts of contact book "Customers", each with copies to boss@example.com. ${question}`,
    );
    expect((await world.run('campaign list --sandbox -q --search Spring')).stdout).toBe('');
    expect((await world.run(words)).exitCode).toBe(0);
    expect((await world.run([...copied, '--yes', '--allow-duplicate'])).exitCode).toBe(0);
  });

  test('a start in --file needs --yes, too', async () => {
    const { run, file, requests } = await connected(book(2), contacts(2, 1));
    const named = { name: 'News', from: 'news@example.com', subject: 'Hi', html };
    const request = file('news.json', { ...named, contactBookId: 'book_1', sendNow: true });
    const create = ['campaign', 'create', '--allow-duplicate', '--file', request];
    const { exitCode, stderr } = await run(create);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('goes to at most 1 subscribed contact of contact book "Customers".');
    expect(requests().filter((line) => line.startsWith('POST'))).toEqual([]);
  });

  test('what was sent before is named', async () => {
    const world = createWorld();
    const sent = await create(world, 'Spring news', '--now');
    world.clock.advance(60_000);
    for (const words of [`resume ${sent}`, `schedule ${sent} --now`]) {
      const { stderr } = await world.run(`campaign ${words} --again --sandbox`);
      expect(stderr).toContain('It has been sent before, to 11 contacts, and is sent again.');
    }
    expect(await get(world, sent)).toMatchObject({ status: 'SENT' });
  });

  test('a paused campaign: how far it is, and when it resumes', async () => {
    const paused = { status: 'PAUSED', sent: 4, scheduledAt: '2026-02-01T09:00:00.000Z' };
    const answers = [{ body: summary(id, { contactBookId: 'book_1', ...paused }) }, book(10)];
    const { run } = await connected(...answers, contacts(10, 9));
    expect(questionOf((await run(`campaign resume ${id}`)).stderr)).toBe(
      `Campaign "Spring news" (${id}) from news@example.com starts on Sun 1 Feb 2026, 09:00 GMT (2026-02-01T09:00:00Z) and goes to at most 9 subscribed contacts of contact book "Customers". It has been sent to 4 contacts so far. Resume it?`,
    );
  });

  test('placeholders that nothing fills in are named first', async () => {
    const body = summary(id, { contactBookId: 'book_1', subject: 'Hi {{nick}}' });
    const { run } = await connected({ body }, book(1));
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('does not fill in this placeholder:\n  subject: {{nick}}\n');
  });
});

describe('the number of contacts', () => {
  test('above 5,000 is at most the whole book, which is not listed', async () => {
    const { run, requests } = await connected(draft, book(5001));
    const { stderr } = await run(`campaign schedule ${id} --now`);
    expect(stderr).toContain('goes to at most 5,001 contacts of contact book "Customers".');
    expect(requests()).toEqual([`GET /api/v1/campaigns/${id}`, 'GET /api/v1/contactBooks/book_1']);
  });

  test('of 5,000 is exact', async () => {
    const { run } = await connected(draft, book(5000), contacts(5000, 4999));
    const { stderr } = await run(`campaign schedule ${id} --now`);
    expect(stderr).toContain(
      'goes to at most 4,999 subscribed contacts of contact book "Customers".',
    );
  });

  test.each([
    ['does not count its books, and lists 5,000', { body: { id: 'book_1', name: 'Customers' } }],
    ['has no such request', lacking],
  ])('of a service that %s is unknown', async (_, answer) => {
    const listed = answer === lacking ? lacking : contacts(5000, 5000);
    const { run } = await connected(draft, answer, listed, { body: [] });
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now`);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(
      /goes to contact book "\w+", whose subscribed contacts could not be counted\. Start it\?/,
    );
  });

  test('of a service that shows no campaigns in full is unknown', async () => {
    const { run } = await connected(lacking, page(summary(id)));
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('whose subscribed contacts could not be counted');
  });
});

describe('--expect-contacts', () => {
  const start = `POST /api/v1/campaigns/${id}/schedule`;
  const schedule = `campaign schedule ${id} --now --yes --expect-contacts`;

  test.each(['3', '0..3', '3..9', '3..3'])('%s: 3 subscribed contacts are mailed', async (few) => {
    const { run, requests } = await connected(draft, book(5), contacts(5, 3), success);
    expect((await run(`${schedule} ${few}`)).exitCode).toBe(0);
    expect(requests().at(-1)).toBe(start);
  });

  test.each([
    ['2', '2'],
    ['5', '5'],
    ['1..2', '1 to 2'],
    ['4..1000', '4 to 1,000'],
  ])('%s: 3 subscribed contacts are not', async (other, shown) => {
    const { run, requests } = await connected(draft, book(5), contacts(5, 3));
    expect(errorOf(await run(`${schedule} ${other} --json`))).toEqual({
      code: 'policy',
      message: `--expect-contacts: the campaign would go to at most 3 subscribed contacts of contact book "Customers", not ${shown}.`,
      hint: 'Nothing was started.',
    });
    expect(requests()).not.toContain(start);
  });

  test('above 5,000 contacts is compared with the whole book', async () => {
    const { run } = await connected(draft, book(9000), success, draft, book(9000));
    expect((await run(`${schedule} 8000..9000`)).exitCode).toBe(0);
    expect((await run(`${schedule} 0..8999`)).exitCode).toBe(2);
  });

  test('refuses a number that cannot be counted', async () => {
    const { run, requests } = await connected(draft, lacking, lacking, { body: [] });
    const { exitCode, stderr } = await run(`${schedule} 0..100000`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('whose subscribed contacts could not be counted.\n');
    expect(requests()).not.toContain(start);
  });

  test('is no answer to the question, as --expect is none', async () => {
    const { run, requests } = await connected(draft, book(5), contacts(5, 3));
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --expect-contacts 3`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('Hint: To confirm, add --yes.');
    expect(requests()).not.toContain(start);
  });

  test('of resume and create', async () => {
    const world = createWorld();
    const drafted = await create(world, 'Spring news');
    const resume = `campaign resume ${drafted} --sandbox --yes --expect-contacts`;
    expect((await world.run(`${resume} 12`)).exitCode).toBe(2);
    expect((await world.run(`${resume} 11`)).exitCode).toBe(0);
    const now = (few: string) =>
      createWords('April', '--now', '--allow-duplicate', '--expect-contacts', few);
    expect((await world.run(now('12..20'))).exitCode).toBe(2);
    expect((await world.run('campaign list --sandbox -q --search April')).stdout).toBe('');
    expect((await world.run(now('10..20'))).exitCode).toBe(0);
  });

  test('of a draft is an error', async () => {
    const { exitCode, stderr } = await createWorld().run(
      createWords('A', '--expect-contacts', '1'),
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('--expect-contacts needs --now or --scheduled-at');
  });

  test.each(['', 'x', '10abc', '-1', '5..3', '1..', '..2', '1...2', '1.5', '9'.repeat(20)])(
    '%j is neither a number nor a range',
    async (value) => {
      const words = ['campaign', 'resume', id, '--sandbox', `--expect-contacts=${value}`];
      const { exitCode, stderr } = await createWorld().run(words);
      expect(exitCode).toBe(2);
      expect(stderr).toContain('is neither a number nor a range such as 200..300');
    },
  );
});
