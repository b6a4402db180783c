import { describe, expect, test } from 'vitest';
import { exitCodes, InterruptedError, TerminatedError } from '../../../src/lib/base/errors.ts';
import { connected, failureOf } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';
import { createWorld } from '../../support/run.ts';
import { create, lacking, noSuch, page, summary } from './draft.ts';

const id = 'cm3k9x2f8000008l4';
const named = 'Campaign "Spring news" (cm3k9x2f8000008l4)';
const gone: Answer = (response) => {
  response.destroy();
};

/** The response to a request for the campaign, in this status. */
function state(status: string, fields: Readonly<Record<string, unknown>> = {}) {
  return { body: summary(id, { status, total: 10, ...fields }) };
}

/** The response to a list, with the campaign in this status. */
function listed(status: string, fields: Readonly<Record<string, unknown>> = {}) {
  return page(state(status, fields).body);
}

/** The first columns of stdout's lines, without the header. */
function lines(stdout: string, columns = 6): string[] {
  const rows = stdout.trimEnd().split('\n').slice(1);
  return rows.map((row) => row.split('\t').slice(0, columns).join(' ').trimEnd());
}

describe('piped', () => {
  test('a header, and a line for each change, until it is SENT: 0', async () => {
    const world = createWorld();
    const created = await create(world, 'Spring news', '--now', '--batch-size', '4');
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${created} --sandbox`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(
      [
        'time\tstatus\tscheduledAt\ttotal\tsent\tdelivered\topened\tclicked\tunsubscribed\tbounced\thardBounced\tcomplained',
        '2026-01-15T10:00:00.000Z\tRUNNING\t2026-01-15T10:00:00.000Z\t11\t0\t0\t0\t0\t0\t0\t0\t0',
        '2026-01-15T10:00:02.000Z\tRUNNING\t2026-01-15T10:00:00.000Z\t11\t8\t6\t2\t0\t0\t1\t1\t0',
        '2026-01-15T10:00:04.000Z\tSENT\t2026-01-15T10:00:00.000Z\t11\t11\t9\t5\t1\t0\t1\t1\t1',
        '',
      ].join('\n'),
    );
  });

  test('unchanged counters are not repeated, and other counters have their columns', async () => {
    const more = { sent: 5, opened: 4, clicked: 3, bounced: 2, hardBounced: 1, complained: 1 };
    const { world } = await connected(
      state('RUNNING', more),
      state('RUNNING', { ...more, updatedAt: '2026-01-15T10:00:01.000Z', novel: 1 }),
      state('RUNNING', { ...more, complained: 2 }),
      state('RUNNING', { ...more, complained: 2 }),
      state('SENT', { ...more, complained: 2 }),
    );
    const { stdout } = await world.run(`campaign watch ${id} --interval 1s`);
    expect(lines(stdout, 12)).toEqual([
      '2026-01-15T10:00:00.000Z RUNNING  10 5 0 4 3 0 2 1 1',
      '2026-01-15T10:00:02.000Z RUNNING  10 5 0 4 3 0 2 1 2',
      '2026-01-15T10:00:04.000Z SENT  10 5 0 4 3 0 2 1 2',
    ]);
  });

  test('--jsonl: the unmodified campaign, for each change', async () => {
    const rows = [
      summary(id, { status: 'RUNNING', novel: { kept: true } }),
      summary(id, { status: 'RUNNING', sent: 3, novel: null }),
      summary(id, { status: 'SENT', sent: 3 }),
    ];
    const { world } = await connected(...[0, 0, 1, 1, 2].map((index) => ({ body: rows[index] })));
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id} --jsonl`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).toEqual(rows);
  });

  test('--fields: the time of the request too', async () => {
    const { world } = await connected(state('RUNNING'), state('SENT', { sent: 10 }));
    expect(await world.run(`campaign watch ${id} --csv --fields time,sent`)).toEqual({
      exitCode: 0,
      stdout: 'time,sent\r\n2026-01-15T10:00:00.000Z,0\r\n2026-01-15T10:00:02.000Z,10\r\n',
      stderr: '',
    });
  });

  test('--csv: header and rows, with the time of the request', async () => {
    const { world } = await connected(state('RUNNING', { name: 'Spring news' }), state('SENT'));
    const { stdout } = await world.run(`campaign watch ${id} --csv`);
    expect(stdout.split('\r\n')).toEqual([
      'time,status,scheduledAt,total,sent,delivered,opened,clicked,unsubscribed,bounced,hardBounced,complained',
      '2026-01-15T10:00:00.000Z,RUNNING,,10,0,0,,,0,,,',
      '2026-01-15T10:00:02.000Z,SENT,,10,0,0,,,0,,,',
      '',
    ]);
  });

  test('--fields: a line when one of these changes', async () => {
    const { world } = await connected(
      state('RUNNING'),
      state('RUNNING', { sent: 1 }),
      state('RUNNING', { sent: 2, updatedAt: 'later' }),
      state('SENT', { sent: 2, updatedAt: 'later' }),
    );
    const { stdout } = await world.run(`campaign watch ${id} --fields updatedAt,name`);
    expect(stdout).toBe(
      'updatedAt\tname\n2026-01-15T09:59:00.000Z\tSpring news\nlater\tSpring news\n',
    );
  });

  test('PAUSED: 9, and how to resume it', async () => {
    const { world } = await connected(state('RUNNING'), state('PAUSED', { sent: 4, delivered: 3 }));
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id}`);
    expect(exitCode).toBe(9);
    expect(lines(stdout, 5).at(-1)).toBe('2026-01-15T10:00:02.000Z PAUSED  10 4');
    expect(stderr).toBe(
      `Error: ${named} is PAUSED, 4 of 10 sent.\nHint: To resume it: mailer campaign resume ${id}\n`,
    );
  });

  test('PAUSED with --jsonl: 9, and the failure alone on stderr', async () => {
    const { world } = await connected(gone, state('RUNNING'), gone, gone, state('PAUSED'));
    const { exitCode, stdout, stderr } = await world.run(
      `campaign watch ${id} --jsonl --retries 1`,
    );
    expect(exitCode).toBe(9);
    expect(failureOf({ stdout, stderr })).toEqual({
      code: 'wait_failed',
      message: `${named} is PAUSED, 0 of 10 sent.`,
      hint: `To resume it: mailer campaign resume ${id}`,
    });
    expect(stdout.match(/"status":"\w+"/g)).toEqual(['"status":"RUNNING"', '"status":"PAUSED"']);
  });
});

describe('--json', () => {
  test('one document at the end: the latest campaign', async () => {
    const last = summary(id, { status: 'SENT', sent: 9, novel: [1] });
    const { world } = await connected(state('RUNNING'), state('RUNNING', { sent: 5 }), {
      body: last,
    });
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id} --json`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(JSON.parse(stdout)).toEqual(last);
  });

  test.each([
    ['PAUSED: 9', [state('PAUSED')], '', 9, 'PAUSED'],
    ['a DRAFT: 9', [state('DRAFT')], '', 9, 'DRAFT'],
    ['time is up: 10', [state('RUNNING'), state('RUNNING')], '--wait-timeout 1s', 10, 'RUNNING'],
  ])(
    '%s, the document on stdout, the failure on stderr',
    async (_, replies, flags, code, status) => {
      const { world } = await connected(...replies);
      const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id} --json ${flags}`);
      expect(exitCode).toBe(code);
      const { code: name, message } = failureOf({ stdout, stderr });
      expect(exitCodes[name]).toBe(code);
      expect(message).toContain(status);
      expect(JSON.parse(stdout)).toMatchObject({ id, status });
    },
  );

  test('the service is unavailable for a while: nothing on stderr', async () => {
    const { world } = await connected(state('RUNNING'), gone, state('SENT'));
    const outcome = await world.run(`campaign watch ${id} --json --retries 0`);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('the end', () => {
  test('already SENT: shown, and 0 at once', async () => {
    const { world, requests } = await connected(state('SENT', { sent: 10 }));
    const { exitCode, stdout } = await world.run(`campaign watch ${id}`);
    expect(exitCode).toBe(0);
    expect(lines(stdout, 5)).toEqual(['2026-01-15T10:00:00.000Z SENT  10 10']);
    expect(requests()).toHaveLength(1);
    expect(world.clock.pauses).toEqual([]);
  });

  test('a DRAFT never ends: 9 at once, and how to schedule it', async () => {
    const world = createWorld();
    const created = await create(world, 'Spring news');
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${created} --sandbox`);
    expect(exitCode).toBe(9);
    expect(lines(stdout, 4)).toEqual(['2026-01-15T10:00:00.000Z DRAFT  0']);
    expect(stderr).toBe(
      [
        `Error: Campaign "Spring news" (${created}) is a DRAFT: nothing is sent until it is scheduled.`,
        `Hint: To start it: mailer campaign schedule ${created} --now --sandbox`,
        `To start it later: mailer campaign schedule ${created} --scheduled-at 'tomorrow 9am' --sandbox`,
        '',
      ].join('\n'),
    );
    expect(world.clock.pauses).toEqual([]);
  });

  test('one that becomes a DRAFT again: 9', async () => {
    const { world } = await connected(state('SCHEDULED'), state('DRAFT'));
    expect((await world.run(`campaign watch ${id}`)).exitCode).toBe(9);
  });

  test('time is up: 10, after a last request, and how to continue', async () => {
    const { world } = await connected(...Array(3).fill(state('RUNNING', { sent: 4 })));
    const { exitCode, stderr } = await world.run(`campaign watch ${id} --wait-timeout 3s`);
    expect(exitCode).toBe(10);
    expect(world.clock.pauses).toEqual([2000, 1000]);
    expect(stderr).toBe(
      `Error: The wait timed out: campaign "Spring news" (${id}) is RUNNING, 4 of 10 sent.\nHint: To keep watching: mailer campaign watch ${id}\n`,
    );
  });

  test('SENT in the last request is SENT', async () => {
    const { world } = await connected(state('RUNNING'), state('SENT'));
    const { exitCode } = await world.run(`campaign watch ${id} --wait-timeout 1s`);
    expect(exitCode).toBe(0);
  });

  test('a scheduled one is waited for', async () => {
    const world = createWorld();
    const created = await create(world, 'Spring news', '--scheduled-at', 'in 1 hour');
    const { exitCode, stdout } = await world.run(`campaign watch ${created} --sandbox`);
    expect(exitCode).toBe(0);
    const rows = lines(stdout, 3);
    expect(rows[0]).toBe('2026-01-15T10:00:00.000Z SCHEDULED 2026-01-15T11:00:00.000Z');
    expect(rows[1]).toMatch(/^2026-01-15T11:00:\d\d\.\d{3}Z (RUNNING|SENT)/);
    expect(rows.at(-1)).toContain('SENT');
    expect(rows.length).toBeLessThan(8);
    expect(Math.max(...world.clock.pauses)).toBe(30_000);
  });

  test.each(['FROZEN', 'constructor', '', null])(
    'an unknown status, %j, does not end the wait',
    async (status) => {
      const { world } = await connected(state('RUNNING', { status }), state('SENT'));
      const { exitCode, stdout } = await world.run(`campaign watch ${id}`);
      expect(exitCode).toBe(0);
      expect(lines(stdout, 2)).toEqual([
        `2026-01-15T10:00:00.000Z ${status ?? ''}`.trim(),
        '2026-01-15T10:00:02.000Z SENT',
      ]);
    },
  );
});

