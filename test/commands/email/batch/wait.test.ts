import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../../src/lib/base/errors.ts';
import { connected, errorOf, failureOf, fileIn } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld, type World } from '../../../support/run.ts';

const row = (to: unknown, fields: object = {}) => ({
  to,
  from: 'hello@example.com',
  subject: 'Hi',
  text: 'Hello',
  ...fields,
});

/** A world in which `b.json` is a batch for these recipients in the sandbox. */
function sandboxWith(...recipients: readonly unknown[]): World {
  const world = createWorld();
  fileIn(
    world,
    'b.json',
    recipients.map((to) => row(to)),
  );
  return world;
}

const batch = 'email batch b.json --yes --sandbox';

const accepted = (...ids: readonly string[]): Answer => ({
  body: { data: ids.map((emailId) => ({ emailId })) },
});

const at = '2026-01-15T10:00:01Z';
const email = (id: string, status?: string, data: unknown = null): Answer => ({
  body: {
    id,
    to: [`${id}@b.example`],
    emailEvents: status === undefined ? [] : [{ status, createdAt: at, data }],
  },
});

/** A service that accepts a batch with these ids, and then responds as listed. */
async function sent(ids: readonly string[], ...answers: readonly Answer[]) {
  const setup = await connected(accepted(...ids), ...answers);
  setup.file(
    'b.json',
    ids.map((id) => row(`${id.replace(/\W/g, '')}@b.example`)),
  );
  return {
    ...setup,
    /** The requests after the batch was accepted. */
    asked: () => setup.service.requests.slice(1).map(({ path }) => path.split('/').at(-1)),
  };
}

