import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { create, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';

test.each(['id', 'name'])('deletes the campaign named by its %s', async (kind) => {
  const world = createWorld();
  const kept = await create(world, 'Spring news 2');
  const created = await create(world, 'Spring news');
  const named = kind === 'id' ? created : 'Spring news';
  expect(await world.run(['campaign', 'delete', named, '--sandbox', '--yes'])).toEqual({
    exitCode: 0,
    stdout: `${created}\n`,
    stderr: 'Deleted campaign Spring news.\n',
  });
  expect((await world.run('campaign list --sandbox -q')).stdout).toBe(`${kept}\n`);
});

test('--json is the unmodified campaign', async () => {
  const reply = summary(id, { teamId: 7, isApi: true, lastCursor: null, novel: [] });
  const { world, service } = await connected({ body: reply });
  const { stdout } = await world.run(`campaign delete ${id} -y --json`);
  expect(JSON.parse(stdout)).toEqual(reply);
  expect(service.requests).toMatchObject([
    { method: 'DELETE', path: `/api/v1/campaigns/${id}`, body: '' },
  ]);
});

test.each([id, 'Spring news'])(
  'without a terminal %s needs --yes: 2, and nothing is deleted',
  async (named) => {
    const { world, requests } = await connected();
    const { exitCode, stdout, stderr } = await world.run(['campaign', 'delete', named]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe(
      `Error: Nothing was deleted, because this needs confirmation: This deletes campaign ${named} with its content and counters; unsent emails will not be sent. Delete it?\nHint: To confirm, add --yes.\n`,
    );
    expect(requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
  },
);

test('the refusal counts the emails that will not be sent', async () => {
  const { run } = await connected({
    body: summary(id, { name: 'News', status: 'PAUSED', total: 1200, sent: 300 }),
  });
  expect((await run(`campaign delete ${id}`)).stderr).toContain(
    `campaign "News" (${id}, PAUSED) with its content and counters; 900 unsent emails will not be sent.`,
  );
});

test('a name is looked up, an ambiguous one deletes nothing', async () => {
  const { world, requests } = await connected(page(summary('camp_2'), summary('camp_1')));
  const { exitCode, stderr } = await world.run(['campaign', 'delete', 'Spring news', '--yes']);
  expect(exitCode).toBe(2);
  expect(stderr).toContain('  camp_1  DRAFT  2026-01-15T09:59:00.000Z\n');
  expect(requests()).toEqual(['GET /api/v1/campaigns?page=1&search=Spring+news']);
});

test('a part of a name does not match', async () => {
  const world = createWorld();
  await create(world, 'Spring news');
  const { exitCode } = await world.run('campaign delete Spring --sandbox --yes');
  expect(exitCode).toBe(4);
  expect((await world.run('campaign list --sandbox -q')).stdout).not.toBe('');
});

test.each(['../domains/1', 'a/b?c', '..'])('%s never becomes a path', async (named) => {
  const { world, requests } = await connected(page());
  expect((await world.run(['campaign', 'delete', named, '--yes'])).exitCode).toBe(4);
  expect(requests()).toHaveLength(1);
  expect(requests()[0]).toMatch(/^GET \/api\/v1\/campaigns\?page=1&search=/);
});

test('a repeated delete that gets 404 does not look up a name', async () => {
  const { world, requests } = await connected(
    { status: 502, body: {} },
    { status: 404, body: {} },
    page(),
  );
  const { exitCode, stdout } = await world.run(`campaign delete ${id} --yes`);
  expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: `${id}\n` });
  expect(requests()).toEqual([
    `DELETE /api/v1/campaigns/${id}`,
    `DELETE /api/v1/campaigns/${id}`,
    `GET /api/v1/campaigns?page=1&search=${id}`,
  ]);
});

test('a name that looks like an id is not reported as deleted after a lost response: 7', async () => {
  const named = 'newsletter-2026-03';
  const missing = { status: 404, body: { error: { code: 'NOT_FOUND', message: 'No campaign' } } };
  const { world, requests } = await connected(
    { status: 502, body: {} },
    missing,
    page(summary('camp_1', { name: named })),
  );
  const { exitCode, stdout, stderr } = await world.run(`campaign delete ${named} --yes`);
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 7,
    stdout: '',
    stderr: `Error: There is no campaign with the id ${named}, but one with this name, which was not deleted. An earlier attempt had no response.\nHint: To delete it: mailer campaign delete camp_1\n`,
  });
  expect(requests()).toHaveLength(3);
});

test('--dry-run needs no yes, and sends nothing', async () => {
  const { world, requests } = await connected();
  const { exitCode, stdout, stderr } = await world.run([
    ...['campaign', 'delete', 'Spring news', '--dry-run', '--json'],
  ]);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({
    method: 'DELETE',
    url: expect.stringMatching(/\/api\/v1\/campaigns\/Spring%20news$/),
  });
  expect(stderr).toContain('The campaign "Spring news" would be looked up first');
  expect(requests()).toEqual([]);
});

test('no such campaign: 4', async () => {
  const { exitCode, stderr } = await createWorld().run(
    `campaign delete ${id} --sandbox --yes --json`,
  );
  expect(exitCode).toBe(4);
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'not_found',
    status: 404,
    apiCode: 'NOT_FOUND',
    hint: 'To list the campaigns: mailer campaign list --sandbox',
  });
});

test('an unknown name prints how to list the campaigns', async () => {
  const { exitCode, stderr } = await createWorld().run('campaign delete nothere --sandbox --yes');
  expect(exitCode).toBe(4);
  expect(stderr).toContain('Hint: To list the campaigns: mailer campaign list --sandbox');
});
