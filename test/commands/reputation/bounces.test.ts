import { expect, test } from 'vitest';
import { connected, errorOf, fileIn } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

const reply = {
  days: 30,
  totalHardBounces: 3,
  byDomain: [
    { key: 'a.example', count: 2, share: 66.666667 },
    { key: 'b.example', count: 1, share: 33.333333 },
  ],
  byReason: [{ key: 'General', count: 3, share: 100 }],
  novel: 1,
};

test('piped: the sum, then domains and reasons', async () => {
  const { run, requests } = await connected({ body: reply });
  expect(await run('reputation bounces --days 7 --limit 2')).toEqual({
    exitCode: 0,
    stdout: [
      'days\t30',
      'totalHardBounces\t3',
      '',
      'byDomain.key\tbyDomain.count\tbyDomain.share',
      'a.example\t2\t66.666667',
      'b.example\t1\t33.333333',
      '',
      'byReason.key\tbyReason.count\tbyReason.share',
      'General\t3\t100',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(requests()).toEqual(['GET /api/v1/reputation/bounce-breakdown?days=7&limit=2']);
});

test('on a terminal: shares in percent', async () => {
  const { run } = await connected({ body: reply });
  const { stdout } = await run('reputation bounces --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^DOMAIN +BOUNCES +SHARE\na\.example +2 +66\.667%$/m);
  expect(stdout).toMatch(/^REASON +BOUNCES +SHARE\nGeneral +3 +100%$/m);
});

test('--json is the unmodified response; --quiet the sum', async () => {
  const { run } = await connected({ body: reply }, { body: reply });
  expect(JSON.parse((await run('reputation bounces --json')).stdout)).toEqual(reply);
  expect((await run('reputation bounces -q')).stdout).toBe('3\n');
});

test('on the sandbox: one for each recipient', async () => {
  const world = createWorld();
  const to = 'bounced@a.example,bounced+2@a.example,bounced@b.example,delivered@c.example';
  await world.run(`email send --sandbox --from a@example.com --to ${to} --subject Hi --text Hello`);
  world.clock.advance(3_600_000);
  const { stdout } = await world.run('reputation bounces --sandbox --json --limit 1');
  expect(JSON.parse(stdout)).toEqual({
    days: 30,
    totalHardBounces: 3,
    byDomain: [{ key: 'a.example', count: 2, share: expect.closeTo(66.667, 3) }],
    byReason: [{ key: 'General', count: 3, share: 100 }],
  });
  const none = await createWorld().run('reputation bounces --sandbox --no-color', { terminal: 80 });
  expect(none.stdout).toContain('By reason\nNone.\n');
});

test('on the sandbox: a bounce that may pass is not a hard one', async () => {
  const world = createWorld();
  const bounce = (recipient: string, data?: object) => ({ status: 'BOUNCED', recipient, data });
  fileIn(world, 'seeds.json', {
    messages: [
      {
        ...{ from: 'a@example.com', to: ['x@a.example', 'y@b.example'], subject: 'Hi', text: 'Hi' },
        events: [
          bounce('x@a.example', { bounceType: 'Transient', bounceSubType: 'MailboxFull' }),
          bounce('y@b.example', { bounceType: 'Permanent' }),
        ],
      },
    ],
  });
  const seeded = await world.run('sandbox seed seeds.json');
  expect(seeded.exitCode, seeded.stderr).toBe(0);
  const { stdout } = await world.run('reputation bounces --sandbox --json');
  expect(JSON.parse(stdout)).toMatchObject({
    totalHardBounces: 1,
    byDomain: [{ key: 'b.example' }],
    byReason: [{ key: 'Undetermined' }],
  });
});

test('a service without it: not_offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect(errorOf(await run('reputation bounces --json'))).toMatchObject({ code: 'not_offered' });
});
