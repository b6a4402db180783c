import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { WireReply } from '../../../../src/lib/base/system/wire.ts';
import { createPacing, type Pacing } from '../../../../src/lib/service/http/pacing.ts';
import { createRateLimit, rateLimitHeaders } from '../../../../src/sandbox/http/rate-limit.ts';

beforeEach(() => {
  vi.useFakeTimers({ now: Date.parse('2026-01-15T10:00:00.400Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

const sleep = async (ms: number) => {
  await new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
};
const system = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep,
  signal: new AbortController().signal,
};

interface ServiceOptions {
  /** Milliseconds for a request to arrive, and for its response. */
  readonly latency?: () => number;
  readonly windows?: typeof createRateLimit;
}

/** A service with a latency that varies. */
function service(
  perSecond: number,
  { latency = () => 5, windows = createRateLimit }: ServiceOptions = {},
) {
  const limit = windows(perSecond);
  const answers: { readonly status: number; readonly at: number }[] = [];
  const ask = async (): Promise<WireReply> => {
    await sleep(latency());
    const state = limit(Date.now());
    const status = state.exceeded ? 429 : 200;
    answers.push({ status, at: Date.now() });
    await sleep(latency());
    const names = Object.entries(rateLimitHeaders(state));
    return { status, body: '', headers: Object.fromEntries(names.map(lowerCase)) };
  };
  return {
    ask,
    refused: () => answers.filter(({ status }) => status === 429).length,
    /** How many requests were accepted in the full seconds after the first one. */
    inSeconds(seconds: number) {
      const start = answers[0]?.at ?? 0;
      return answers.filter(({ status, at }) => status === 200 && at < start + seconds * 1000)
        .length;
    },
  };
}

function lowerCase([name, value]: [string, string]): [string, string] {
  return [name.toLowerCase(), value];
}

/** Sends until this many requests are accepted, several at a time; a rejected one is sent again. */
async function client(
  ask: () => Promise<WireReply>,
  {
    requests,
    workers = 8,
    pacing = createPacing(),
  }: {
    requests: number;
    workers?: number;
    pacing?: Pacing;
  },
): Promise<void> {
  let left = requests;
  const worker = async () => {
    while (left > 0) {
      left--;
      const turn = await pacing.turn(system, Number.POSITIVE_INFINITY);
      const reply = await ask();
      turn.end?.(reply);
      if (reply.status === 429) left++;
    }
  };
  await Promise.all(Array.from({ length: workers }, worker));
}

async function finished<Value>(work: Promise<Value>): Promise<Value> {
  let done = false;
  void work.finally(() => {
    done = true;
  });
  while (!done) await vi.advanceTimersByTimeAsync(10);
  return await work;
}

/** Rate limit windows that start with each second of the clock. */
const alignedWindows: typeof createRateLimit = (perSecond = 1) => {
  let second = 0;
  let count = 0;
  return (now) => {
    if (Math.floor(now / 1000) !== second) {
      second = Math.floor(now / 1000);
      count = 0;
    }
    count++;
    const exceeded = count > perSecond;
    const remaining = Math.max(0, perSecond - count);
    return { limit: perSecond, remaining, reset: second + 1, exceeded };
  };
};

/** Numbers from 0 to 1, the same at each run (Numerical Recipes' generator). */
function numbers(): () => number {
  let state = 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe('all of a limit is used, and nothing gets 429:', () => {
  test.for([
    [50, {}],
    [50, { windows: alignedWindows }],
    [2, {}],
    [2, { windows: alignedWindows }],
    [1, {}],
    [200, {}],
  ] as const)('%d a second, %o', async ([perSecond, options]) => {
    const seconds = 20;
    const random = numbers();
    const told = service(perSecond, { latency: () => 2 + 8 * random(), ...options });
    await finished(client(told.ask, { requests: perSecond * (seconds + 2) }));
    expect(told.refused()).toBe(0);
    expect(told.inSeconds(seconds)).toBeGreaterThanOrEqual(0.97 * perSecond * seconds);
  });

  test('also by one request after the other', async () => {
    const told = service(2);
    await finished(client(told.ask, { requests: 44, workers: 1 }));
    expect(told.refused()).toBe(0);
    expect(told.inSeconds(20)).toBeGreaterThanOrEqual(39);
  });

  test('also after another command has used some of it', async () => {
    const told = service(10);
    await finished(client(told.ask, { requests: 7 }));
    await finished(client(told.ask, { requests: 40 }));
    expect(told.refused()).toBe(0);
  });
});

test('two that share an account share its limit, with few 429s', async () => {
  const random = numbers();
  const told = service(50, { latency: () => 2 + 8 * random() });
  const both = [0, 1].map(() => client(told.ask, { requests: 500 }));
  await finished(Promise.all(both));
  expect(told.inSeconds(15)).toBeGreaterThanOrEqual(0.7 * 50 * 15);
  expect(told.refused()).toBeLessThanOrEqual(0.1 * 1000);
});

test('the first request is sent alone, because its response has the limit', async () => {
  const told = service(2);
  await finished(client(told.ask, { requests: 8 }));
  expect(told.refused()).toBe(0);
});

test.for(['0', '-1', 'many', '1e9', '', '2.5'])('a limit of %j is ignored', async (limit) => {
  const ask = async (): Promise<WireReply> => {
    const headers = { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': '1' };
    return { status: 200, body: '', headers };
  };
  const start = Date.now();
  await finished(client(ask, { requests: 1000 }));
  expect(Date.now() - start).toBeLessThan(100);
});

test('a response without the headers, as of a proxy, does not change the limit', async () => {
  const told = service(10);
  let asked = 0;
  const ask = async (): Promise<WireReply> => {
    const reply = await told.ask();
    asked++;
    return asked % 3 === 0 ? { ...reply, headers: {} } : reply;
  };
  await finished(client(ask, { requests: 60 }));
  expect(told.refused()).toBe(0);
});

describe.each([
  ['back', -86_400_000],
  ['forward', 86_400_000],
])('a clock that is set %s by a day', (_, ms) => {
  const start = () => {
    vi.setSystemTime(Date.now() + ms);
    return performance.now();
  };

  test('neither delays anything for a day nor lets more be sent than the limit', async () => {
    const pacing = createPacing();
    const told = service(2);
    await finished(client(told.ask, { requests: 4, pacing }));
    const set = start();
    await finished(client(told.ask, { requests: 4, pacing }));
    expect(performance.now() - set).toBeLessThan(3500);
    expect(told.refused()).toBe(0);
  });

  test('does not change a Retry-After', async () => {
    const pacing = createPacing();
    const turn = await pacing.turn(system, Number.POSITIVE_INFINITY);
    turn.end?.({ status: 503, body: '', headers: { 'retry-after': '30' } });
    const set = start();
    await finished(client(service(2).ask, { requests: 1, pacing }));
    expect(performance.now() - set).toBeGreaterThanOrEqual(29_900);
    expect(performance.now() - set).toBeLessThanOrEqual(31_000);
  });
});

test('a process that ends leaves its part of the limit to the other', async () => {
  const told = service(50);
  const pacing = createPacing();
  const both = [client(told.ask, { requests: 500, pacing }), client(told.ask, { requests: 300 })];
  await finished(Promise.all(both));
  await finished(client(told.ask, { requests: 500, pacing }));
  const start = Date.now();
  await finished(client(told.ask, { requests: 500, pacing }));
  expect(Date.now() - start).toBeLessThanOrEqual(10_500);
});

test.for([
  [2, 10_500],
  [10, 15_000],
] as const)('after a burst of 429s, %d a second are used again', async ([perSecond, most]) => {
  const told = service(perSecond);
  const pacing = createPacing();
  let isThere = true;
  const rude = async () => {
    while (isThere) {
      await Promise.all(Array.from({ length: perSecond }, told.ask));
      await sleep(100);
    }
  };
  const others = rude();
  for (let refused = 0; refused < 8; ) {
    const turn = await finished(pacing.turn(system, Number.POSITIVE_INFINITY));
    const reply = await finished(told.ask());
    turn.end?.(reply);
    if (reply.status === 429) refused++;
  }
  isThere = false;
  await finished(others);
  await vi.advanceTimersByTimeAsync(2000);
  const start = Date.now();
  await finished(client(told.ask, { requests: 10 * perSecond, workers: 1, pacing }));
  expect(Date.now() - start).toBeLessThanOrEqual(most);
});

test('a turn after the deadline, or after a pause that is too long, is how long it would take', async () => {
  const pacing = createPacing();
  const told = service(1);
  await finished(client(told.ask, { requests: 1, pacing }));
  expect(await pacing.turn(system, performance.now() + 500)).toEqual({ asked: 1010 });
  expect(await pacing.turn(system, Number.POSITIVE_INFINITY, 1000)).toEqual({ asked: 1010 });
  await finished(client(told.ask, { requests: 1, pacing }));
  expect(told.refused()).toBe(0);
});
