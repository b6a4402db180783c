import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { withSegmentOf } from './made.ts';

test('deletes the segment; its contacts stay', async () => {
  const { world, id } = await withSegmentOf(['firstName=Ana']);
  expect(await world.run('segment delete Some --sandbox --yes')).toEqual({
    exitCode: 0,
    stdout: `${id}\n`,
    stderr: 'Deleted segment Some.\n',
  });
  expect((await world.run('segment delete Some --sandbox --yes')).exitCode).toBe(4);
  const { stdout } = await world.run(
    'api GET /v1/contactBooks/book_customers --sandbox --jq ._count',
  );
  expect(stdout).toContain('12');
});

test('without a terminal it needs --yes, and nothing is deleted', async () => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run('segment delete Pro');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('Nothing was deleted, because this needs confirmation');
  expect(requests().filter((request) => !request.startsWith('GET'))).toEqual([]);
  const { world, id } = await withSegmentOf(['firstName=Ana']);
  expect((await world.run('segment delete Some --sandbox')).stderr).toContain(
    `This deletes segment Some (id ${id}); its contacts stay.`,
  );
});

test('a 404 after a lost response is a success', async () => {
  const { run } = await connected(
    { body: [{ id: 'seg_1', name: 'Pro' }] },
    (response) => response.destroy(),
    { status: 404, body: { error: { code: 'NOT_FOUND', message: 'no' } } },
  );
  const { exitCode, stderr } = await run('segment delete Pro --yes');
  expect(exitCode).toBe(0);
  expect(stderr).toContain('There is no segment Pro any more');
});