describe('the pauses', () => {
  test('grow while nothing changes, and are short again after a change', async () => {
    const { world } = await connected(
      ...Array(10).fill(state('RUNNING')),
      state('RUNNING', { sent: 1 }),
      state('RUNNING', { sent: 2 }),
      state('SENT'),
    );
    await world.run(`campaign watch ${id} --heartbeat 0`);
    const grown = [2000, 3000, 4500, 6750, 10_125, 15_187.5, 22_781.25, 30_000, 30_000, 30_000];
    const elapsed = grown.reduce((sum, pause) => sum + pause, 0);
    expect(world.clock.pauses.slice(0, 10)).toEqual(grown);
    expect(world.clock.pauses[10]).toBeCloseTo(elapsed / 30);
    expect(world.clock.pauses).toHaveLength(12);
  });

  test('of a campaign that changes constantly grow with the time it takes', async () => {
    const replies = Array.from({ length: 100 }, (_, sent) => state('RUNNING', { sent }));
    const { world } = await connected(...replies, state('SENT'));
    await world.run(`campaign watch ${id} --heartbeat 0`);
    const { pauses } = world.clock;
    expect(pauses.slice(0, 30)).toEqual(Array(30).fill(2000));
    expect(pauses.slice(30).every((pause, index) => pause >= (pauses[29 + index] ?? 0))).toBe(true);
    expect(pauses.at(-1)).toBe(10_000);
  });

  test('--interval is kept', async () => {
    const { world } = await connected(...Array(4).fill(state('RUNNING')), state('SENT'));
    await world.run(`campaign watch ${id} --interval 1m30s --heartbeat 0`);
    expect(world.clock.pauses).toEqual([90_000, 90_000, 90_000, 90_000]);
  });
});

