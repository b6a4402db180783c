import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';

/** When the tests' clocks start. */
const start = Date.parse('2026-01-15T10:00:00Z');
const seconds = (offset: number) => String(start / 1000 + offset);
const httpDate = (offset: number) => new Date(start + offset * 1000).toUTCString();

const list = 'email list --json';
const empty = { data: [], count: 0 };

function limited(headers: Record<string, string>): Answer {
  return {
    status: 429,
    headers: { date: httpDate(0), ...headers },
    body: { error: { code: 'RATE_LIMITED', message: 'Too many requests' } },
  };
}

/** The pauses of a list whose first response is this, and the next one a success. */
async function pausesAfter(first: Answer, random = () => 0.5, flags = ''): Promise<number[]> {
  const { run, service, world } = await connected(first, { body: empty });
  expect((await run(`${list} ${flags}`, { random })).exitCode).toBe(0);
  expect(service.requests).toHaveLength(2);
  return world.clock.pauses;
}

/** Expects one pause of at least this many seconds, and not much more. */
function expectOne(pauses: readonly number[], asked: number): void {
  expect(pauses).toHaveLength(1);
  expect(pauses[0]).toBeGreaterThanOrEqual(asked * 1000);
  expect(pauses[0]).toBeLessThan(asked * 1000 + 1000);
}

describe('429', () => {
  test.each([0, 0.5, 0.999])('Retry-After in seconds is kept, random %d', async (random) => {
    expectOne(await pausesAfter(limited({ 'retry-after': '7' }), () => random), 7);
  });

  test('Retry-After as an HTTP date', async () => {
    expectOne(await pausesAfter(limited({ 'retry-after': httpDate(9) })), 9);
  });

  test("Retry-After as an HTTP date, by the service's own clock", async () => {
    const headers = { date: httpDate(7200), 'retry-after': httpDate(7205) };
    expectOne(await pausesAfter(limited(headers)), 5);
  });

  test('Retry-After as a past date is a short pause', async () => {
    expectOne(await pausesAfter(limited({ 'retry-after': httpDate(-60) })), 0);
  });

  test('only X-RateLimit-Reset: waits until then', async () => {
    expectOne(await pausesAfter(limited({ 'x-ratelimit-reset': seconds(2) })), 2);
  });

  test("only X-RateLimit-Reset, by the service's own clock", async () => {
    const headers = { date: httpDate(-3600), 'x-ratelimit-reset': seconds(-3598) };
    expectOne(await pausesAfter(limited(headers)), 2);
  });

  test.each([[{}], [{ 'retry-after': 'soon' }], [{ 'x-ratelimit-reset': 'never' }]])(
    'without a usable header (%j) it backs off',
    async (headers) => {
      const pauses = await pausesAfter(limited(headers));
      expect(pauses).toHaveLength(1);
      expect(pauses[0]).toBeGreaterThan(0);
      expect(pauses[0]).toBeLessThanOrEqual(1000);
    },
  );

  test('a minute is waited for if the request has that time', async () => {
    const asked = limited({ 'retry-after': '60' });
    expectOne(await pausesAfter(asked, () => 0.999, '--timeout 1m'), 60);
  });

  test('a longer pause than the request has time for gives up at once, and says so', async () => {
    const { run, service, world } = await connected(limited({ 'retry-after': '45' }));
    const { message, hint } = errorOf(await run(list));
    expect(message).toBe(
      'Too many requests. It asked to wait for 45 s, until 2026-01-15T10:00:45Z.',
    );
    expect(hint).toContain('--timeout');
    expect(service.requests).toHaveLength(1);
    expect(world.clock.pauses).toEqual([]);
  });

  test('all pauses of a request count against its time', async () => {
    const asked = limited({ 'retry-after': '20' });
    const { run, world } = await connected(asked, asked, asked);
    const { exitCode } = await run(`${list} --timeout 50s`);
    expect(exitCode).toBe(6);
    expect(world.clock.pauses).toHaveLength(2);
  });

  test('a pause is said, in a pipe too', async () => {
    const { run } = await connected(limited({ 'retry-after': '5' }), { body: empty });
    const { stderr } = await run('email list');
    expect(stderr).toContain(
      'Too many requests. It asked to wait for 5 s, until 2026-01-15T10:00:05Z.\n',
    );
  });

  test.each(['3600', '99999999999999999999'])('Retry-After: %s gives up at once', async (after) => {
    const { run, service, world } = await connected(limited({ 'retry-after': after }));
    const outcome = await run(list);
    expect(outcome.exitCode).toBe(6);
    expect(errorOf(outcome)).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(service.requests).toHaveLength(1);
    expect(world.clock.pauses).toEqual([]);
  });
});

test('Retry-After of 503 is kept, and one of an hour gives up at once', async () => {
  const unavailable = (after: string): Answer => ({
    status: 503,
    headers: { 'retry-after': after },
    body: 'maintenance',
  });
  expectOne(await pausesAfter(unavailable('4')), 4);
  const { run, service } = await connected(unavailable('3600'));
  expect((await run(list)).exitCode).toBe(7);
  expect(service.requests).toHaveLength(1);
});