describe('the list', () => {
  test('piped has a row for each email in the order of the batch, the changes on stderr', async () => {
    const world = sandboxWith('delayed@example.org', 'ana@example.org');
    const { exitCode, stdout, stderr } = await world.run(`${batch} --wait`);
    expect(exitCode).toBe(0);
    const [header, first = '', second = '', ...rest] = stdout.split('\n');
    expect(header).toBe('id\tto\tstatus\twhen\tdetail');
    expect(first).toMatch(
      /^c\w{24}\tdelayed@example\.org\tDELIVERED\t2026-01-15T10:00:04\.000Z\t250 2\.0\.0 OK; delayed@example\.org$/,
    );
    expect(second).toMatch(/^c\w{24}\tana@example\.org\tDELIVERED\t2026-01-15T10:00:01\.000Z\t/);
    expect(rest).toEqual(['']);
    const [one, two] = [first, second].map((line) => line.split('\t')[0]);
    expect(stderr.split('\n')).toEqual([
      'Accepted 2 emails.',
      `${one}: SENT`,
      `${two}: SENT`,
      `${one}: DELIVERY_DELAYED`,
      `${two}: DELIVERED`,
      `${one}: DELIVERED`,
      'DELIVERED: 2 of 2 emails.',
      '',
    ]);
  });

  test('--json is the emails as they were fetched, and stderr is empty', async () => {
    const event = `{"status":"DELIVERED","createdAt":"${at}"}`;
    const raw = (id: string) =>
      `{"id":"${id}","to":"${id}@b.example","emailEvents":[${event}],"size":12345678901234567890,"rate":1.10}`;
    const look = (id: string): Answer => ({
      headers: { 'content-type': 'application/json' },
      body: raw(id),
    });
    const { run } = await sent(['em_1', 'em_2'], look('em_1'), look('em_2'));
    const { exitCode, stdout, stderr } = await run('email batch b.json --yes --wait --json');
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toBe(`{"data":[${raw('em_1')},${raw('em_2')}]}\n`);
  });

  test('--jsonl is one of them per line, --csv the rows, -q the ids', async () => {
    const looks = [
      email('em_1', 'DELIVERED', { smtpResponse: '250 "ok"' }),
      email('em_2', 'OPENED'),
    ];
    const lines = await sent(['em_1', 'em_2'], ...looks);
    const jsonl = await lines.run('email batch b.json --yes --wait --jsonl');
    expect(
      jsonl.stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line).id),
    ).toEqual(['em_1', 'em_2']);
    expect(jsonl.stderr).toBe('');
    const sheet = await sent(['em_1', 'em_2'], ...looks);
    expect((await sheet.run('email batch b.json --yes --wait --csv')).stdout).toBe(
      `id,to,status,when,detail\r\nem_1,em_1@b.example,DELIVERED,${at},"250 ""ok"""\r\nem_2,em_2@b.example,OPENED,${at},\r\n`,
    );
    const quiet = await sent(['em_1', 'em_2'], ...looks);
    expect(await quiet.run('email batch b.json --yes --wait -q')).toEqual({
      exitCode: 0,
      stdout: 'em_1\nem_2\n',
      stderr: '',
    });
  });

  test('--fields are those of the emails', async () => {
    const { run } = await sent(['em_1'], email('em_1', 'DELIVERED'));
    const { stdout } = await run('email batch b.json --yes --wait --fields emailEvents.status,id');
    expect(stdout).toBe('emailEvents.status\tid\nDELIVERED\tem_1\n');
  });

  test('--fields may name what is shown beside them, in JSON too', async () => {
    const words = 'email batch b.json --yes --wait --fields id,status,when';
    const table = await sent(['em_1'], email('em_1', 'DELIVERED'));
    const shown = await table.run(words);
    expect(shown.stdout).toBe(`id\tstatus\twhen\nem_1\tDELIVERED\t${at}\n`);
    expect(shown.stderr).not.toContain('Warning');
    const sheet = await sent(['em_1'], email('em_1', 'DELIVERED'));
    const { stdout } = await sheet.run(`${words} --csv`);
    expect(stdout).toBe(`id,status,when\r\nem_1,DELIVERED,${at}\r\n`);
    const lines = await sent(['em_1'], email('em_1', 'DELIVERED'));
    const json = await lines.run(`${words} --jsonl`);
    expect(JSON.parse(json.stdout)).toEqual({ id: 'em_1', status: 'DELIVERED', when: at });
  });

  test.each([80, 120])(
    'on a terminal of %i columns is counts and groups of failures',
    async (terminal) => {
      const world = sandboxWith(
        ...['bounced+1@example.org', 'ana@example.org', 'bounced+2@example.org', 'nobody'],
      );
      const line = `${batch} --skip-invalid --wait --no-color`;
      const { exitCode, stdout, stderr } = await world.run(line, { terminal });
      expect(exitCode).toBe(9);
      expect(stdout).toMatch(/^Delivered +1$/m);
      expect(stdout).toMatch(/^Bounced +2$/m);
      const group = stdout.slice(stdout.indexOf('Failures'));
      expect(group).toMatch(/^2 +BOUNCED +/m);
      expect(group).toMatch(/^1 +invalid +/m);
      expect(group.replaceAll(/\s+/g, '')).toContain('bounced+1@example.org,');
      expect(group).not.toContain('ana@example.org');
      expect(stdout).not.toMatch(/\bc\w{24}\b/);
      expect(stderr.replaceAll(/\s+/g, ' ')).toContain(
        'DELIVERED: 1 of 3 emails. Failed: 2 emails. ',
      );
      for (const one of stdout.split('\n')) expect(one.length).toBeLessThanOrEqual(terminal);
    },
  );

  test('on a terminal names the command that keeps watching when time is up', async () => {
    const world = sandboxWith('ana@example.org', 'ben@example.org');
    const line = `${batch} --wait=OPENED --wait-timeout 5s --no-color`;
    const { exitCode, stdout, stderr } = await world.run(line, { terminal: 120 });
    expect(exitCode).toBe(10);
    expect(stdout).toMatch(/^Delivered +2$/m);
    expect(stderr).toContain('OPENED: 0 of 2 emails. Timed out: 2 emails.\n');
    const [, words = ''] = /To keep watching: mailer (run watch .+)/.exec(stderr) ?? [];
    expect((await world.run(words)).exitCode).toBe(0);
  });

  test('on a terminal with --fields is the emails', async () => {
    const world = sandboxWith('ana@example.org');
    const line = `${batch} --wait --fields to,status --no-color`;
    const { stdout } = await world.run(line, { terminal: 120 });
    expect(stdout).toMatch(/^TO +STATUS\nana@example\.org +DELIVERED\n/);
  });

  test('on a terminal shows no control characters of the service', async () => {
    const hostile = {
      status: 'BOUNCED',
      createdAt: 'x\u001b[H',
      data: { error: '\u001b[2J\u009bq' },
    };
    const body = { id: 'em_1', to: ['em_1@b.example'], emailEvents: [hostile] };
    const { run } = await sent(['em_1'], { body });
    const words = 'email batch b.json --yes --wait --wait-timeout 1ms --retries 0 --no-color';
    const { stdout, stderr } = await run(words, { terminal: 100 });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
    expect(stdout).not.toMatch(/[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]/);
    expect(stdout).toContain('\\x1b[2J');
    expect(stderr).not.toContain('\u001b[H');
  });
});

