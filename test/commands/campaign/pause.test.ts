import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, get, lacking, noSuch, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };

test('a running campaign is paused on the sandbox, and resumed', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news', '--now', '--batch-size', '2');
  const outcome = await world.run(['campaign', 'pause', 'Spring news', '--sandbox']);
  expect(outcome).toEqual({
    exitCode: 0,
    stdout: `${created}\n`,
    stderr: [
      `Paused. To resume it: mailer campaign resume ${created} --sandbox`,
      `To correct it, if nobody has got it: mailer campaign replace ${created} --sandbox`,
      'To send a corrected text to those who have not got it: docs/who-got-what.md, "A campaign that is half sent"\n',
    ].join('\n'),
  });
  world.clock.advance(3_600_000);
  expect(await get(world, created)).toMatchObject({ status: 'PAUSED' });
  expect((await world.run(`campaign resume ${created} --yes --sandbox`)).exitCode).toBe(0);
});

test('a campaign that some have got is not to be replaced: only the recipe for the others', async () => {
  const { run } = await connected({ body: summary(id, { status: 'RUNNING', sent: 2 }) }, success);
  const { exitCode, stderr } = await run(`campaign pause ${id}`);
  expect(exitCode).toBe(0);
  expect(stderr).not.toContain('campaign replace');
  expect(stderr).toContain('To send a corrected text to those who have not got it:');
});

test('one request without a body after a look at it, and without a question', async () => {
  const { run, service } = await connected({ body: summary(id, { status: 'RUNNING' }) }, success);
  const { exitCode, stdout } = await run(`campaign pause ${id} --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ success: true });
  expect(service.requests).toMatchObject([
    { method: 'GET', path: `/api/v1/campaigns/${id}` },
    { method: 'POST', path: `/api/v1/campaigns/${id}/pause`, body: '' },
  ]);
});

test('--dry-run prints the request, and needs no key', async () => {
  const { exitCode, stdout } = await createWorld().run(
    `campaign pause ${id} --dry-run --json --base-url https://mail.example.com/api`,
  );
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'POST',
    url: `https://mail.example.com/api/v1/campaigns/${id}/pause`,
  });
});

test('a campaign that does not exist: 4', async () => {
  const { run } = await connected(noSuch, noSuch, page());
  expect(errorOf(await run(`campaign pause ${id} --json`)).code).toBe('not_found');
});

test('a service that cannot pause campaigns: not_offered', async () => {
  const { run } = await connected(lacking, lacking, page(), { body: [] });
  expect(errorOf(await run(`campaign pause ${id} --yes --json`))).toMatchObject({
    code: 'not_offered',
    message: 'This service cannot pause campaigns.',
  });
});

test('a response that says that nothing was done: 1', async () => {
  const { run } = await connected(lacking, { body: { success: false } });
  expect((await run(`campaign pause ${id}`)).exitCode).toBe(1);
});

test('a lost response is retried', async () => {
  const running = { body: summary(id, { status: 'RUNNING' }) };
  const { run, requests } = await connected(running, (one) => void one.destroy(), success);
  expect((await run(`campaign pause ${id}`)).exitCode).toBe(0);
  expect(requests()).toHaveLength(3);
});

test.each([
  ['SENT', 'has been sent'],
  ['DRAFT', 'is a draft'],
])('%s: a conflict, and nothing changes', async (status, words) => {
  for (const [named, answer] of [
    [[id], { body: summary(id, { status }) }],
    [['Spring news'], page(summary(id, { status }))],
  ] as const) {
    const { run, service } = await connected(answer);
    const { exitCode, stdout, stderr } = await run(['campaign', 'pause', ...named]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 5, stdout: '' });
    expect(stderr).toContain(`${words}, so there is nothing to pause.`);
    expect(stderr).toContain(`Hint: Nothing was changed. To look at it: mailer campaign get ${id}`);
    expect(service.requests.map(({ method }) => method)).toEqual(['GET']);
  }
});

test('a campaign that has been sent cannot be resumed by way of a pause', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news', '--now');
  world.clock.advance(3_600_000);
  expect(await get(world, created)).toMatchObject({ status: 'SENT' });
  expect((await world.run(`campaign pause ${created} --sandbox`)).exitCode).toBe(5);
  expect(await get(world, created)).toMatchObject({ status: 'SENT' });
  expect((await world.run(`campaign resume ${created} --yes --sandbox`)).exitCode).toBe(5);
});

test('a status that cannot be read does not prevent a pause', async () => {
  const { run } = await connected({ status: 403, body: { error: 'no' } }, success);
  expect((await run(`campaign pause ${id}`)).exitCode).toBe(0);
});