describe('each request', () => {
  const list = 'GET /api/v1/campaigns?page=1';
  const search = `${list}&search=Spring+news`;
  const alone = `GET /api/v1/campaigns/${id}`;

  test('is for the campaign alone, however it was named', async () => {
    const { world, requests } = await connected(
      ...[listed('RUNNING'), state('RUNNING'), state('RUNNING'), state('SENT')],
      ...[state('RUNNING'), state('SENT')],
    );
    expect((await world.run(['campaign', 'watch', 'Spring news'])).exitCode).toBe(0);
    expect((await world.run(['campaign', 'watch', id])).exitCode).toBe(0);
    expect(requests()).toEqual([search, ...Array(5).fill(alone)]);
  });

  describe('at a service that has only the list', () => {
    /** Watches the campaign by id, at a service with these responses to the list. */
    async function watch(...answers: readonly Answer[]) {
      const [first = {}, ...others] = answers;
      const { world, requests } = await connected(lacking, first, lacking, ...others);
      const { exitCode, stderr } = await world.run(`campaign watch ${id}`);
      expect(requests().filter((one) => one === alone)).toHaveLength(2);
      return { exitCode, stderr, requests: requests().filter((one) => one !== alone) };
    }

    test('searches for its name', async () => {
      const { exitCode, requests } = await watch(
        listed('RUNNING'),
        page(summary('camp_9', { status: 'SENT' }), summary(id, { status: 'RUNNING' })),
        listed('SENT'),
      );
      expect(exitCode).toBe(0);
      expect(requests).toEqual([list, search, search]);
    });

    test('a campaign that gets another name is found in the list, then by that name', async () => {
      const renamed = { name: 'News of March' };
      const { exitCode, requests } = await watch(
        listed('RUNNING'),
        page(),
        listed('RUNNING', renamed),
        listed('SENT', renamed),
      );
      expect(exitCode).toBe(0);
      expect(requests).toEqual([list, search, list, `${list}&search=News+of+March`]);
    });

    test('a name that search does not accept is found in the whole list', async () => {
      const rows = ['RUNNING', 'RUNNING', 'RUNNING', 'SENT'].map((status) =>
        listed(status, { name: 'Spring\0news' }),
      );
      const { exitCode, stderr, requests } = await watch(...rows);
      expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
      expect(requests).toEqual([list, list, list, list]);
    });

    test('after a search without result, the list is read each time', async () => {
      const { exitCode, requests } = await watch(
        listed('RUNNING'),
        page(),
        ...Array(2).fill(listed('RUNNING')),
        listed('SENT'),
      );
      expect(exitCode).toBe(0);
      expect(requests).toEqual([list, search, list, list, list]);
    });

    test('one without a name is found in the list', async () => {
      const nameless = { name: null };
      const { exitCode, requests } = await watch(
        listed('RUNNING', nameless),
        listed('SENT', nameless),
      );
      expect(exitCode).toBe(0);
      expect(requests).toEqual([list, list]);
    });

    test('another one with its name is not mistaken for it', async () => {
      const other = summary('camp_new', { status: 'SENT' });
      const { exitCode } = await watch(
        listed('RUNNING'),
        page(other),
        page(other, summary(id, { name: 'Old', status: 'PAUSED' })),
      );
      expect(exitCode).toBe(9);
    });

    test('a deleted campaign: 4', async () => {
      expect((await watch(listed('RUNNING'), page(), page())).exitCode).toBe(4);
    });
  });

  test('a deleted campaign: 4, and its last status', async () => {
    const { world } = await connected(state('RUNNING', { sent: 4 }), noSuch);
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id}`);
    expect(exitCode).toBe(4);
    expect(lines(stdout)).toHaveLength(1);
    expect(stderr).toBe(
      [
        `Error: ${named} no longer exists. At 2026-01-15T10:00:00.000Z, it was RUNNING, 4 of 10 sent.`,
        'Hint: To list the campaigns: mailer campaign list',
        '',
      ].join('\n'),
    );
  });

  test('a deleted campaign, with --json: the error on stderr, stdout empty', async () => {
    const { world } = await connected(state('RUNNING'), noSuch);
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id} --json`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 4, stdout: '' });
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'not_found' } });
  });
});

