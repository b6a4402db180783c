import { describe, expect, test } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { connected, errorOf, failureOf } from '../../support/connected.ts';
import { createWorld } from '../../support/run.ts';

/** A send to a recipient whose address determines the outcome. */
function sendTo(to: string, ...flags: readonly string[]): string[] {
  return [
    ...['email', 'send', '--sandbox', '--to', to, '--from', 'Shop <hello@example.com>'],
    ...['--subject', 'Hi', '--text', 'Hello', ...flags],
  ];
}

test('prints the id on stdout, and on stderr a command that shows its status', async () => {
  const world = createWorld();
  const { exitCode, stdout, stderr } = await world.run(sendTo('ana@example.org'));
  expect(exitCode).toBe(0);
  expect(stdout).toMatch(/^c[a-z0-9]{24}\n$/);
  const [, next = ''] = /^Accepted\. .*: mailer (.+)\n$/.exec(stderr) ?? [];
  expect(next).toContain(`email get ${stdout.trim()}`);
  const shown = await world.run(next.includes('--sandbox') ? next : `${next} --sandbox`);
  expect(shown.stdout).toContain('ana@example.org');
});

test('-q prints the id and nothing else', async () => {
  const { stdout, stderr } = await createWorld().run(sendTo('ana@example.org', '-q'));
  expect(stdout).toMatch(/^c[a-z0-9]{24}\n$/);
  expect(stderr).toBe('');
});

test('--json prints the response of the service', async () => {
  const { stdout } = await createWorld().run(sendTo('ana@example.org', '--json'));
  expect(JSON.parse(stdout)).toEqual({ emailId: expect.stringMatching(/^c[a-z0-9]{24}$/) });
});

test('the same line under the same key sends once', async () => {
  const world = createWorld();
  const line = sendTo('ana@example.org', '--idempotency-key', 'order-1');
  const first = await world.run(line);
  expect(await world.run(line)).toEqual(first);
  const listed = await world.run('email list --sandbox --quiet');
  expect(listed.stdout.split('\n').filter((id) => id === first.stdout.trim())).toHaveLength(1);
});

test('another body under the same key is a conflict', async () => {
  const world = createWorld();
  await world.run(sendTo('ana@example.org', '--idempotency-key', 'order-1'));
  const other = sendTo('ben@example.org', '--idempotency-key', 'order-1', '--json');
  const outcome = await world.run(other);
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome)).toMatchObject({ code: 'conflict', status: 409, apiCode: 'NOT_UNIQUE' });
});

test('a scheduled email waits for its time', async () => {
  const world = createWorld();
  const sent = await world.run(sendTo('ana@example.org', '--scheduled-at', 'tomorrow 9am'));
  expect(sent.stderr).toMatch(/^Scheduled for .*09:00.*\(2026-01-16T09:00:00Z\)\.\n$/);
  const id = sent.stdout.trim();
  const status = async () =>
    (await world.run(`email list --sandbox --csv --fields id,latestStatus`)).stdout
      .split('\r\n')
      .find((line) => line.startsWith(id));
  expect(await status()).toBe(`${id},SCHEDULED`);
  world.clock.advance(24 * 3_600_000);
  expect(await status()).toBe(`${id},DELIVERED`);
});

test('a stored template is filled in', async () => {
  const world = createWorld();
  const { stdout } = await world.run([
    ...['email', 'send', '--sandbox', '--to', 'ana@example.org', '--from', 'hello@example.com'],
    ...['--template', 'tmpl_welcome', '--var', 'name=Ana', '--html', '-', '-q'],
  ]);
  const email = await world.run(`email get ${stdout.trim()} --sandbox --json`);
  expect(JSON.parse(email.stdout)).toMatchObject({ subject: 'Welcome, Ana!' });
});

