import { describe, expect, test } from 'vitest';
import { everybody } from '../../../support/batch.ts';
import { type ForgetfulService, forgetfulService } from '../../../support/forgetful-service.ts';
import { asksForStanding } from '../../../support/recorder.ts';
import { pick, seeded } from '../../../support/seeded.ts';

const minute = 60_000;
const hour = 60 * minute;
const line = 'email batch people.csv --from hello@example.com --subject Hi --text Hello --yes';
const impatient = `${line} --retries 0`;

/** What the program reports for each row, and how many emails it really got. */
async function reckoning({ world, delivered }: ForgetfulService, rows: number, words = line) {
  const { exitCode, stdout, stderr } = await world.run(`${words} --json`);
  const { accepted, unknown, data } = JSON.parse(stdout);
  return {
    exitCode,
    accepted,
    unknown,
    data,
    stderr,
    sent: everybody(rows).map((to) => delivered.get(to) ?? 0),
  };
}

const once = (rows: number) => everybody(rows).map(() => 1);

/** Loses the responses to all but two requests while the machine's clock is ahead, or the service's. */
async function loseAnswers(ahead: number, rows = 1000, whose = 'machine') {
  const service = await forgetfulService(rows);
  const shown = (date: Date) => new Date(date.getTime() + ahead).toUTCString();
  if (whose === 'machine') service.world.clock.now += ahead;
  else service.headers = (date) => ({ date: shown(date) });
  let sends = 0;
  service.fate = (method) => {
    if (method !== 'POST') return { kind: 'answered' };
    sends++;
    return { kind: sends > 2 ? 'lost' : 'answered' };
  };
  expect((await service.world.run(impatient)).exitCode).toBe(7);
  service.fate = () => ({ kind: 'answered' });
  return service;
}

describe('a clock that was ahead while answers were lost', () => {
  test.each([24 * minute, hour, 5 * hour, 23 * hour])(
    'by %d ms, and is right again a day later: unknown, and nobody gets two',
    async (ahead) => {
      const service = await loseAnswers(ahead);
      service.sleep(24 * hour + 12 * minute);
      service.world.clock.now -= ahead;
      const { stderr } = await service.world.run(line);
      expect(stderr).toContain(
        `The outcome of 800 emails is unknown: there was no response, and the service may have forgotten the request by now.`,
      );
      expect(stderr).toContain(`This machine's clock and the service's disagree`);
      expect(await reckoning(service, 1000)).toMatchObject({
        exitCode: 11,
        ...{ accepted: 200, unknown: 800, sent: once(1000) },
      });
    },
  );

  test('and still is: the same keys, as both clocks agree', async () => {
    const service = await loseAnswers(20 * hour);
    service.sleep(2 * hour);
    expect(await reckoning(service, 1000)).toMatchObject({ exitCode: 0, sent: once(1000) });
  });
});

test('a day later by both clocks, neither is wrong', async () => {
  const service = await loseAnswers(0);
  service.sleep(24 * hour);
  const { stderr } = await service.world.run(line);
  expect(stderr).toContain('the service has forgotten the request by now.');
  expect(stderr).not.toContain('disagree');
});

test('a service that shows no time is believed to have the time of this machine', async () => {
  const service = await forgetfulService(300);
  service.headers = () => ({});
  service.fate = (method) => ({ kind: method === 'POST' ? 'lost' : 'answered' });
  expect((await service.world.run(impatient)).exitCode).toBe(7);
  service.sleep(23 * hour);
  service.fate = () => ({ kind: 'answered' });
  expect(await reckoning(service, 300)).toMatchObject({ exitCode: 0, sent: once(300) });
});

test('one that shows its time no more may have forgotten everything', async () => {
  const service = await loseAnswers(0);
  service.headers = () => ({});
  service.sleep(hour);
  expect(await reckoning(service, 1000)).toMatchObject({ exitCode: 11, unknown: 800 });
});