describe('a service that is unavailable for a while', () => {
  const down = { status: 503, body: 'down' };
  const slowly = { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } };

  test('is waited for, and each reason is reported once', async () => {
    const { world } = await connected(
      state('RUNNING'),
      gone,
      slowly,
      down,
      down,
      state('RUNNING'),
      down,
      state('SENT'),
    );
    const { exitCode, stdout, stderr } = await world.run(
      `campaign watch ${id} --retries 0 --heartbeat 0`,
    );
    expect(exitCode).toBe(0);
    expect(lines(stdout)).toHaveLength(2);
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/ Still waiting\.$/),
      'Slowly. Still waiting.',
      'The service responded with 503: down. Still waiting.',
      'The service responded with 503: down. Still waiting.',
      '',
    ]);
    expect(world.clock.pauses).toEqual([2000, 3000, 4500, 6750, 10_125, 15_187.5, 22_781.25]);
  });

  test('and stays unavailable: 7 when time is up, since when, with the latest campaign', async () => {
    const { world } = await connected(state('RUNNING', { sent: 4 }), ...Array(9).fill(down));
    const { exitCode, stdout, stderr } = await world.run(
      `campaign watch ${id} --retries 0 --wait-timeout 20s`,
    );
    expect(exitCode).toBe(7);
    expect(lines(stdout)).toHaveLength(1);
    expect(stderr).toContain(
      `Error: The service has been unavailable since 2026-01-15T10:00:02.000Z: The service responded with 503: down. The last known status of campaign "Spring news" (${id}) is RUNNING.\n`,
    );
  });

  test('a key that was withdrawn ends it', async () => {
    const refused = { status: 403, body: { error: 'Invalid API token' } };
    const { world } = await connected(state('RUNNING'), refused);
    expect((await world.run(`campaign watch ${id} --retries 0`)).exitCode).toBe(3);
  });
});

