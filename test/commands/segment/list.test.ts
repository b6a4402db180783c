import { expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { withSegmentOf } from './made.ts';

test('conditions as they are written; in a pipe they are the rules of the response', async () => {
  const { world, id } = await withSegmentOf(['plan=pro', 'email~@example.com'], ['--any']);
  const shown = await world.run('segment list --sandbox', { terminal: 120 });
  expect(shown.stdout).toMatch(/^ID +NAME +BOOK +CONDITIONS +CREATED\n/);
  expect(shown.stdout).toMatch(
    new RegExp(`^${id} +Some +book_customers +plan=pro or email~@example\\.com +just now`, 'm'),
  );
  const { stdout } = await world.run('segment list --sandbox --fields rules --no-header');
  expect(JSON.parse(stdout)).toMatchObject({ match: 'any' });
});

test('on a terminal of 80 columns no line is longer', async () => {
  const { world } = await withSegmentOf(['plan=pro', 'email~@example.com', 'firstName!=Ana']);
  const { stdout } = await world.run('segment list --sandbox', { terminal: 80 });
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('values that are no texts, which other clients have stored', async () => {
  const conditions = [
    { field: 'age', op: 'eq', value: 18 },
    { field: 'vip', op: 'in', value: [true, null] },
    { field: 'city', op: 'gt', value: { is: 1 } },
    { field: 'email', op: 'eq' },
  ];
  const { run } = await connected({
    body: [{ id: 'seg_1', name: 'Old', rules: { match: 'all', conditions } }],
  });
  const { exitCode, stdout } = await run('segment list', { terminal: 140 });
  expect(exitCode).toBe(0);
  expect(stdout).toContain('age=18 and vip in true,null and city gt "{\\"is\\":1}" and email=""');
});

test('--json is the unmodified response; without segments, a sentence', async () => {
  const reply = [{ id: 'seg_1', name: 'Pro', novel: 1 }];
  const { run } = await connected({ body: reply });
  expect(JSON.parse((await run('segment list --json')).stdout)).toEqual(reply);
  expect((await createWorld().run('segment list --sandbox')).stderr).toBe('No segments.\n');
});
