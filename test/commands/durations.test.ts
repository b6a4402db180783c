import { describe, expect, test } from 'vitest';
import { accept } from '../support/batch-service.ts';
import { connected } from '../support/connected.ts';
import { peopleCsv } from '../support/people.ts';
import type { Answer, Recorded } from '../support/recorder.ts';
import { domain } from './domain/domains.ts';

type Handler = Extract<Answer, (...all: never[]) => unknown>;

const hour = 3_600_000;

/**
 * A service with this response to every request, after each of which the machine's clock is set by
 * `ms`. `times` are the times of the requests, in milliseconds that really passed.
 */
async function settingTheClock(ms: number, answer: (request: Recorded) => Answer) {
  const times: number[] = [];
  const handler: Handler = (response, request) => {
    times.push(setup.world.clock.elapsed);
    setup.world.clock.now += ms;
    const how = answer(request);
    if (typeof how === 'function') return how(response, request);
    const { status = 200, headers = {}, body = {} } = how;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
  const setup = await connected(...Array<Answer>(100).fill(handler));
  return { ...setup, times };
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe.each([
  ['back', -hour],
  ['forward', hour],
])('the clock is set %s at every response', (_, ms) => {
  test.each<[string, (request: Recorded) => Answer]>([
    [
      'email send --from a@b.example --to c@d.example --subject S --text T --wait --wait-timeout 1m',
      ({ method }) =>
        method === 'POST'
          ? { body: { emailId: 'em_1' } }
          : { body: { id: 'em_1', to: ['c@d.example'], emailEvents: [] } },
    ],
    [
      'domain verify a.example --wait --wait-timeout 1m',
      ({ method, path }) => {
        const pending = domain(4, 'a.example', { status: 'PENDING', isVerifying: true });
        if (method === 'PUT') return { body: { message: 'started' } };
        return { body: path.endsWith('/4') ? pending : [pending] };
      },
    ],
    [
      'campaign watch camp_1 --wait-timeout 1m',
      ({ path }) => {
        const running = { id: 'camp_1', name: 'News', status: 'RUNNING', total: 9, sent: 1 };
        return path.endsWith('/camp_1')
          ? { body: running }
          : { body: { campaigns: [running], totalPage: 1 } };
      },
    ],
  ])('%s lasts a minute', async (line, answer) => {
    const { world, run } = await settingTheClock(ms, answer);
    const words = line.split(' ');
    expect(await run(words)).toMatchObject({ exitCode: 10 });
    expect(sum(world.clock.pauses)).toBe(60_000);
  });

  test('--rate is kept, and delays nothing', async () => {
    const { run, times, file } = await settingTheClock(ms, () => accept);
    file('people.csv', peopleCsv(500));
    const line =
      'email batch people.csv --from a@b.example --subject S --text T --yes --rate 2 --concurrency 1';
    expect(await run(line)).toMatchObject({ exitCode: 0 });
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.slice(-4)).toEqual([500, 500, 500, 500]);
  });

  test.each([
    ['Retry-After in seconds', () => ({ 'retry-after': '5' })],
    [
      'Retry-After as a date, by the clock of the service',
      () => ({
        'retry-after': new Date(1_700_000_005_000).toUTCString(),
        date: new Date(1_700_000_000_000).toUTCString(),
      }),
    ],
  ])('the pause after a 429 is as long as requested: %s', async (_, headers) => {
    let requests = 0;
    const { run, times } = await settingTheClock(ms, () => {
      requests++;
      return requests === 1 ? { status: 429, headers: headers() } : { body: [] };
    });
    expect(await run('domain list')).toMatchObject({ exitCode: 0 });
    expect(times[1]).toBeGreaterThanOrEqual(5000);
    expect(times[1]).toBeLessThanOrEqual(5250);
  });

  test('the pause after a 429 is as long as requested, if the clock is set during it', async () => {
    const limited = { status: 429, headers: { 'retry-after': '5' } };
    const { run, world } = await connected(limited, { body: [] });
    const { clock } = world;
    const changes = [ms];
    clock.advance = (pause) => {
      clock.elapsed += pause;
      clock.now += pause + (changes.shift() ?? 0);
    };
    expect(await run('domain list')).toMatchObject({ exitCode: 0 });
    expect(clock.elapsed).toBeGreaterThanOrEqual(5000);
    expect(clock.elapsed).toBeLessThanOrEqual(5250);
  });
});
