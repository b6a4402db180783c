import { expect, test } from 'vitest';
import { line, rowsIn } from '../../../support/batch-run.ts';
import { fileIn } from '../../../support/connected.ts';
import { faultyService } from '../../../support/faulty.ts';
import { peopleCsv } from '../../../support/people.ts';
import { type Answered, type Passing, startProxy } from '../../../support/proxy.ts';
import { seeded, shuffled } from '../../../support/seeded.ts';

const html = (status: number): Answered => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: `<html><body>${status}</body></html>`,
});

type Mischief = (passing: Passing) => Promise<void>;

/** What happens to a request on a bad network. */
const mischief: Readonly<Record<string, Mischief>> = {
  'resets before': async ({ cut }) => cut(),
  'resets after the service accepted': async ({ forward, cut }) => {
    await forward();
    cut();
  },
  'does not answer': async ({ gone }) => await gone,
  'does not answer after the service accepted': async ({ forward, gone }) => {
    await forward();
    await gone;
  },
  'cuts the answer in half': async ({ forward, cut }) => {
    const answered = await forward();
    cut(answered, answered.body.length / 2);
  },
  'halves the answer': async ({ forward, answer }) => {
    const { status, body } = await forward();
    await answer({ status, headers: {}, body: body.slice(0, body.length / 2) });
  },
  'limits the rate': async ({ answer }) =>
    await answer({
      status: 429,
      headers: { 'retry-after': '0' },
      body: '{"error":{"code":"RATE_LIMITED","message":"slow down"}}',
    }),
  'is a bad gateway': async ({ answer }) => await answer(html(502)),
  'is a bad gateway after the service accepted': async ({ forward, answer }) => {
    await forward();
    await answer(html(502));
  },
  'is not available': async ({ answer }) =>
    await answer({ status: 503, headers: { 'retry-after': '0' }, body: 'no' }),
  'shows a web page': async ({ forward, answer }) => {
    await forward();
    await answer(html(200));
  },
  'refuses with a web page': async ({ forward, answer }) => {
    await forward();
    await answer(html(400));
  },
  'sends twice': async ({ forward, answer }) => {
    const [first] = await Promise.all([forward(), forward()]);
    await answer(first);
  },
};

test('on a bad network every row is sent once', async () => {
  const rows = 1500;
  const random = seeded(2);
  const { world, recipients } = await faultyService([]);
  // That of the proxy, which has no other.
  world.clock.now = Date.now();
  const names = Object.keys(mischief);
  const ahead: string[] = [];
  const met = new Set<string>();
  const { MAILER_BASE_URL: service = '' } = world.env;
  const url = await startProxy(service.replace('/api', ''), async (passing) => {
    if (random() < 0.3) return await passing.answer(await passing.forward());
    if (ahead.length === 0) ahead.push(...shuffled(names, random));
    const name = ahead.pop() ?? '';
    met.add(name);
    await mischief[name]?.(passing);
  });
  fileIn(world, 'people.csv', peopleCsv(rows));
  const words = [...line.slice(0, -2), '--timeout', '1', '--retries', '2', '--jsonl'];
  const env = { MAILER_BASE_URL: `${url}/api` };
  const codes: number[] = [];
  let results = '';
  while (codes.length < 60 && codes.at(-1) !== 0) {
    const { exitCode, stdout, stderr } = await world.run(words, { env });
    expect(stderr).not.toMatch(/Bug in mailer|\n +at /);
    codes.push(exitCode);
    results = stdout;
  }
  expect(codes.at(-1)).toBe(0);
  expect(codes.length).toBeGreaterThan(1);
  const everybody = Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
  expect(recipients().toSorted()).toEqual(everybody.toSorted());
  expect(rowsIn(results).map(({ to, emailId }) => emailId && to)).toEqual(everybody);
  expect([...met].toSorted()).toEqual(names.toSorted());
});
