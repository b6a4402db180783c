import { describe, expect, test } from 'vitest';
import { connected } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

function event(toState: string, createdAt: string, more: Readonly<Record<string, unknown>> = {}) {
  return {
    id: `rep_${toState}`,
    fromState: 'HEALTHY',
    toState,
    bounceRate: 10.125,
    sampleSize: 2074,
    actor: 'system',
    reason: 'Bounce rate above 10%',
    createdAt,
    ...more,
  };
}

const blocked = event('BLOCKED', '2026-01-15T08:00:00.000Z');
const critical = event('CRITICAL', '2026-01-14T08:00:00.000Z');
const healthy = event('HEALTHY', '2026-01-13T08:00:00.000Z');
const why =
  'Error: The newest state is BLOCKED, since 2026-01-15T08:00:00.000Z: bounce rate 10.125%, sample size 2074, reason: Bounce rate above 10%\n';
const json = `${JSON.stringify({
  error: { code: 'wait_failed', message: why.slice('Error: '.length, -1) },
})}\n`;

/** Exit code and stderr of the command with these flags, for this response. */
async function gate(flags: string, body: unknown) {
  const { world, requests } = await connected({ body });
  const outcome = await world.run(`reputation events ${flags}`);
  return { ...outcome, requests: requests() };
}

describe('the newest state is one of them: 9', () => {
  test.each([
    '--fail-on CRITICAL BLOCKED',
    '--fail-on CRITICAL --fail-on BLOCKED',
    '--fail-on CRITICAL,BLOCKED',
    '--fail-on=BLOCKED',
    '--fail-on WARNING --fail-on critical,Blocked EXEMPT',
    '--fail-on BLOCKED --limit 1',
  ])('%s', async (flags) => {
    const { exitCode, stderr, stdout } = await gate(flags, [blocked, critical, healthy]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: why });
    expect(stdout).toContain('\tBLOCKED\t10.125\t2074\t');
  });

  test('in any spelling of the service', async () => {
    const { exitCode } = await gate('--fail-on BLOCKED', [{ ...blocked, toState: 'blocked ' }]);
    expect(exitCode).toBe(9);
  });

  test('on the sandbox', async () => {
    const world = createWorld();
    expect((await world.run('reputation events --sandbox --fail-on BLOCKED')).exitCode).toBe(0);
    expect((await world.run('reputation events --sandbox --fail-on HEALTHY')).exitCode).toBe(9);
  });
});

describe('an unknown newest state', () => {
  const novel = event('PURGATORY', '2026-01-15T09:00:00.000Z');
  const warning =
    'Warning: mailer does not know the newest state, "PURGATORY". --fail-on ignores it.\n';

  test.each(['', ' --json', ' --jsonl', ' --quiet'])('passes with a warning%s', async (flags) => {
    const { exitCode, stderr } = await gate(`--fail-on BLOCKED${flags}`, [novel, blocked]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: warning });
  });

  test.each([
    ['--fail-on PURGATORY', [novel], 9],
    ['--fail-on BLOCKED', [{ ...novel, toState: 'exempt' }, blocked], 0],
    ['--fail-on CRITICAL', [blocked, { ...novel, createdAt: healthy.createdAt }], 0],
    ['--fail-on BLOCKED', [], 0],
    ['', [novel], 0],
  ])('needs none if the state is shown: %s', async (flags, body, exitCode) => {
    const outcome = await gate(flags, body);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stderr).not.toContain('Warning');
  });
});

test('the newest state is another one: 0, and the list as without the flag', async () => {
  const body = [blocked, critical, healthy];
  const passed = await gate('--fail-on CRITICAL,HEALTHY', body);
  const plain = await gate('', body);
  expect(passed).toMatchObject({ exitCode: 0, stdout: plain.stdout, stderr: '' });
});

test('no events: 0, and it reports this', async () => {
  expect(await gate('--fail-on BLOCKED', [])).toMatchObject({
    exitCode: 0,
    stderr: 'No changes of the deliverability state.\n',
  });
  expect(await gate('--fail-on BLOCKED --json', [])).toMatchObject({
    exitCode: 0,
    stdout: '[]\n',
    stderr: '',
  });
});