test('a cached time is as old as the cache says', async () => {
  const service = await forgetfulService(300);
  const kept = 20 * hour;
  service.headers = (date) => ({
    date: new Date(date.getTime() - kept).toUTCString(),
    age: String(kept / 1000),
  });
  service.fate = (method) => ({ kind: method === 'POST' ? 'lost' : 'answered' });
  expect((await service.world.run(impatient)).exitCode).toBe(7);
  service.sleep(5 * hour);
  service.headers = (date) => ({ date: date.toUTCString() });
  service.fate = () => ({ kind: 'answered' });
  expect(await reckoning(service, 300)).toMatchObject({ exitCode: 0, sent: once(300) });
});

test('a service that does not tell its time, and cannot be reached, is sent nothing', async () => {
  const service = await forgetfulService(300);
  service.fate = () => ({ kind: 'missed' });
  const { exitCode, stderr } = await service.world.run(impatient);
  expect(exitCode).toBe(7);
  expect(stderr).toContain(
    '0 of 300 emails are accepted so far. To resume without sending anything twice',
  );
  expect(service.keys).toEqual([]);
});

test('a gateway that drops the request for the account gets another request, and stops nothing', async () => {
  const service = await forgetfulService(300);
  const asked: string[] = [];
  service.fate = (method, path) => {
    const isDropped = asksForStanding(path);
    if (!isDropped) asked.push(method);
    return { kind: isDropped ? 'missed' : 'answered' };
  };
  expect(await reckoning(service, 300)).toMatchObject({ exitCode: 0, sent: once(300) });
  expect(asked).toEqual(['GET', 'POST', 'POST', 'POST']);
});

test("the request for the service's time waits its turn, too", async () => {
  const service = await forgetfulService(100);
  const begin = service.world.clock.elapsed;
  const { exitCode } = await service.world.run(`${line} --rate 1`);
  expect({ exitCode, ms: service.world.clock.elapsed - begin }).toEqual({ exitCode: 0, ms: 1000 });
});

test('a page of a proxy does not show the clock of the service', async () => {
  const service = await loseAnswers(0);
  service.sleep(hour);
  let sends = 0;
  service.fate = (method) => ({ kind: method === 'POST' && ++sends === 1 ? 'page' : 'answered' });
  // The proxy's response leaves the request in doubt.
  expect((await service.world.run(impatient)).exitCode).toBe(7);
  expect(await reckoning(service, 1000)).toMatchObject({ exitCode: 0, sent: once(1000) });
});

test('a proxy that answers in place of the service, which is away, makes no request too old', async () => {
  const service = await loseAnswers(0);
  service.sleep(hour);
  const asked: string[] = [];
  service.fate = (method) => {
    asked.push(method);
    return { kind: 'page' };
  };
  const { exitCode, stderr } = await service.world.run(impatient);
  expect({ exitCode, stderr, asked }).toEqual({
    exitCode: 7,
    stderr: expect.stringContaining(
      '200 of 1,000 emails are accepted so far, 800 have no response',
    ),
    asked: ['GET', 'GET'],
  });
  service.fate = () => ({ kind: 'answered' });
  expect(await reckoning(service, 1000)).toMatchObject({ exitCode: 0, sent: once(1000) });
});

test.each(['machine', 'service'])(
  'asleep during a repetition, after the clock of the %s was ahead: nobody gets two',
  async (whose) => {
    const service = await loseAnswers(10 * hour, 500, whose);
    if (whose === 'machine') service.world.clock.now -= 10 * hour;
    else service.headers = (date) => ({ date: date.toUTCString() });
    service.sleep(15 * hour);
    let sends = 0;
    service.fate = (method) => {
      const isFirst = method === 'POST' && ++sends === 1;
      return { kind: 'answered', ...(isFirst && { after: () => service.sleep(10 * hour) }) };
    };
    const { sent } = await reckoning(service, 500, `${line} --concurrency 1`);
    expect(sent).toEqual(once(500));
  },
);

test('a run that was stopped for a day in the middle does not repeat what it had begun', async () => {
  const service = await forgetfulService(300);
  let sends = 0;
  service.fate = (method) => {
    if (method !== 'POST' || ++sends !== 2) return { kind: 'answered' };
    // The clock is set back meanwhile, so only elapsed time helps.
    const after = () => {
      service.world.clock.advance(25 * hour);
      service.world.clock.now -= 25 * hour;
    };
    return { kind: 'lost', after };
  };
  expect((await service.world.run(`${line} --concurrency 1`)).exitCode).toBe(7);
  const { exitCode, unknown, sent } = await reckoning(service, 300);
  expect({ exitCode, unknown, sent }).toEqual({ exitCode: 11, unknown: 100, sent: once(300) });
});

