import { describe, expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, get, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };
const standing = (state: string) => ({ body: { state }, standing: true }) as const;

/** Every way to start a campaign that the service has. */
const starts = [
  `schedule ${id} --now`,
  `schedule ${id} --scheduled-at 2026-02-01T09:00:00Z`,
  `resume ${id}`,
];

describe('a campaign that was sent already', () => {
  const sent = { body: summary(id, { status: 'SENT', sent: 11 }) };

  test.each(starts)('%s: is a conflict, and nothing leaves', async (words) => {
    for (const flags of [
      '',
      ' --yes',
      ' --yes --literal --allow-blank',
      ' --yes --expect-contacts 11',
    ]) {
      const { run, requests } = await connected(sent);
      const outcome = await run(`campaign ${words} --json${flags}`);
      expect(outcome.exitCode).toBe(5);
      expect(errorOf(outcome)).toMatchObject({
        code: 'conflict',
        message: `Campaign "Spring news" (${id}) has been sent before, to 11 contacts.`,
        hint: expect.stringMatching(
          /^Nothing was (started|scheduled|resumed)\. To send it again, add --again\.$/,
        ),
      });
      expect(requests()).toEqual([`GET /api/v1/campaigns/${id}`]);
    }
  });

  test('is started again with --again; with --literal, too, nothing is looked at', async () => {
    const { run } = await connected(sent, success);
    expect((await run(`campaign resume ${id} --yes --again`)).exitCode).toBe(0);
    const blind = await connected(success);
    expect(
      (await blind.run(`campaign resume ${id} --yes --again --literal --allow-blank`)).exitCode,
    ).toBe(0);
    expect(blind.requests()[0]).toBe(`POST /api/v1/campaigns/${id}/resume`);
  });

  test('is known by its name from the list, without another request', async () => {
    const { run, requests } = await connected(page(summary(id, { status: 'SENT' })));
    const words = [
      'campaign',
      'schedule',
      'Spring news',
      '--now',
      '--yes',
      '--literal',
      '--allow-blank',
    ];
    expect((await run(words)).exitCode).toBe(5);
    expect(requests()).toEqual(['GET /api/v1/campaigns?page=1&search=Spring+news']);
  });

  test('in the sandbox, mails nobody twice', async () => {
    const world = createWorld();
    const campaign = await create(world, 'Spring news', '--now');
    world.clock.advance(60_000);
    expect((await world.run(`campaign schedule ${campaign} --now --yes --sandbox`)).exitCode).toBe(
      5,
    );
    expect(await get(world, campaign)).toMatchObject({ status: 'SENT', sent: 11 });
  });
});

test.each(starts)('%s: one that is being sent is a conflict, too', async (words) => {
  const { run, requests } = await connected({
    body: summary(id, { status: 'RUNNING', sent: 4 }),
  });
  const { exitCode, stderr } = await run(`campaign ${words} --yes`);
  expect(exitCode).toBe(5);
  expect(stderr).toMatch(
    /^Error: Campaign "Spring news" \(\w+\) is being sent, to 4 contacts so far\.\nHint: .*To start it all the same, add --again\. To follow it: mailer campaign watch /,
  );
  expect(requests()).toHaveLength(1);
});

test.each(['DRAFT', 'SCHEDULED', 'PAUSED'])('one that is %s is started', async (status) => {
  const { run } = await connected({ body: summary(id, { status }) }, success);
  expect((await run(`campaign schedule ${id} --now --yes`)).exitCode).toBe(0);
});

describe('a blocked account', () => {
  const draft = { body: summary(id, { contactBookId: 'book_1' }) };
  const book = { body: { id: 'book_1', name: 'Customers', _count: { contacts: 1 } } };
  const contacts = { body: [{ id: 'c1', email: 'a@example.org', subscribed: true }] };

  test('is named in the question', async () => {
    const { run } = await connected(draft, book, contacts, standing('BLOCKED'));
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('The account is blocked: the service pauses campaigns. Start it?');
  });

  test.each([
    ['', [draft]],
    ['--literal --allow-blank --again', []],
    ['--expect-contacts 1', [draft, book, contacts]],
  ])('is a warning with --yes %s', async (flags, looks) => {
    const { run } = await connected(...looks, standing('BLOCKED'), success);
    const { exitCode, stderr } = await run(`campaign schedule ${id} --now --yes ${flags}`);
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: The account is blocked: the service pauses campaigns.\n');
  });

  test('is a warning before a campaign is created and started, and not before a draft is', async () => {
    const words = [
      ...['campaign', 'create', '--name', 'N', '--from', 'a@example.com', '--subject', 'S'],
      ...[
        '--book',
        'book_1',
        '--html',
        '{{unsend_unsubscribe_url}}',
        '--literal',
        '--allow-blank',
        '--yes',
        '--allow-duplicate',
      ],
    ];
    const started = await connected(standing('BLOCKED'), draft);
    expect((await started.run([...words, '--now'])).stderr).toContain('is blocked');
    const drafted = await connected(standing('BLOCKED'), draft);
    await drafted.run(words);
    expect(drafted.requests()).toEqual(['POST /api/v1/campaigns']);
  });
});