describe('on a terminal', () => {
  const terminal = { terminal: 80, env: { NO_COLOR: '1' } };

  test('the record at the end, without lines beside the spinner', async () => {
    const { world } = await connected(
      state('RUNNING'),
      state('RUNNING', { sent: 5 }),
      state('SENT', { sent: 10 }),
    );
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id}`, terminal);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^Id +cm3k9x2f8000008l4\nName +Spring news\nStatus +SENT\n/);
    expect(stdout).toMatch(/^Sent +10$/m);
    expect(stderr).not.toContain('RUNNING');
  });

  test('PAUSED: 9, the record, and how to resume below it', async () => {
    const { world } = await connected(state('RUNNING'), state('PAUSED'));
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id}`, terminal);
    expect(exitCode).toBe(9);
    expect(stdout).toMatch(/^Status +PAUSED$/m);
    expect(stderr).toContain(`To resume it: mailer campaign resume ${id}\n`);
  });

  test.each([
    ['without a size', { terminal: 0, env: { NO_COLOR: '1' } }],
    ['that is dumb', { terminal: 80, env: { NO_COLOR: '1', TERM: 'dumb' } }],
    ['in CI', { terminal: 80, env: { NO_COLOR: '1', CI: 'true' } }],
  ])('%s: a line on stderr for each change', async (_, options) => {
    const { world } = await connected(
      state('RUNNING'),
      state('RUNNING'),
      gone,
      state('RUNNING', { sent: 5 }),
      state('SENT', { sent: 10 }),
    );
    const { stdout, stderr } = await world.run(`campaign watch ${id} --retries 0`, options);
    expect(stdout).toMatch(/^Sent +10$/m);
    expect(stderr.split('\n')).toEqual([
      'Spring news: RUNNING, 0 of 10 sent, 0 delivered, 0 unsubscribed',
      expect.stringMatching(/ Still waiting\.$/),
      'Spring news: RUNNING, 5 of 10 sent, 0 delivered, 0 unsubscribed',
      '',
    ]);
  });

  test('names from the service cannot control the terminal', async () => {
    const hostile = { name: 'a\u001b[2J\u0007', status: '\u001b]0;x\u0007' };
    const { world } = await connected(...Array(2).fill({ body: summary(id, hostile) }));
    const { stdout, stderr } = await world.run(`campaign watch ${id} --wait-timeout 1s`, {
      terminal: 0,
      env: { NO_COLOR: '1' },
    });
    expect(stdout).toContain('\\x1b');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(stdout + stderr).not.toMatch(/[\x00-\x09\x0b-\x1f]/);
  });
});

