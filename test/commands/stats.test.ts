import { expect, test } from 'vitest';
import { connected, errorOf } from '../support/connected.ts';
import { createWorld } from '../support/run.ts';
import { domain } from './domain/domains.ts';

function day(date: string, sent: number) {
  return {
    date,
    sent,
    delivered: sent,
    opened: 0,
    clicked: 0,
    bounced: 0,
    complained: 0,
    novel: 1,
  };
}

const series = {
  result: [day('Jan 13', 0), day('Jan 14', 1200), day('Jan 15', 300)],
  totalCounts: {
    ...{ sent: 1500, delivered: 1470, opened: 600, clicked: 147, bounced: 30, complained: 1 },
  },
  novel: true,
};

test('piped: a row for each day', async () => {
  const { run, requests } = await connected({ body: series });
  expect(await run('stats')).toEqual({
    exitCode: 0,
    stdout: [
      'date\tsent\tdelivered\topened\tclicked\tbounced\tcomplained',
      '2026-01-13\t0\t0\t0\t0\t0\t0',
      '2026-01-14\t1200\t1200\t0\t0\t0\t0',
      '2026-01-15\t300\t300\t0\t0\t0\t0',
      '',
    ].join('\n'),
    stderr: '',
  });
  expect(requests()).toEqual(['GET /api/v1/analytics/email-time-series?days=7']);
});

test('on a terminal: a plot, the sums with their rates, and the days', async () => {
  const { run } = await connected({ body: series });
  const { stdout } = await run('stats --no-color', { terminal: 80 });
  const [plot = '', sums, table = ''] = stdout.trimEnd().split('\n\n');
  expect(plot.split('\n')).toEqual(
    [
      'Emails sent per day',
      '2000 ┤',
      '     │',
      '     │      ▅▅▅▅▅',
      '1000 ┤      █████',
      '     │      █████',
      '     │      █████ ███▇▇',
      '   0 └──────────────────',
      '      Jan 13      Jan 15',
    ].map((line) => (line.includes('▇') ? line.replace('███▇▇', '▇▇▇▇▇') : line)),
  );
  expect(sums?.split('\n')).toEqual([
    'Sent        1,500',
    'Delivered   1,470  98% of sent',
    'Opened        600  40.8% of delivered',
    'Clicked       147  10% of delivered',
    'Bounced        30  2% of sent',
    'Complained      1  0.1% of delivered',
  ]);
  expect(table).toMatch(/^DATE +SENT +DELIVERED/);
});

