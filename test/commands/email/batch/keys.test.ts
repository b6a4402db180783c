import { describe, expect, test } from 'vitest';
import { everybody } from '../../../support/batch.ts';
import { accept, emailsIn } from '../../../support/batch-service.ts';
import { connected } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

const line = 'email batch people.csv --from hello@example.com --subject Hi --text Hello --yes';
const hour = 3_600_000;

type Handler = Extract<Answer, (...all: never[]) => unknown>;

async function setUp(rows: number, ...answers: readonly Answer[]) {
  const setup = await connected(...answers);
  setup.file('people.csv', peopleCsv(rows));
  return setup;
}

const lose: Handler = (response) => {
  response.destroy();
};
const busy: Handler = (response) => {
  response.writeHead(409, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'NOT_UNIQUE', message: 'In progress' } }));
};
const tooMany: Handler = (response) => {
  response.writeHead(429, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'Too many' } }));
};

const unknown = { code: 'unknown' };

describe('a request is not repeated once the service may have forgotten its key:', () => {
  test('after the machine has slept with a request under way', async () => {
    const setup = await setUp(
      50,
      (response, request) => {
        setup.world.clock.advance(25 * hour);
        lose(response, request);
      },
      accept,
    );
    expect(await setup.run(line)).toMatchObject({ exitCode: 7 });
    expect(setup.service.requests).toHaveLength(1);
    const { exitCode, stdout } = await setup.run(`${line} --json`);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout)).toMatchObject({ accepted: 0, unknown: 50 });
    expect(setup.service.requests).toHaveLength(1);
  });

  test('when the clock was ahead and has been set right', async () => {
    const setup = await setUp(50, lose, accept);
    setup.world.clock.advance(48 * hour);
    expect(await setup.run(`${line} --retries 0`)).toMatchObject({ exitCode: 7 });
    setup.world.clock.now += -48 * hour + 30 * hour;
    const { exitCode, stdout } = await setup.run(`${line} --json`);
    expect(exitCode).toBe(11);
    expect(JSON.parse(stdout).data[0]).toMatchObject({ row: 1, error: unknown });
    expect(setup.service.requests).toHaveLength(1);
  });

  test('a clock that is set back by a minute changes nothing', async () => {
    const setup = await setUp(50, lose, ...Array(12).fill(accept));
    expect(await setup.run(`${line} --retries 0`)).toMatchObject({ exitCode: 7 });
    setup.world.clock.now -= 60_000;
    expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
  });

  test('while earlier ones of the same run are waited for', async () => {
    const setup = await setUp(
      200,
      lose,
      lose,
      (response, request) => {
        setup.world.clock.advance(25 * hour);
        accept(response, request);
      },
      accept,
    );
    const one = `${line} --retries 0`;
    expect(await setup.run(one)).toMatchObject({ exitCode: 7 });
    expect(await setup.run(`${one} --concurrency 1`)).toMatchObject({ exitCode: 11 });
    const keys = setup.service.requests.map(({ headers }) => headers['idempotency-key']);
    expect(new Set(keys).size).toBe(keys.length - 1);
  });
});

test('emails not yet sent when a run is interrupted are not unknown a day later', async () => {
  const controller = new AbortController();
  const setup = await setUp(
    2000,
    () => controller.abort(new Error('stop')),
    ...Array<Answer>(40).fill(accept),
  );
  await setup.run(line, { signal: controller.signal });
  expect(setup.service.requests).toHaveLength(1);
  setup.world.clock.advance(25 * hour);
  const { stdout } = await setup.run(`${line} --json`);
  expect(JSON.parse(stdout)).toMatchObject({ accepted: 1200, unknown: 800 });
});