describe('filters do not change the result', () => {
  test('--limit: the most there can be are requested, and the limit is listed', async () => {
    const { exitCode, stdout, requests } = await gate('--fail-on BLOCKED --limit 1 -q', [
      healthy,
      critical,
      blocked,
    ]);
    expect({ exitCode, stdout }).toEqual({ exitCode: 9, stdout: 'rep_HEALTHY\n' });
    expect(requests).toEqual(['GET /api/v1/reputation/events?limit=200']);
  });

  test('--since: the reason is printed although nothing is listed', async () => {
    const flags = '--fail-on BLOCKED --since 2026-01-15T09:00Z';
    expect(await gate(flags, [blocked])).toMatchObject({
      exitCode: 9,
      stdout: 'createdAt\tfromState\ttoState\tbounceRate\tsampleSize\tactor\treason\n',
      stderr: `No changes of the deliverability state since then.\n${why}`,
    });
    expect(await gate(`${flags} --json`, [blocked])).toMatchObject({
      exitCode: 9,
      stdout: '[]\n',
      stderr: json,
    });
  });

  test('without --limit the list is as long as without the gate', async () => {
    const body = Array.from({ length: 60 }, () => healthy);
    const { stdout } = await gate('--fail-on BLOCKED -q', body);
    expect(stdout.trimEnd().split('\n')).toHaveLength(50);
    const since = await gate('--fail-on BLOCKED -q --since 2026-01-01', body);
    expect(since.stdout.trimEnd().split('\n')).toHaveLength(60);
  });
});

describe('the newest is the one with the latest time', () => {
  test.each([
    ['whatever their order', [healthy, blocked, critical], 9],
    ['across time zones', [event('HEALTHY', '2026-01-15T12:00:00+05:00'), blocked], 9],
    [
      'not the one that only sorts last',
      [event('HEALTHY', '2026-01-15T11:00:00+02:00'), blocked],
      0,
    ],
    ['of equal ones the first', [blocked, event('HEALTHY', blocked.createdAt)], 9],
    ['of equal ones not the second', [event('HEALTHY', blocked.createdAt), blocked], 0],
    [
      'of none that can be read the first',
      [
        { ...blocked, createdAt: '?' },
        { ...healthy, createdAt: '' },
      ],
      9,
    ],
    [
      'of none that can be read not the second',
      [
        { ...healthy, createdAt: '?' },
        { ...blocked, createdAt: '' },
      ],
      0,
    ],
    ['or the first without one, which may be newer', [{ ...blocked, createdAt: '?' }, healthy], 9],
    ['even when the first has none', [{ ...healthy, createdAt: '?' }, blocked], 9],
    ['not one further down without one', [healthy, { ...blocked, createdAt: '?' }], 0],
  ])('%s', async (_, body, code) => {
    expect((await gate('--fail-on BLOCKED', body)).exitCode).toBe(code);
  });
});

describe('formats', () => {
  test('JSON: the unmodified response, and the reason on stderr', async () => {
    const body = [{ ...blocked, novel: { kept: true } }, critical];
    const { exitCode, stdout, stderr } = await gate('--fail-on BLOCKED --json', body);
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: json });
    expect(stdout).toBe(`${JSON.stringify(body)}\n`);
    const lines = await gate('--fail-on BLOCKED --jsonl', body);
    expect(lines).toMatchObject({ exitCode: 9, stderr: json });
    expect(lines.stdout).toBe(body.map((row) => `${JSON.stringify(row)}\n`).join(''));
  });

  test('CSV: rows, and the reason', async () => {
    const { exitCode, stdout, stderr } = await gate('--fail-on BLOCKED --csv', [blocked]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: why });
    expect(stdout).toMatch(/^createdAt,fromState,toState,/);
  });

  test('--quiet: ids as without the flag, and the reason', async () => {
    const { exitCode, stdout, stderr } = await gate('--fail-on BLOCKED -q', [blocked, healthy]);
    expect({ exitCode, stderr }).toEqual({ exitCode: 9, stderr: why });
    expect(stdout).toBe('rep_BLOCKED\nrep_HEALTHY\n');
  });

  test('a reason of one line, with the known fields', async () => {
    const bare = { ...blocked, bounceRate: null, sampleSize: undefined, reason: '' };
    expect((await gate('--fail-on BLOCKED', [bare])).stderr).toBe(
      'Error: The newest state is BLOCKED, since 2026-01-15T08:00:00.000Z.\n',
    );
    const zero = { ...blocked, bounceRate: 0, sampleSize: 0, reason: 'a\nHint: \x1b[2Jb' };
    expect((await gate('--fail-on BLOCKED', [zero])).stderr).toBe(
      'Error: The newest state is BLOCKED, since 2026-01-15T08:00:00.000Z: bounce rate 0%, sample size 0, reason: a\\nHint: \\x1b[2Jb\n',
    );
  });

  test('with the note about events that may be missing', async () => {
    const { stderr } = await gate('--fail-on BLOCKED --since 2025-12-01 --limit 1', [blocked]);
    expect(stderr).toBe(`Only the newest 1 were requested; there may be more since then.\n${why}`);
  });
});

