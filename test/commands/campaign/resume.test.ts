import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { lacking, noSuch, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };

test('one request without a body, and a look at what became of it', async () => {
  const { world, service } = await connected(success, noSuch);
  expect(await world.run(`campaign resume ${id} --yes --literal --allow-blank --again`)).toEqual({
    exitCode: 0,
    stdout: `${id}\n`,
    stderr: `Resumed. To follow it: mailer campaign watch ${id}\n`,
  });
  expect(service.requests).toMatchObject([
    { method: 'POST', path: `/api/v1/campaigns/${id}/resume`, body: '' },
    { method: 'GET', path: `/api/v1/campaigns/${id}` },
  ]);
});

test('--yes and --literal: an id is not looked up', async () => {
  const { world, requests } = await connected(success);
  expect(
    (await world.run(`campaign resume ${id} --yes --literal --allow-blank --again -q`)).stdout,
  ).toBe(`${id}\n`);
  expect(requests()[0]).toBe(`POST /api/v1/campaigns/${id}/resume`);
});

test('--yes and --literal: a name is still looked up', async () => {
  const { world, requests } = await connected(page(summary('camp_1')), success);
  await world.run([
    'campaign',
    'resume',
    'Spring news',
    '--yes',
    '--literal',
    '--allow-blank',
    '--again',
  ]);
  expect(requests()[1]).toBe('POST /api/v1/campaigns/camp_1/resume');
});

test('an ambiguous name: 2, even with --yes', async () => {
  const { world, requests } = await connected(page(summary('camp_2'), summary('camp_1')));
  const { exitCode, stderr } = await world.run(['campaign', 'resume', 'Spring news', '--yes']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('2 campaigns are named "Spring news":');
  expect(requests()).toHaveLength(1);
});

test('no such campaign: 4', async () => {
  const world = createWorld();
  expect((await world.run(`campaign resume ${id} --yes --sandbox`)).exitCode).toBe(4);
  expect((await world.run(['campaign', 'resume', 'No such', '--sandbox'])).exitCode).toBe(4);
});

test.each(['nosuch', 'no-such-1', 'No such'])(
  'no campaign %s: 4 without --yes too',
  async (named) => {
    const outcome = await createWorld().run(['campaign', 'resume', named, '--sandbox']);
    expect(outcome).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `Error: There is no campaign "${named}".\nHint: To list the campaigns: mailer campaign list --sandbox\n`,
    });
  },
);

test.each([
  ['nosuch', [page(), noSuch]],
  ['no-such-1', [noSuch, page()]],
  ['nosuch', [page(), lacking, page()]],
  ['no-such-1', [lacking, page(), page()]],
])('no campaign %s at a live server: 4, and nothing is written', async (named, answers) => {
  const { world, requests } = await connected(...answers);
  expect((await world.run(['campaign', 'resume', named])).exitCode).toBe(4);
  expect(requests()).toHaveLength(answers.length);
});

test('success: false is an error', async () => {
  const { world } = await connected({ body: { success: false } });
  expect(await world.run(`campaign resume ${id} --yes --literal --allow-blank --again`)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: 'Error: The service did not carry out the request.\n',
  });
});

test('--dry-run neither asks nor looks up', async () => {
  const { world, requests } = await connected();
  const byId = await world.run(`campaign resume ${id} --dry-run`);
  expect(byId.exitCode).toBe(0);
  expect(byId.stdout).toMatch(new RegExp(`^POST http.*/api/v1/campaigns/${id}/resume\n`));
  const byName = await world.run(['campaign', 'resume', 'Spring news', '--dry-run']);
  expect(byName.stdout).toMatch(/^POST http.*\/api\/v1\/campaigns\/Spring%20news\/resume\n/);
  expect(byName.stderr).toContain('would be looked up first');
  expect(requests()).toEqual([]);
});

test('a failed look-up: 7, and nothing is written', async () => {
  const { world, requests } = await connected({ status: 503, body: {} });
  expect((await world.run(`campaign resume ${id} --retries 0`)).exitCode).toBe(7);
  expect(requests()).toHaveLength(1);
});

test('a campaign whose time is still to come is SCHEDULED, and the message says when it starts', async () => {
  const world = createWorld();
  const created = await world.run([
    ...['campaign', 'create', '--name', 'Later', '--from', 'hello@example.com', '--subject', 'Hi'],
    ...['--book', 'Customers', '--html', '<a href="{{unsend_unsubscribe_url}}">x</a>'],
    ...['--scheduled-at', '2026-01-16T10:00:00Z', '--sandbox', '--yes', '-q'],
  ]);
  const campaign = created.stdout.trim();
  await world.run(`campaign pause ${campaign} --sandbox`);
  const { exitCode, stderr } = await world.run(`campaign resume ${campaign} --sandbox --yes`);
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(
    /^Resumed: it is SCHEDULED, and starts on .*2026-01-16.*\. To follow it: /,
  );
});
