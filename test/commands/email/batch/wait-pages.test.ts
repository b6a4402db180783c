import { describe, expect, test } from 'vitest';
import { connected, failureOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import type { Clock } from '../../../support/run.ts';

const at = '2026-01-15T10:00:00Z';
const line = 'email batch b.json --yes --wait';

/** What the service says about each email, by its number. */
type Status = (number: number, clock: Clock) => string | undefined;

/**
 * A service that carries out two requests a second, at which the status of each email is this. `newer` is how many
 * emails of others are newer. Its list can be taken away.
 */
async function batchOf(
  emails: number,
  status: Status,
  { newer = 0, hasList = true, perSecond = 2, copies = [] as number[] } = {},
) {
  const requests: string[] = [];
  let refused = 0;
  let accepted = 0;
  let world: { clock: Clock } | undefined;
  let windowStart = 0;
  let used = 0;
  const item = (number: number, clock: Clock) => {
    const latestStatus = status(number, clock);
    return (
      latestStatus && {
        id: `em_${number}`,
        to: [`p${number}@b.example`],
        createdAt: at,
        latestStatus,
      }
    );
  };
  const single = (number: number, clock: Clock) => {
    const now = status(number, clock);
    const emailEvents = now ? [{ status: now, createdAt: at, data: { error: 'why' } }] : [];
    return { id: `em_${number}`, to: [`p${number}@b.example`], emailEvents };
  };
  const answer: Answer = (response, { method, path, body }) => {
    const clock = world?.clock;
    if (clock === undefined) return;
    const now = Math.floor(clock.now / 1000) * 1000;
    if (now !== windowStart) used = 0;
    windowStart = now;
    used++;
    const left = perSecond - used;
    const reply = (code: number, content: unknown) => {
      response.writeHead(code, {
        'content-type': 'application/json',
        date: new Date(clock.now).toUTCString(),
        'x-ratelimit-limit': String(perSecond),
        'x-ratelimit-remaining': String(Math.max(left, 0)),
        'x-ratelimit-reset': String(now / 1000 + 1),
      });
      response.end(JSON.stringify(content));
    };
    if (left < 0) {
      refused++;
      reply(429, { error: { code: 'RATE_LIMITED', message: 'Slowly' } });
      return;
    }
    const url = new URL(path, 'http://b.example');
    if (method === 'POST') {
      const sent: unknown[] = JSON.parse(body);
      reply(200, { data: sent.map(() => ({ emailId: `em_${accepted++}` })) });
      return;
    }
    requests.push(url.pathname.replace('/api/v1/', '') + url.search.replace(/&limit=50/, ''));
    if (!url.pathname.endsWith('/emails')) {
      reply(200, single(Number(url.pathname.split('_')[1]), clock));
      return;
    }
    if (!hasList) {
      reply(404, { error: { code: 'NOT_FOUND', message: 'no' } });
      return;
    }
    const others = Array.from(
      { length: url.searchParams.has('endDate') ? 0 : newer },
      (_, index) => ({
        id: `other_${index}`,
        createdAt: '2026-01-15T11:00:00Z',
      }),
    );
    const ours = Array.from({ length: emails }, (_, index) => item(emails - 1 - index, clock));
    const all = [...others, ...ours].filter(Boolean);
    const start = (Number(url.searchParams.get('page')) - 1) * 50;
    reply(200, { data: all.slice(start, start + 50), count: all.length });
  };
  const setup = await connected(...Array<Answer>(3000).fill(answer));
  world = setup.world;
  setup.file(
    'b.json',
    Array.from({ length: emails }, (_, number) => ({
      to: `p${number}@b.example`,
      ...(copies.includes(number) ? { cc: 'copy@b.example' } : {}),
      ...{ from: 'hello@example.com', subject: 'Hi', text: `Hello ${number}` },
    })),
  );
  return { ...setup, looks: requests, refused: () => refused };
}

test('350 delivered emails at two requests a second take 15 s at most, without a 429', async () => {
  const { run, world, looks, refused } = await batchOf(350, () => 'DELIVERED');
  // One by one, because the clock stands still while a request is on its way.
  const { exitCode, stdout } = await run(`${line} --concurrency 1`);
  expect(exitCode).toBe(0);
  expect(world.clock.elapsed).toBeLessThanOrEqual(15_000);
  expect(refused()).toBe(0);
  expect(looks).toEqual(Array.from({ length: 7 }, (_, index) => `emails?page=${index + 1}`));
  const [header, first, ...rest] = stdout.trimEnd().split('\n');
  expect([header, first, rest.length]).toEqual([
    'id\tto\tstatus\twhen\tdetail',
    'em_0\tp0@b.example\tDELIVERED\t\t',
    349,
  ]);
});

test('--json has the emails as the list shows them', async () => {
  const { run } = await batchOf(12, () => 'DELIVERED');
  const { exitCode, stdout, stderr } = await run(`${line} --json`);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  const { data } = JSON.parse(stdout);
  expect(data).toHaveLength(12);
  expect(data[0]).toEqual({
    ...{ id: 'em_0', to: ['p0@b.example'], createdAt: at, latestStatus: 'DELIVERED' },
  });
});

describe('a single email is asked for', () => {
  test('if it failed, for the reason', async () => {
    const { run, looks } = await batchOf(20, (one) => (one === 3 ? 'BOUNCED' : 'DELIVERED'));
    const { exitCode, stdout, stderr } = await run(line);
    expect(exitCode).toBe(9);
    expect(looks).toEqual(['emails?page=1', 'emails/em_3']);
    expect(stdout).toContain(`\nem_3\tp3@b.example\tBOUNCED\t${at}\twhy\n`);
    expect(stderr).toContain('Error: DELIVERED: 19 of 20 emails. Failed: em_3.\n');
  });

  test('if it has several recipients, or the list lacks it', async () => {
    const options = { copies: [5] };
    const isListed = (one: number) => one !== 7;
    let isAsked = false;
    const { run, looks } = await batchOf(
      20,
      (one) => {
        if (isListed(one) || isAsked) return one === 5 ? 'BOUNCED' : 'DELIVERED';
        isAsked = true;
        return undefined;
      },
      options,
    );
    await run(line);
    expect(looks).toEqual(['emails?page=1', 'emails/em_5', 'emails/em_7']);
  });

  test('if the service has no list', async () => {
    const { run, looks } = await batchOf(12, () => 'DELIVERED', { hasList: false });
    expect((await run(line)).exitCode).toBe(0);
    expect(looks).toEqual([
      'emails?page=1',
      ...Array.from({ length: 12 }, (_, one) => `emails/em_${one}`),
    ]);
  });

  test('if only a few are left', async () => {
    const isLate = (one: number, { elapsed }: Clock) => one === 4 && elapsed < 5000;
    const { run, looks } = await batchOf(60, (one, clock) =>
      isLate(one, clock) ? 'SENT' : 'OPENED',
    );
    expect((await run(line)).exitCode).toBe(0);
    expect(looks.slice(0, 2)).toEqual(['emails?page=1', 'emails?page=2']);
    expect(new Set(looks.slice(2))).toEqual(new Set(['emails/em_4']));
  });
});

test('emails of others that are newer are skipped, after the first look', async () => {
  const isOver = ({ elapsed }: Clock) => elapsed >= 4000;
  const { run, looks } = await batchOf(40, (_, clock) => (isOver(clock) ? 'DELIVERED' : 'QUEUED'), {
    newer: 70,
  });
  expect((await run(line)).exitCode).toBe(0);
  expect(looks.slice(0, 3)).toEqual(['emails?page=1', 'emails?page=2', 'emails?page=3']);
  expect(new Set(looks.slice(3))).toEqual(
    new Set(['emails?page=1&endDate=2026-01-15T10%3A00%3A00.001Z']),
  );
});

test('the usual time grows with the number of emails', async () => {
  const { run, world } = await batchOf(100, () => 'SENT', { perSecond: 100 });
  const outcome = await run(`${line} --json`);
  expect(outcome.exitCode).toBe(10);
  expect(world.clock.elapsed).toBeGreaterThanOrEqual(400_000);
  expect(world.clock.elapsed).toBeLessThanOrEqual(402_000);
  expect(failureOf(outcome).message).toMatch(/^DELIVERED: 0 of 100 emails\. Timed out: em_0, /);
});