/** The number of histories, each with its own seed. */
const histories = 6;
const spans = [minute, hour, 5 * hour, 12 * hour, 23.7 * hour, 24.2 * hour, 30 * hour, 50 * hour];
const jumps = [...spans, ...spans.map((span) => -span)];

describe.each([
  ['the clock of the machine is set at any moment', false],
  ['the service shows any time, or none', true],
])('nobody is sent to twice, nobody left out, where %s', (_, serviceLies) => {
  test.for(Array.from({ length: histories }, (_, seed) => seed))('(%d)', async (seed) => {
    const random = seeded(seed + (serviceLies ? 1000 : 0));
    const rows = 250;
    const service = await forgetfulService(rows);
    const { world } = service;
    const maybe = (chance: number) => random() < chance;
    const anyOf = (values: readonly number[]) => values[Math.floor(random() * values.length)] ?? 0;
    const disturb = () => {
      if (serviceLies || maybe(0.5)) {
        // The machine sleeps, or the program is stopped.
        if (maybe(0.5)) service.sleep(anyOf(spans));
        else world.clock.advance(anyOf(spans));
        return;
      }
      world.clock.now += anyOf(jumps);
    };
    if (serviceLies) {
      service.headers = (date): Readonly<Record<string, string>> => {
        if (maybe(0.3)) return {};
        const shown = maybe(0.3) ? date : new Date(date.getTime() + anyOf(jumps));
        return { date: shown.toUTCString(), ...(maybe(0.2) ? { age: '72000' } : {}) };
      };
    }
    const kinds = ['answered', 'answered', 'lost', 'lost', 'missed', 'busy', 'limited'] as const;
    for (let runs = 0; runs < 4; runs++) {
      // The clock jumps only while no other request is under way: nothing can protect one that takes a day.
      const concurrency = pick(random, [1, 8]);
      const words = ` --retries ${pick(random, [0, 2])} --concurrency ${concurrency}`;
      service.fate = (method) => ({
        kind: method !== 'POST' && maybe(0.7) ? 'answered' : pick(random, kinds),
        ...(concurrency === 1 && maybe(0.25) ? { after: disturb } : {}),
      });
      const { exitCode } = await world.run(line + words, { random });
      expect([0, 6, 7, 11]).toContain(exitCode);
      if (maybe(0.7)) service.sleep(anyOf(spans));
      if (!serviceLies && maybe(0.5)) world.clock.now += anyOf(jumps);
    }
    service.fate = () => ({ kind: 'answered' });
    const { data, sent } = await reckoning(service, rows);
    for (const [index, { emailId, error }] of data.entries()) {
      expect({ seed, row: index + 1, sent: sent[index] }).toEqual({
        ...{ seed, row: index + 1 },
        sent: emailId === undefined ? expect.toBeOneOf([0, 1]) : 1,
      });
      expect(emailId ?? error.code).toBe(emailId ?? 'unknown');
    }
  });
});

test.each([-3 * 24 * hour, 2 * 24 * hour])(
  'a corrected text is not sent within a day of the service, if the clock was wrong by %d ms',
  async (wrong) => {
    const service = await forgetfulService(3);
    service.world.clock.now += wrong;
    expect((await service.world.run(line)).exitCode).toBe(0);
    service.world.clock.now -= wrong;
    service.sleep(hour);
    const corrected = line.replace('--text Hello', '--text Corrected');
    const { exitCode, stderr } = await service.world.run(corrected);
    expect({ exitCode, stderr }).toMatchObject({ exitCode: 5 });
    expect(stderr).toContain('people.csv was sent at 2026-01-15T10:0');
    expect([...service.delivered.values()]).toEqual(once(3));
    service.sleep(24 * hour);
    expect((await service.world.run(corrected)).exitCode).toBe(0);
  },
);