describe('the end', () => {
  test('a bad one is 9, and the others are followed to theirs first', async () => {
    const world = sandboxWith('bounced@example.org', 'delayed@example.org');
    const { exitCode, stdout, stderr } = await world.run(`${batch} --wait`);
    expect(exitCode).toBe(9);
    expect(stdout).toMatch(/\tBOUNCED\t.*\tPermanent\/General; smtp; 550 .*\n.*\tDELIVERED\t/);
    const [id] = stdout.split('\n')[1]?.split('\t') ?? [];
    expect(stderr).toContain(`${id}: BOUNCED: Permanent/General; smtp; 550 5.1.1 <bounced@`);
    expect(stderr).toContain(`\nError: DELIVERED: 1 of 2 emails. Failed: ${id}.\n`);
  });

  test('a timeout is 10, and the others are listed all the same', async () => {
    const world = sandboxWith('ana@example.org', 'opened@example.org');
    const { exitCode, stdout, stderr } = await world.run(
      `${batch} --wait=OPENED --wait-timeout 5s`,
    );
    expect(exitCode).toBe(10);
    expect(stdout).toMatch(/\tDELIVERED\t.*\tDELIVERED, not OPENED\n.*\tOPENED\t/);
    const [id] = stdout.split('\n')[1]?.split('\t') ?? [];
    expect(stderr).toContain(
      `\nError: OPENED: 1 of 2 emails. Timed out: ${id}.\nHint: To keep waiting: mailer email get ${id} --wait=OPENED --sandbox\n`,
    );
    expect(world.clock.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(5000);
  });

  test('a bad one counts more than time that is up', async () => {
    const world = sandboxWith('ana@example.org', 'bounced@example.org');
    const line = `${batch} --wait=OPENED --wait-timeout 5s --json`;
    const { exitCode, stdout, stderr } = await world.run(line);
    expect(exitCode).toBe(9);
    expect(JSON.parse(stdout).data).toHaveLength(2);
    expect(failureOf({ stdout, stderr })).toMatchObject({
      code: 'wait_failed',
      message: expect.stringMatching(/^OPENED: 0 of 2 emails\. Failed: .*\. Timed out: /),
    });
  });

  test('rejected rows are 11 if the others reached the status, else reported along with it', async () => {
    const short = 'Accepted 1 of 1 email; 1 invalid row skipped.';
    for (const [to, exitCode, code, message] of [
      ['ana@example.org', 11, 'partial', `${short} DELIVERED: 1 of 1 emails.`],
      ['bounced@example.org', 9, 'wait_failed', `${short} DELIVERED: 0 of 1 emails. Failed: `],
    ] as const) {
      const world = sandboxWith(to, 'nobody');
      const outcome = await world.run(`${batch} --skip-invalid --wait --json`);
      expect(outcome.exitCode).toBe(exitCode);
      expect(JSON.parse(outcome.stdout).data).toHaveLength(1);
      const failure = failureOf(outcome);
      expect(failure.code).toBe(code);
      expect(failure.message.slice(0, message.length)).toBe(message);
    }
  });

  test('rows that were not accepted are spoken of when following fails', async () => {
    const { run, file } = await connected(accepted('em_1'), { status: 404, body: { error: 'no' } });
    file('b.json', [row('a@b.example'), row('nobody')]);
    const outcome = await run('email batch b.json --yes --skip-invalid --wait --json');
    expect(outcome.exitCode).toBe(4);
    expect(errorOf(outcome).hint).toMatch(
      /^Accepted 1 of 1 email; .* Those accepted: em_1\. To keep waiting/,
    );
  });

  test('an email with copies is there when every recipient is', async () => {
    const world = createWorld();
    fileIn(world, 'b.json', [row('ana@example.org', { cc: 'bounced@example.org' })]);
    const { exitCode, stdout } = await world.run(`${batch} --wait`);
    expect(exitCode).toBe(9);
    expect(stdout).toContain('\tBOUNCED for bounced@example.org: Permanent/General; ');
  });

  test('copies that the service does not show are known: no list is asked for', async () => {
    const ids = ['em_1', 'em_2'];
    const there = (id: string) =>
      email(id, 'DELIVERED', { recipients: [`${id}@b.example`, 'ben@b.example'] });
    const setup = await sent(ids, ...ids.map(there));
    const copied = ids.map((id) => row(`${id}@b.example`, { cc: 'ben@b.example' }));
    setup.file('b.json', copied);
    const { exitCode } = await setup.run('email batch b.json --yes --wait');
    expect({ exitCode, asked: setup.asked() }).toEqual({ exitCode: 0, asked: ids });
  });

  test('a recipient left out by the service was suppressed: 9, and it is named', async () => {
    const { run, service, file } = await connected(accepted('em_1'), {
      body: { id: 'em_1', to: ['ana@example.org'], createdAt: at, emailEvents: [] },
    });
    file('b.json', [row(['ana@example.org', 'ben@example.org'])]);
    const { exitCode, stdout } = await run('email batch b.json --yes --wait');
    expect(exitCode).toBe(9);
    expect(stdout.split('\n')[1]).toBe(
      `em_1\tana@example.org\tSUPPRESSED\t${at}\tSUPPRESSED for ben@example.org`,
    );
    expect(service.requests).toHaveLength(2);
  });

  test('recipients that the service does not show are waited for', async () => {
    const event = (status: string, data: unknown) => ({ status, createdAt: at, data });
    const delivered = event('DELIVERED', { recipients: ['a@b.example'] });
    const bounced = event('BOUNCED', { bouncedRecipients: [{ emailAddress: 'c@b.example' }] });
    const body = { id: 'em_1', to: ['a@b.example'] };
    const { run, file } = await connected(
      accepted('em_1'),
      { body: { ...body, emailEvents: [delivered] } },
      { body: { ...body, emailEvents: [delivered, bounced] } },
    );
    file('b.json', [row('a@b.example', { bcc: ['C <c@b.example>'] })]);
    expect((await run('email batch b.json --yes --wait')).exitCode).toBe(9);
  });
});

describe('the looks', () => {
  test('are at emails that have not ended, less and less often', async () => {
    const { run, asked, world } = await sent(
      ['em_1', 'em_2', 'em_3'],
      ...[email('em_1', 'SENT'), email('em_2', 'BOUNCED'), email('em_3')],
      ...[email('em_1', 'DELIVERED'), email('em_3', 'SENT')],
      ...[email('em_3', 'SENT'), email('em_3', 'DELIVERED')],
    );
    expect((await run('email batch b.json --yes --wait')).exitCode).toBe(9);
    expect(asked()).toEqual(['em_1', 'em_2', 'em_3', 'em_1', 'em_3', 'em_3', 'em_3']);
    expect(world.clock.pauses).toEqual([500, 750, 1125]);
  });

  test('keep to the rate limit', async () => {
    const start = Date.parse('2026-01-15T10:00:00Z');
    const spent = (answer: Answer): Answer => ({
      ...answer,
      headers: {
        date: new Date(start).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': String(start / 1000 + 1),
      },
    });
    const looks = [spent(email('em_1', 'DELIVERED')), email('em_2', 'DELIVERED')];
    const { run, world } = await sent(['em_1', 'em_2'], ...looks);
    expect((await run('email batch b.json --yes --wait -q')).exitCode).toBe(0);
    expect(world.clock.pauses).toEqual([1000]);
  });

  test('continue after a lost connection, a 5xx and a 429, the others first', async () => {
    const lost: Answer = (response) => {
      response.destroy();
    };
    const { run, asked } = await sent(
      ['em_1', 'em_2'],
      ...[lost, email('em_2', 'SENT'), { status: 503 }],
      ...[{ status: 429 }, email('em_1', 'DELIVERED'), email('em_2', 'DELIVERED')],
    );
    const { exitCode, stdout, stderr } = await run('email batch b.json --yes --wait --retries 0');
    expect(exitCode).toBe(0);
    expect(asked()).toEqual(['em_1', 'em_2', 'em_1', 'em_2', 'em_1', 'em_2']);
    expect(stdout).toMatch(/\nem_1\t.*\nem_2\t/);
    expect(stderr.match(/Still waiting\.\n/g)).toHaveLength(3);
  });

  test('that fail for a reason without a full stop are a sentence all the same', async () => {
    const slowly = { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } };
    const { run } = await sent(['em_1'], slowly, email('em_1', 'DELIVERED'));
    const { stderr } = await run('email batch b.json --yes --wait --retries 0');
    expect(stderr).toContain('\nSlowly. Still waiting.\n');
  });

  test('that all fail: 7, each email by its id alone, and since when', async () => {
    const down = Array.from({ length: 20 }, () => ({ status: 503, body: 'down' }));
    const { run } = await sent(['em_1', 'em_2'], ...down);
    const words = 'email batch b.json --yes --wait --wait-timeout 3s --retries 0';
    const { exitCode, stdout, stderr } = await run(words);
    expect(exitCode).toBe(7);
    expect(stderr.match(/Still waiting\./g)).toHaveLength(1);
    expect(stderr).toContain(
      'Error: DELIVERED: 0 of 2 emails. Unknown: em_1, em_2. The service has been unavailable since 2026-01-15T10:00:00.000Z: The service responded with 503: down.\n',
    );
    expect(stdout).toMatch(/\nem_1\t\t\t\twithout a status, not DELIVERED\nem_2\t\t\t\t/);
    const again = await sent(['em_1'], ...down);
    const outcome = await again.run(`${words} --json`);
    expect(JSON.parse(outcome.stdout)).toEqual({ data: [{ id: 'em_1' }] });
    expect(failureOf(outcome)).toMatchObject({
      unreachableSince: '2026-01-15T10:00:00.000Z',
      last: 'DELIVERED: 0 of 1 emails',
    });
  });
});

