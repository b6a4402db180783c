import { expect, test } from 'vitest';
import { connected, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';
import { withSegmentOf } from './made.ts';

async function addresses(where: readonly string[], flags: readonly string[] = []) {
  const { world, id } = await withSegmentOf(where, flags);
  const { stdout } = await world.run(`segment preview ${id} --sandbox --json`);
  const { count, sample } = JSON.parse(stdout);
  return { count, emails: sample.map(({ email }: { email: string }) => email.split('+')[1]) };
}

test.each([
  [['firstName=Ana'], 1],
  [['firstName!=Ana'], 11],
  [['email~@example.com'], 12],
  [['firstName in Ana,Ben,Nobody'], 2],
  [['firstName=Ana', 'firstName=Ben'], 0],
  [['firstName=ana'], 0],
  [['plan=pro'], 4],
  // Of all, so none of those without this property.
  [['plan!=pro'], 8],
  [['nothing!=pro'], 0],
  [['nothing=""'], 0],
  [['plan~PR'], 0],
  [['email~ANA@'], 1],
  [['subscribed=yes'], 11],
  [['subscribed!=yes'], 1],
  [['nothing!=""'], 0],
])('contacts that fulfil all of %j: %i', async (where, count) => {
  expect((await addresses(where)).count).toBe(count);
});

test('@last is the segment that was created last, by a command or by api', async () => {
  const { world } = await withSegmentOf(['firstName=Ana']);
  expect((await world.run('segment preview @last --sandbox -q')).stdout).toBe('1\n');
  expect(
    (await world.run('api POST /v1/segments/@last/preview --sandbox --jq .count')).stdout,
  ).toBe('1\n');
  const body = {
    name: 'All',
    rules: { match: 'all', conditions: [{ field: 'email', op: 'contains', value: '@' }] },
  };
  fileIn(world, 'segment.json', body);
  await world.run('api POST /v1/segments --input segment.json --sandbox');
  expect((await world.run('segment preview @last --sandbox -q')).stdout).not.toBe('1\n');
  const { stderr } = await world.run('segment delete @last --sandbox --yes');
  expect(stderr).toBe('Deleted segment All.\n');
  const none = await createWorld().run('segment preview @last --sandbox');
  expect([none.exitCode, none.stderr]).toEqual([
    4,
    expect.stringContaining('@last: no segment of this account (the sandbox) is recorded'),
  ]);
});

test('with --any one condition is enough; a sample has ten contacts at most', async () => {
  expect(await addresses(['firstName=Ana', 'firstName=Ben'], ['--any'])).toEqual({
    ...{ count: 2, emails: expect.arrayContaining(['ana@example.com', 'ben@example.com']) },
  });
  const all = await addresses(['email~@']);
  expect([all.count, all.emails.length]).toEqual([12, 10]);
});

test('by id or name: the number and some of them; --quiet is the number', async () => {
  const { world, id } = await withSegmentOf(['firstName=Ana']);
  for (const named of [id, 'Some']) {
    const { stdout } = await world.run(`segment preview ${named} --sandbox`);
    expect(stdout).toMatch(
      /^count\t1\n\nsample\.email\tsample\.firstName\tsample\.lastName\n.+\tAna\t.+\n$/,
    );
  }
  expect((await world.run('segment preview Some --sandbox -q')).stdout).toBe('1\n');
  const shown = await world.run('segment preview Some --sandbox', { terminal: 80 });
  expect(shown.stdout).toMatch(/^Contacts +1\n\nSome of them\nEMAIL/);
});

test('a name that two have is an error that lists them; a name of none is one too', async () => {
  const rules = { match: 'all', conditions: [{ field: 'plan', op: 'eq', value: 'pro' }] };
  const one = (id: string) => ({ id, name: 'Pro', rules });
  const { run } = await connected({ body: [one('seg_1'), one('seg_2')] }, { body: [] });
  expect(await run('segment preview Pro')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: 2 segments are named "Pro":\n  seg_1  plan=pro\n  seg_2  plan=pro\nHint: Use the id instead.\n',
  });
  expect(await run('segment preview Pro')).toEqual({
    exitCode: 4,
    stdout: '',
    stderr: 'Error: There is no segment "Pro".\nHint: To list the segments: mailer segment list\n',
  });
});