describe('a failed request is not a healthy state', () => {
  const refused = (code: string) => ({ error: { code, message: 'No.' } });

  test.each([
    ['a broken connection', () => {}, 7],
    ['a server in trouble', { status: 503, body: 'no' }, 7],
    ['a refused key', { status: 401, body: refused('UNAUTHORIZED') }, 3],
    ['an answer that is no list', { body: {} }, 8],
    ['an event without a state', { body: [{ id: 'rep_1', createdAt: blocked.createdAt }] }, 8],
  ] as const)('%s', async (_, answer, code) => {
    const { world } = await connected(
      typeof answer === 'function' ? (response) => response.destroy() : answer,
    );
    const words = 'reputation events --fail-on BLOCKED --retries 0';
    expect(await world.run(words)).toMatchObject({ exitCode: code, stdout: '' });
  });

  test('JSON: one error object', async () => {
    const { world } = await connected({ status: 503, body: 'no' });
    const { exitCode, stdout, stderr } = await world.run(
      'reputation events --fail-on BLOCKED --retries 0 --json',
    );
    expect({ exitCode, stdout }).toEqual({ exitCode: 7, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'unavailable' } });
  });
});

test.each([
  [['--fail-on']],
  [['--fail-on', '']],
  [['--fail-on=']],
  [['--fail-on', ' ']],
  [['--fail-on', 'BLOCKED,']],
  [['--fail-on', 'BLOCKED', '']],
])('%j is not a state: 2, and nothing is sent', async (flags) => {
  const { world, requests } = await connected();
  const { exitCode, stdout, stderr } = await world.run(['reputation', 'events', ...flags]);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(/--fail-on.*missing/);
  expect(requests()).toEqual([]);
});

test('a flag in place of the state: 2, and nothing is sent', async () => {
  const { run, requests } = await connected();
  expect(await run('reputation events --fail-on --json')).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'Error: --fail-on needs a value\nHint: To use the text --json, write --fail-on=--json\n',
  });
  expect(requests()).toEqual([]);
});

describe('an unknown state', () => {
  const unheardOf = '--fail-on BLOCKED,CRITICLE';

  test('is a usage error that lists the known ones', async () => {
    for (const body of [[blocked], [healthy], []]) {
      const { exitCode, stdout, stderr } = await gate(unheardOf, body);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toBe(
        'Error: --fail-on: "CRITICLE" is neither a known state nor one this account has been in\n' +
          'Hint: States: HEALTHY, WARNING, CRITICAL, BLOCKED, SUPERVISED, EXEMPT\n',
      );
    }
  });

  test('is accepted if the account has been in it', async () => {
    const frozen = event('Frozen', '2026-01-01T00:00:00Z');
    const left = event('HEALTHY', '2026-01-02T00:00:00Z', { fromState: 'Thawing' });
    expect((await gate('--fail-on frozen', [frozen])).exitCode).toBe(9);
    expect((await gate('--fail-on frozen --limit 1', [left, frozen])).exitCode).toBe(0);
    expect((await gate('--fail-on THAWING', [left])).exitCode).toBe(0);
    const { stderr } = await gate('--fail-on FROZE', [{ ...frozen, fromState: 'a\nHint: b' }]);
    expect(stderr).toMatch(/\nHint: States: .*, EXEMPT, A\\nHINT: B, FROZEN\n$/);
  });
});