describe('if following fails, the error says that the batch was accepted, with the ids', () => {
  const hint = /^All 2 emails were accepted: em_1, em_2\. .*mailer email get ID --wait=OPENED/;
  const line = 'email batch b.json --yes --wait=OPENED --json --retries 0';

  test.each([
    [404, 4],
    [403, 3],
  ])('%i is %i', async (status, exitCode) => {
    const { run, asked } = await sent(['em_1', 'em_2'], { status, body: { error: 'no' } });
    const outcome = await run(line);
    expect(outcome.exitCode).toBe(exitCode);
    expect(errorOf(outcome).hint).toMatch(hint);
    expect(errorOf(outcome)).not.toHaveProperty('idempotencyKey');
    expect(asked()).toEqual(['em_1']);
  });

  test('Ctrl-C is 130', async () => {
    const controller = new AbortController();
    const { run } = await sent(['em_1', 'em_2'], email('em_1', 'SENT'), () =>
      controller.abort(new InterruptedError('Interrupted.')),
    );
    const outcome = await run(line, { signal: controller.signal });
    expect(outcome.exitCode).toBe(130);
    expect(errorOf(outcome).hint).toMatch(hint);
  });

  test('an id that cannot be asked for is 8', async () => {
    const { run, asked } = await sent(['em_1', '../em_2']);
    const outcome = await run(line);
    expect(outcome.exitCode).toBe(8);
    expect(errorOf(outcome).message).toContain('"../em_2"');
    expect(errorOf(outcome).hint).toContain('were accepted: em_1, ../em_2.');
    expect(asked()).toEqual([]);
  });
});