test('--json is the unmodified response; --jsonl and --csv have the days', async () => {
  const { run } = await connected({ body: series }, { body: series }, { body: series });
  expect(JSON.parse((await run('stats --json')).stdout)).toEqual(series);
  const lines = (await run('stats --jsonl')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(series.result);
  expect((await run('stats --csv --fields date,sent')).stdout).toBe(
    'date,sent\r\n2026-01-13,0\r\n2026-01-14,1200\r\n2026-01-15,300\r\n',
  );
});

test('--days and --domain are in the query', async () => {
  const { run, requests } = await connected(
    { body: series },
    { body: [domain(4, 'a.example')] },
    { body: series },
  );
  await run('stats --days 30 --domain 3');
  await run('stats --domain a.example');
  expect(requests()).toEqual([
    'GET /api/v1/analytics/email-time-series?days=30&domainId=3',
    'GET /api/v1/domains',
    'GET /api/v1/analytics/email-time-series?days=7&domainId=4',
  ]);
});

test('--total: since the account began', async () => {
  const total = {
    ...{ delivered: 3, hardBounced: 1, complained: 0, bounceRate: 33.333333333, complaintRate: 0 },
  };
  const { run, requests } = await connected({ body: total }, { body: total });
  expect(JSON.parse((await run('stats --total --json')).stdout)).toEqual(total);
  const { stdout } = await run('stats --total --domain 3 --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^Bounce rate +33\.333%$/m);
  expect(requests()).toEqual([
    'GET /api/v1/analytics/reputation-metrics',
    'GET /api/v1/analytics/reputation-metrics?domainId=3',
  ]);
});

test('on the sandbox, the figures are those of its emails', async () => {
  const world = createWorld();
  const send = (to: string) =>
    world.run(`email send --sandbox --from hello@example.com --to ${to} --subject Hi --text Hello`);
  await send('opened@example.org');
  // The idempotency key depends on the time.
  world.clock.advance(1000);
  await send('bounced@example.org');
  world.clock.advance(3_600_000);
  const { stdout } = await world.run('stats --sandbox --json');
  const { result, totalCounts } = JSON.parse(stdout);
  expect(result).toHaveLength(8);
  expect(result[0]).toEqual({
    ...{ date: 'Jan 08', sent: 0, delivered: 0, opened: 0, clicked: 0, bounced: 0, complained: 0 },
  });
  expect(result.at(-1)).toEqual({
    ...{ date: 'Jan 15', sent: 3, delivered: 2, opened: 1, clicked: 0, bounced: 1, complained: 0 },
  });
  // Includes an email that was sent two days ago.
  expect(totalCounts).toMatchObject({ sent: 4, delivered: 3, opened: 2, bounced: 1 });
  const other = await world.run('stats --sandbox --domain example.org --json');
  expect(JSON.parse(other.stdout).totalCounts).toMatchObject({ sent: 0 });
  const total = await world.run('stats --sandbox --total --json');
  expect(JSON.parse(total.stdout)).toMatchObject({ delivered: 3, hardBounced: 1, complained: 0 });
});

test('hostile figures and dates are shown as they are', async () => {
  const body = {
    result: [
      { ...day('\x1b[31mred', 1e308), sent: -1 },
      { ...day('x'.repeat(500), 5), clicked: null },
      day('Jan 15', 1e308),
    ],
    totalCounts: { sent: 0, delivered: null, opened: 7, clicked: 1e300 },
  };
  const { run } = await connected({ body });
  const { exitCode, stdout } = await run('stats --no-color', { terminal: 80 });
  expect(exitCode).toBe(0);
  expect(stdout).not.toContain('\x1b[31mred');
  expect(stdout).not.toMatch(/NaN|Infinity|undefined/);
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
});

test('days without mail: no plot', async () => {
  const body = { result: [day('Jan 15', 0)], totalCounts: { sent: 0, delivered: 0 } };
  const { run } = await connected({ body });
  const { stdout } = await run('stats --no-color', { terminal: 80 });
  expect(stdout).toMatch(/^Sent +0\nDelivered +0\n\nDATE/);
});

test.each([
  ['--days 8', '--days: "8" is not one of 7, 30'],
  ['--total --days 7', '--total and --days cannot be used together'],
  ['--total --csv-safe', '--total and --csv-safe cannot be used together'],
  ['--total --jsonl', '--total and --jsonl cannot be used together'],
])('%s is a usage error, and nothing is sent', async (flags, message) => {
  const { run, requests } = await connected();
  const { exitCode, stderr } = await run(`stats ${flags}`);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(message);
  expect(requests()).toEqual([]);
});

test('a service without statistics: not_offered', async () => {
  const { run } = await connected({ status: 404, body: '404 Not Found' }, { body: [] });
  expect(errorOf(await run('stats --json'))).toMatchObject({
    code: 'not_offered',
    message: 'This service has no statistics.',
    hint: 'To see what it offers: mailer whoami --features',
  });
});

test('dates have their year where they are piped, also across the turn of a year', async () => {
  const result = ['Dec 31', 'Jan 1', 'Jan 16', '2026-01-15', 'Tag 3'].map((date) => day(date, 1));
  const { run } = await connected(
    ...Array.from({ length: 3 }, () => ({ body: { ...series, result } })),
  );
  const iso = ['2025-12-31', '2026-01-01', '2026-01-16', '2026-01-15', 'Tag 3'];
  for (const flags of ['--fields date --no-header', '--fields date --no-header --csv', '--quiet']) {
    const { stdout } = await run(`stats ${flags}`);
    expect(stdout.trim().split(/\r?\n/)).toEqual(iso);
  }
});

test('sums beyond 2^53 are not rounded', async () => {
  const body = JSON.stringify({ ...series, totalCounts: { sent: 'SENT' } });
  const { run } = await connected({ body: body.replace('"SENT"', '9007199254740993') });
  const { stdout } = await run('stats --no-color', { terminal: 80 });
  expect(stdout).toContain('9,007,199,254,740,993');
});