describe('a wait that is too long replaces other hints:', () => {
  test.each([
    ['61', '61 s, until 2026-01-15T10:01:01Z'],
    ['300', '5 min, until 2026-01-15T10:05:00Z'],
    ['5430', '91 min, until 2026-01-15T11:30:30Z'],
    ['86400', '24 h, until 2026-01-16T10:00:00Z'],
    ['864000', '10 days, until 2026-01-25T10:00:00Z'],
    [new Date('2099-01-01T00:00:00Z').toUTCString(), '26649 days, until 2099-01-01T00:00:00Z'],
    ['99999999999999999999', 'thousands of years'],
    ['251609500800', '2912147 days, until 9999-03-25T10:00:00Z'],
    ['261609500800', 'thousands of years'],
  ])('Retry-After: %s', async (after, wait) => {
    const headers = { date: httpDate(0), 'retry-after': after };
    const { run } = await connected(limited(headers), { status: 503, headers, body: 'closed.' });
    const refused = errorOf(await run(list));
    expect(refused.message).toBe(`Too many requests. It asked to wait for ${wait}.`);
    expect(refused.hint).toBeUndefined();
    const { message } = errorOf(await run(list));
    expect(message).toBe(`The service responded with 503: closed. It asked to wait for ${wait}.`);
  });

  test('also with the last retry, and beside the command that repeats a send', async () => {
    const headers = { 'retry-after': '7200' };
    const { run } = await connected({ status: 503, headers, body: '' });
    const words = 'email send --to a@b.c --from d@e.f --subject s --text t --retries 0 --json';
    const { message, hint } = errorOf(await run(words));
    expect(message).toContain('It asked to wait for 2 h, until 2026-01-15T12:00:00Z.');
    expect(hint).toContain('--idempotency-key');
  });

  test('a minute is not too long', async () => {
    const { run } = await connected(limited({ 'retry-after': '60' }));
    const { message, hint } = errorOf(await run(`${list} --retries 0 --timeout 1m`));
    expect(message).toBe('Too many requests');
    expect(hint).toContain('Wait');
  });
});

test('after a burst of 429, a list is fetched at the full two requests a second again', async () => {
  const headers = { 'x-ratelimit-limit': '2' };
  const pages = 40;
  const times: number[] = [];
  const page: Answer = (response) => {
    times.push(world.clock.elapsed);
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ data: [{ id: `em_${times.length}` }], count: pages }));
  };
  const answers = Array.from({ length: pages }, (_, index) =>
    index < 8 ? [limited(headers), page] : [page],
  );
  const { run, world } = await connected(...answers.flat());
  expect((await run('email list --all --limit 1 -q')).exitCode).toBe(0);
  const [first = 0, ...others] = times.slice(-21);
  expect(others).toHaveLength(20);
  expect((others.at(-1) ?? 0) - first).toBeLessThanOrEqual(11_000);
});

describe('if nothing remains of the window', () => {
  const page = (id: string, headers: Record<string, string>): Answer => ({
    headers: { date: httpDate(0), ...headers },
    body: { data: [{ id }], count: 2 },
  });
  const spent = { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '0' };
  const last = { body: empty };

  async function pausesOfAll(headers: Record<string, string>): Promise<number[]> {
    const { run, service, world } = await connected(page('em_1', headers), last);
    const { stdout } = await run('email list --all --limit 1 -q --timeout 1m');
    expect(stdout).toBe('em_1\n');
    expect(service.requests).toHaveLength(2);
    return world.clock.pauses;
  }

  test('email list --all pauses before its next request, and gets no 429', async () => {
    expect(await pausesOfAll({ ...spent, 'x-ratelimit-reset': seconds(3) })).toEqual([3000]);
  });

  test("measures by the service's own clock", async () => {
    const headers = { date: httpDate(3600), 'x-ratelimit-reset': seconds(3603) };
    expect(await pausesOfAll({ ...spent, ...headers })).toEqual([3000]);
  });

  test('does not pause if some remain, or if the window has passed', async () => {
    const some = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': seconds(3) };
    expect(await pausesOfAll(some)).toEqual([]);
    expect(await pausesOfAll({ ...spent, 'x-ratelimit-reset': seconds(-5) })).toEqual([]);
    expect(await pausesOfAll({})).toEqual([]);
  });

  test('a window that ends in a year does not stop the program for a year', async () => {
    const far = { ...spent, 'x-ratelimit-reset': seconds(365 * 86_400) };
    const [pause = Number.NaN, ...others] = await pausesOfAll(far);
    expect(others).toEqual([]);
    expect(pause).toBeLessThanOrEqual(60_000);
  });

  test('a window that lasts longer than a request may take is an error at once', async () => {
    const far = { ...spent, 'x-ratelimit-reset': seconds(365 * 86_400) };
    const { run, world } = await connected(page('em_1', far), last);
    const outcome = await run('email list --all --limit 1 --jsonl');
    expect(outcome.exitCode).toBe(7);
    expect(failureOf(outcome).message).toMatch(
      /asked to wait for 60 s, until 2026-01-15T10:01:00Z: longer than the time limit\.$/,
    );
    expect(failureOf(outcome).hint).toContain('--timeout');
    expect(world.clock.pauses).toEqual([]);
  });

  test('a single request does not pause after it', async () => {
    const { run, world } = await connected(
      page('em_1', { ...spent, 'x-ratelimit-reset': seconds(9) }),
    );
    await run('email list -q');
    expect(world.clock.pauses).toEqual([]);
  });

  test('--wait keeps the limit too', async () => {
    const email = (status: string): Answer => ({
      headers: { date: httpDate(0), ...spent, 'x-ratelimit-reset': seconds(5) },
      body: {
        id: 'em_1',
        // All kinds of recipients, because the program would read the list for missing ones.
        ...{ to: 'a@b.c', cc: [], bcc: [] },
        emailEvents: [{ status, createdAt: '2026-01-15T10:00:00Z' }],
      },
    });
    const { run, world } = await connected(email('SENT'), email('DELIVERED'));
    expect((await run('email get em_1 --wait -q')).exitCode).toBe(0);
    expect(world.clock.now - start).toBeGreaterThanOrEqual(5000);
  });
});