test('on a terminal there are no lines beside the spinner', async () => {
  const world = sandboxWith('ana@example.org');
  const { stdout, stderr } = await world.run(`${batch} --wait`, { terminal: 80 });
  expect(stderr).not.toContain('Accepted');
  expect(stderr).not.toContain(': SENT');
  expect(stdout).toContain('Nothing has failed.');
});

test('--dry-run waits for nothing', async () => {
  const world = sandboxWith('ana@example.org');
  const { exitCode, stdout } = await world.run(`${batch} --wait --dry-run --json`);
  expect(exitCode).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ method: 'POST', body: [{ to: 'ana@example.org' }] });
  expect(world.clock.pauses).toEqual([]);
});

test.each([
  ['--wait=NONSENSE', '--wait: "NONSENSE" is not one of SENT, '],
  ['--wait --wait-timeout 0', '--wait-timeout: "0" is not a duration'],
  ['--wait-timeout 5s', '--wait-timeout needs --wait'],
])('%s: 2, and nothing is sent', async (flags, message) => {
  for (const command of [
    'email batch b.json --yes',
    'email send --file r.json',
    'email get em_1',
  ]) {
    const { run, service, file } = await connected();
    file('b.json', [row('a@b.example')]);
    file('r.json', row('a@b.example'));
    const outcome = await run(`${command} ${flags} --json`);
    expect(outcome.exitCode).toBe(2);
    expect(errorOf(outcome).message).toContain(message);
    expect(service.requests).toEqual([]);
  }
});

// The service ranks RENDERING_FAILURE below QUEUED, so that its list never shows it.
test('--wait ends for emails that failed to render, which the list shows as queued', async () => {
  const failing = Array.from({ length: 40 }, (_, at) => `rendering-failure+${at}@example.org`);
  const world = sandboxWith(...failing, 'ana@example.org');
  const { exitCode, stderr } = await world.run(`${batch} --wait`);
  expect(exitCode).toBe(9);
  expect(stderr).toContain('DELIVERED: 1 of 41 emails.');
  expect(stderr).not.toContain('Timed out');
});
