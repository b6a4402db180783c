import { expect, test } from 'vitest';
import { connected, errorOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, get, lacking, noSuch, page } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const success = { body: { success: true } };

test('a running campaign is paused on the sandbox, and resumed', async () => {
  const world = createWorld();
  const created = await create(world, 'Spring news', '--now', '--batch-size', '2');
  const outcome = await world.run(['campaign', 'pause', 'Spring news', '--sandbox']);
  expect(outcome).toEqual({
    exitCode: 0,
    stdout: `${created}\n`,
    stderr: `Paused. To resume it: mailer campaign resume ${created} --sandbox\n`,
  });
  world.clock.advance(3_600_000);
  expect(await get(world, created)).toMatchObject({ status: 'PAUSED' });
  expect((await world.run(`campaign resume ${created} --yes --sandbox`)).exitCode).toBe(0);
});

test('one request without a body, and without a question', async () => {
  const { run, service } = await connected(success);
  const { exitCode, stdout } = await run(`campaign pause ${id} --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toEqual({ success: true });
  expect(service.requests).toMatchObject([
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
  const { run } = await connected(noSuch, page());
  expect(errorOf(await run(`campaign pause ${id} --json`)).code).toBe('not_found');
});

test('a service that cannot pause campaigns: not_offered', async () => {
  const { run } = await connected(lacking, page(), { body: [] });
  expect(errorOf(await run(`campaign pause ${id} --yes --json`))).toMatchObject({
    code: 'not_offered',
    message: 'This service cannot pause campaigns.',
  });
});

test('a response that says that nothing was done: 1', async () => {
  const { run } = await connected({ body: { success: false } });
  expect((await run(`campaign pause ${id}`)).exitCode).toBe(1);
});

test('a lost response is retried', async () => {
  const { run, requests } = await connected((response) => void response.destroy(), success);
  expect((await run(`campaign pause ${id}`)).exitCode).toBe(0);
  expect(requests()).toHaveLength(2);
});