describe('409', () => {
  test('after a request of our own without an answer leaves it open: 7', async () => {
    const setup = await setUp(50, lose, ...Array<Answer>(9).fill(busy), accept);
    const { exitCode, stderr } = await setup.run(`${line} --retries 2`);
    expect(exitCode).toBe(7);
    expect(stderr).toMatch(/still processing.*To resume without sending anything twice/s);
    expect(stderr).not.toContain('another');
  });

  test.each([
    ['was lost', lose],
    ['is not there yet', { status: 503 }],
  ])(
    'to a request of an earlier process, whose answer %s: 7, and the next command resumes',
    async (_, first) => {
      const setup = await setUp(150, first, ...Array<Answer>(6).fill(busy), accept, accept);
      const words = `${line} --concurrency 1`;
      expect((await setup.run(`${words} --retries 0`)).exitCode).toBe(7);
      for (const retries of [0, 4]) {
        const { exitCode, stderr } = await setup.run(`${words} --retries ${retries}`);
        expect(exitCode).toBe(7);
        expect(stderr).toMatch(/^Error: The service is still processing a request\.\n/);
        expect(stderr).toContain('To resume without sending anything twice');
        expect(stderr).not.toContain('another body');
      }
      expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
      const keys = setup.service.requests.map(({ headers }) => headers['idempotency-key']);
      expect(new Set(keys).size).toBe(2);
    },
  );

  test.each([
    ['given by hand', ' --idempotency-key newsletter-7'],
    ['of the run, on another machine', ''],
  ])('because others have the key, %s: 5 each time', async (_, flag) => {
    const setup = await setUp(50, ...Array<Answer>(9).fill(busy));
    for (const retries of [2, 0, 1]) {
      const { exitCode, stderr } = await setup.run(`${line}${flag} --retries ${retries}`);
      expect(exitCode).toBe(5);
      expect(stderr).toContain('or used it for other emails. Wait a minute, then resume.');
      expect(stderr).not.toContain('needs a new key');
    }
  });
});

test('429 does not end a run as long as others of its requests are accepted', async () => {
  const held: (() => void)[] = [];
  let requests = 0;
  let accepted = 0;
  const service: Handler = (response, request) => {
    requests++;
    if (requests % 3 === 2 && accepted < 18) {
      held.push(() => tooMany(response, request));
      return;
    }
    // The acceptance of another request has been read, as there is a third one.
    if (requests % 3 === 1) for (const answer of held.splice(0)) answer();
    accepted++;
    accept(response, request);
  };
  const setup = await setUp(2000, ...Array<Answer>(60).fill(service));
  expect(await setup.run(`${line} --retries 0 --concurrency 2`)).toMatchObject({ exitCode: 0 });
  const keys = new Map<unknown, number>();
  for (const { headers } of setup.service.requests) {
    keys.set(headers['idempotency-key'], (keys.get(headers['idempotency-key']) ?? 0) + 1);
  }
  expect(keys.size).toBe(20);
});

test('429 to everything ends it: 6, and nothing is given up', async () => {
  const setup = await setUp(200, ...Array<Answer>(6).fill(tooMany), ...[accept, accept]);
  expect(await setup.run(`${line} --retries 2 --concurrency 1`)).toMatchObject({ exitCode: 6 });
  const requests = setup.service.requests.length;
  expect(requests).toBe(3);
  expect(await setup.run(`${line} --retries 3`)).toMatchObject({ exitCode: 0 });
  const accepted = setup.service.requests.slice(6).flatMap((one) => emailsIn(one));
  expect(accepted.map(({ to }) => to).toSorted()).toEqual(everybody(200).toSorted());
});

test('--rate holds for repetitions too', async () => {
  const times: number[] = [];
  const down: Handler = (response) => {
    times.push(setup.world.clock.now);
    response.writeHead(503);
    response.end();
  };
  const setup = await setUp(50, ...Array<Answer>(5).fill(down));
  const { exitCode } = await setup.run(`${line} --rate 1 --retries 4`, { random: () => 0 });
  expect(exitCode).toBe(7);
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  expect(gaps).toHaveLength(4);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(1000);
});