describe('--quiet', () => {
  test.each([
    ['SENT', 0],
    ['PAUSED', 9],
    ['DRAFT', 9],
  ])('%s: the id, %d', async (status, exitCode) => {
    const { world } = await connected(state('RUNNING'), gone, state(status));
    expect(await world.run(`campaign watch ${id} -q --retries 0`)).toEqual({
      exitCode,
      stdout: `${id}\n`,
      stderr: exitCode === 0 ? '' : expect.stringMatching(/^Error: .*\nHint: /),
    });
  });
});

describe('input errors', () => {
  test.each([id, 'Nothing like it', 'odd'])('there is no %s: 4 at once', async (unknown) => {
    const world = createWorld();
    const outcome = await world.run(['campaign', 'watch', unknown, '--sandbox']);
    expect(outcome).toEqual({
      exitCode: 4,
      stdout: '',
      stderr: `Error: There is no campaign "${unknown}".\nHint: To list the campaigns: mailer campaign list --sandbox\n`,
    });
    expect(world.clock.pauses).toEqual([]);
  });

  test('an ambiguous name: 2, with the ids', async () => {
    const { world } = await connected(page(summary('camp_2'), summary('camp_1')));
    const { exitCode, stderr } = await world.run(['campaign', 'watch', 'Spring news']);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('2 campaigns are named "Spring news":\n  camp_2');
  });

  test.each([
    ['--interval 0', '--interval: "0" is not a duration'],
    ['--interval soon', '--interval: "soon" is not a duration'],
    ['--interval=-5', '--interval: "-5" is not a duration'],
    ['--wait-timeout 0', '--wait-timeout: "0" is not a duration'],
    ['--json --csv', '--json and --csv cannot be used together'],
  ])('%s: 2, and nothing is sent', async (flags, message) => {
    const { world, requests } = await connected();
    const { exitCode, stderr } = await world.run(`campaign watch ${id} ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toContain(message);
    expect(requests()).toEqual([]);
  });
});

test('SIGTERM with --jsonl is an error in JSON with how to continue', async () => {
  const controller = new AbortController();
  const { world } = await connected(state('RUNNING'), (response) => {
    controller.abort(new TerminatedError('Terminated.'));
    response.destroy();
  });
  const { stderr } = await world.run(`campaign watch ${id} --jsonl`, { signal: controller.signal });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'terminated',
    message: 'Terminated.',
    hint: expect.stringMatching(/ was not stopped\. To keep watching: mailer campaign watch /),
  });
});

test('an interruption ends it: 130, without a message', async () => {
  const controller = new AbortController();
  const { world } = await connected(state('RUNNING'), (response) => {
    controller.abort(new InterruptedError('Interrupted.'));
    response.destroy();
  });
  const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id}`, {
    signal: controller.signal,
  });
  expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' });
  expect(lines(stdout)).toHaveLength(1);
});

test('a line break in a name starts no line on stderr', async () => {
  const name = 'A\nWarning: forged';
  const { world } = await connected(
    state('RUNNING', { name }),
    state('RUNNING', { name, sent: 1 }),
    { status: 503, body: { error: { code: 'AWAY', message: name } } },
    state('PAUSED', { name }),
  );
  const { stderr } = await world.run(`campaign watch ${id} --retries 0`, {
    terminal: 80,
    env: { TERM: 'dumb' },
  });
  expect(stderr).toContain('Still waiting.\n');
  expect(stderr).toContain(String.raw`A\nWarning: forged: RUNNING`);
  expect(stderr).not.toMatch(/^Warning: forged/m);
});

describe('a campaign that the service does not start', () => {
  const overdue = { scheduledAt: '2026-01-15T09:48:00.000Z' };
  const sentence = `${named} was to start 12 minutes ago, and the service has not started it.\n`;

  test('watch ends with 10 and says so, with what is known on stdout', async () => {
    const { world } = await connected(
      ...Array.from({ length: 9 }, () => state('SCHEDULED', overdue)),
    );
    const { exitCode, stdout, stderr } = await world.run(`campaign watch ${id} --wait-timeout 5s`);
    expect(exitCode).toBe(10);
    expect(lines(stdout, 5)).toEqual([
      '2026-01-15T10:00:00.000Z SCHEDULED 2026-01-15T09:48:00.000Z 10 0',
    ]);
    expect(stderr).toMatch(
      /^Error: The wait timed out: campaign .* is SCHEDULED, 0 of 10 sent, 12 minutes overdue\.\n/,
    );
  });

  test('get and list say so; one that is due only just may still start', async () => {
    const { world } = await connected(
      state('SCHEDULED', overdue),
      listed('SCHEDULED', overdue),
      state('SCHEDULED', { scheduledAt: '2026-01-15T09:59:00.000Z' }),
      state('PAUSED', overdue),
    );
    expect((await world.run(`campaign get ${id}`)).stderr).toBe(sentence);
    expect((await world.run('campaign list')).stderr).toBe(sentence);
    expect((await world.run(`campaign get ${id}`)).stderr).toBe('');
    expect((await world.run(`campaign get ${id}`)).stderr).toBe('');
  });
});