describe('--wait', () => {
  test('follows the email to its delivery and shows it', async () => {
    const world = createWorld();
    const { exitCode, stdout } = await world.run(
      sendTo('delivered@example.org', '--wait', '--json'),
    );
    expect(exitCode).toBe(0);
    const { emailEvents } = JSON.parse(stdout);
    expect(emailEvents.map(({ status }: { status: string }) => status)).toContain('DELIVERED');
  });

  test.each([
    ['opened@example.org', 'OPENED'],
    ['clicked@example.org', 'CLICKED'],
    ['clicked@example.org', 'opened'],
    ['bounced@example.org', 'BOUNCED'],
    ['complained@example.org', 'COMPLAINED'],
  ])('of an email to %s for %s is 0', async (to, status) => {
    const { exitCode, stdout } = await createWorld().run(sendTo(to, `--wait=${status}`, '-q'));
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^c[a-z0-9]{24}\n$/);
  });

  test.each([
    ['bounced@example.org', 'BOUNCED'],
    ['rejected@example.org', 'REJECTED'],
    ['failed@example.org', 'FAILED'],
    ['suppressed@example.org', 'SUPPRESSED'],
  ])('of an email to %s is 9, because it is %s', async (to, status) => {
    const outcome = await createWorld().run(sendTo(to, '--wait', '--json'));
    expect(outcome.exitCode).toBe(9);
    const { code, message } = failureOf(outcome);
    expect(outcome.stdout).toContain(`"status":"${status}"`);
    expect(code).toBe('wait_failed');
    expect(message).toContain(status);
  });

  test('for OPENED, followed by a complaint, is 0', async () => {
    const outcome = await createWorld().run(sendTo('complained@example.org', '--wait=DELIVERED'));
    expect(outcome.exitCode).toBe(0);
  });

  test('is 10 when time is up, with how to continue', async () => {
    const world = createWorld();
    const words = sendTo(
      'delivered@example.org',
      '--wait=OPENED',
      '--wait-timeout',
      '1m',
      '--json',
    );
    const outcome = await world.run(words);
    expect(outcome.exitCode).toBe(10);
    const { code, message, hint } = failureOf(outcome);
    expect(code).toBe('wait_timeout');
    expect(message).toContain('DELIVERED');
    expect(hint).toMatch(/mailer email get c[a-z0-9]{24} --wait=OPENED/);
    expect(world.clock.pauses.reduce((sum, pause) => sum + pause, 0)).toBe(60_000);
  });

  test.each([
    ['bounced@example.org', '5m', 9],
    ['ana@example.org', '1ms', 10],
  ])('to %s within %s still has the id on stdout', async (to, timeout, exitCode) => {
    const words = sendTo(to, '--wait=OPENED', '--wait-timeout', timeout, '-q');
    const outcome = await createWorld().run(words);
    expect(outcome.exitCode).toBe(exitCode);
    expect(outcome.stdout).toMatch(/^c[a-z0-9]{24}\n$/);
    expect(outcome.stderr).toMatch(/^Error: (The wait timed out: e|E)mail c.*\nHint: /);
  });

  test('that never finds the email shows the id', async () => {
    const down = { status: 503 };
    for (const [format, stdout] of [
      ['-q', 'em_1\n'],
      ['--json', '{"emailId":"em_1"}\n'],
      ['--no-color', 'em_1\n'],
    ] as const) {
      const { run } = await connected({ body: { emailId: 'em_1' } }, down, down, down);
      const words = sendTo('a@b.example', '--wait', '--wait-timeout', '1ms', '--retries', '0');
      const outcome = await run([...words.filter((word) => word !== '--sandbox'), format]);
      expect(outcome).toMatchObject({ exitCode: 7, stdout });
      expect(outcome.stderr).toContain('The status of email em_1 is not known.');
      expect(outcome.stderr.trimEnd().split('\n')).toHaveLength(
        { '-q': 2, '--json': 1, '--no-color': 3 }[format],
      );
    }
  });

  test('prints a line for each change without a spinner, but not with --json or -q', async () => {
    const to = 'delayed@example.org';
    const { stderr } = await createWorld().run(sendTo(to, '--wait'));
    expect(stderr).toBe(
      ['without a status', 'SENT', 'DELIVERY_DELAYED']
        .map((state) => `Waiting for DELIVERED; now ${state}\n`)
        .join(''),
    );
    for (const quiet of ['--json', '-q']) {
      expect((await createWorld().run(sendTo(to, '--wait', quiet))).stderr).toBe('');
    }
    const onTerminal = await createWorld().run(sendTo(to, '--wait'), { terminal: 80 });
    expect(onTerminal.stderr).not.toContain('now SENT\n');
  });

  test('of a scheduled email is 10 if its time is later, and shows that time', async () => {
    const world = createWorld();
    const words = sendTo('ana@example.org', '--wait', '--scheduled-at', 'in 2 hours');
    const sent = await world.run([...words, '--wait-timeout', '30s']);
    expect(sent.exitCode).toBe(10);
    expect(sent.stderr).toContain(
      'Waiting for DELIVERED; now scheduled for 2026-01-15T12:00:00Z\n',
    );
    expect(sent.stderr).toMatch(
      /^Error: The wait timed out: email \S+ is scheduled for 2026-01-15T12:00:00Z, not DELIVERED\.$/m,
    );
    const { stdout: id } = await world.run('email list --sandbox --limit 1 --quiet');
    const got = await world.run(`email get ${id.trim()} --sandbox --wait --wait-timeout 30s`);
    expect(got.exitCode).toBe(10);
    expect(got.stderr).toContain('is scheduled for 2026-01-15T12:00:00.000Z, not DELIVERED');
  });

  describe('that cannot be followed', () => {
    const accepted = { body: { emailId: 'em_1' } };
    const line = sendTo('ana@example.org', '--wait=OPENED').filter((word) => word !== '--sandbox');
    const hint = /accepted: em_1\b.*mailer email get em_1 --wait=OPENED/;

    test.each([
      [404, 4],
      [403, 3],
    ])('because of a %i is %i, and reports that it was accepted', async (status, exitCode) => {
      const { run, service } = await connected(accepted, { status, body: { error: 'no' } });
      const outcome = await run([...line, '--json', '--retries', '0']);
      expect(outcome.exitCode).toBe(exitCode);
      expect(errorOf(outcome).hint).toMatch(hint);
      expect(service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
    });

    test('because of Ctrl-C is 130, and reports that it was accepted', async () => {
      const controller = new AbortController();
      const { run } = await connected(accepted, () =>
        controller.abort(new InterruptedError('Interrupted.')),
      );
      const outcome = await run(line, { signal: controller.signal });
      expect(outcome.exitCode).toBe(130);
      expect(outcome.stderr).toMatch(hint);
    });
  });
});
