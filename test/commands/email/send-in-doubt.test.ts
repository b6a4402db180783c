import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { errorOf } from '../../support/connected.ts';
import { losingService } from '../../support/losing-service.ts';

const minute = 60_000;
const line = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Order 1234', '--text', 'It is on its way.', '--json', '--retries', '0'],
];
const keyed = [...line, '--idempotency-key', 'order-1234'];

/** The files that tell when requests began. */
function records(home: string): string[] {
  const directory = join(home, '.local', 'state', 'mailer', 'begun');
  return existsSync(directory) ? readdirSync(directory).map((name) => join(directory, name)) : [];
}

describe('a send whose response was lost, repeated with its key after a minute', () => {
  test('is not sent again if the service has its email', async () => {
    const at = await losingService('lose');
    const first = await at.run(keyed);
    expect(first.exitCode).toBe(7);
    expect(errorOf(first).hint).toContain('only if the service does not have it');
    at.world.clock.advance(2 * minute);
    const second = await at.run(keyed);
    expect(second.exitCode).toBe(0);
    expect(second.stderr).toContain('The service has this email already, so nothing was sent');
    expect(JSON.parse(second.stdout)).toEqual({ emailId: 'em_1' });
    expect(at.posts()).toHaveLength(1);
    expect(records(at.world.home)).toEqual([]);
  });

  test('is repeated under its key if two looks ten seconds apart find nothing', async () => {
    const at = await losingService('ignore');
    await at.run(keyed);
    at.world.clock.advance(2 * minute);
    const { exitCode } = await at.run(keyed);
    expect(exitCode).toBe(0);
    expect(at.lists()).toHaveLength(2);
    expect(at.world.clock.pauses).toEqual([10_000]);
    const [first, second, ...others] = at.posts();
    expect(others).toEqual([]);
    expect(second?.headers['idempotency-key']).toBe('order-1234');
    expect(second?.body).toBe(first?.body);
    expect(records(at.world.home)).toEqual([]);
  });

  test('waits until the lock of its key is over', async () => {
    const at = await losingService('ignore');
    await at.run(keyed);
    at.world.clock.advance(31_000);
    expect((await at.run(keyed)).exitCode).toBe(0);
    expect(at.world.clock.pauses).toEqual([10_000, 10_000, 10_000]);
  });

  test('is found while it is looked for', async () => {
    const at = await losingService((response) => {
      at.created.pop();
      response.destroy();
    });
    await at.run(keyed);
    at.world.clock.advance(31_000);
    const late = JSON.parse(at.posts()[0]?.body ?? '');
    const { length } = at.world.clock.pauses;
    const push = at.world.clock.pauses.push.bind(at.world.clock.pauses);
    at.world.clock.pauses.push = (...ms) => {
      if (at.world.clock.pauses.length === length) at.create(late);
      return push(...ms);
    };
    expect((await at.run(keyed)).exitCode).toBe(0);
    expect(at.posts()).toHaveLength(1);
  });

  test('is found by the printed command, too', async () => {
    const at = await losingService('lose');
    const { idempotencyKey = '' } = errorOf(await at.run(line));
    at.world.clock.advance(2 * minute);
    expect((await at.run([...line, '--idempotency-key', idempotencyKey])).exitCode).toBe(0);
    expect(at.posts()).toHaveLength(1);
  });

  test.each([
    ['several recipients', ['--to', 'ben@example.org', '--cc', 'cem@example.org']],
    ['a time', ['--scheduled-at', '2026-03-01T09:00:00Z']],
  ])('with %s is found likewise', async (_, more) => {
    const at = await losingService('lose');
    await at.run([...keyed, ...more]);
    at.world.clock.advance(2 * minute);
    expect((await at.run([...keyed, ...more])).exitCode).toBe(0);
    expect(at.posts()).toHaveLength(1);
  });

  test('is left alone if the look fails, which proves nothing', async () => {
    const at = await losingService('lose');
    await at.run(keyed);
    at.world.clock.advance(2 * minute);
    at.listStatus = 403;
    const outcome = await at.run(keyed);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringContaining(
        'Cannot check whether the service has the email whose response was lost, so it was not sent again: ',
      ),
      hint: expect.stringContaining('--idempotency-key order-1234'),
      idempotencyKey: 'order-1234',
    });
    expect(at.posts()).toHaveLength(1);
    expect(records(at.world.home)).toHaveLength(1);
  });

  test('is not sent again if several emails may be its own', async () => {
    const at = await losingService('lose');
    await at.run(keyed);
    at.create(at.created[0] ?? {});
    at.world.clock.advance(2 * minute);
    const outcome = await at.run(keyed);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome)).toMatchObject({
      message: expect.stringContaining('may belong to another request'),
      hint: 'Check with mailer email list whether it was sent. To send it in any case, use another idempotency key.',
    });
    expect(at.posts()).toHaveLength(1);
  });

  test('is not sent again if another request without a response may own the only one', async () => {
    const at = await losingService('lose', 'ignore');
    await at.run(keyed);
    await at.run([...line, '--idempotency-key', 'other']);
    at.world.clock.advance(2 * minute);
    expect((await at.run(keyed)).exitCode).toBe(7);
    expect((await at.run([...line, '--idempotency-key', 'other'])).exitCode).toBe(7);
    expect(at.posts()).toHaveLength(2);
  });

  test('is not taken for an email from before it', async () => {
    const at = await losingService();
    await at.run([...line, '--idempotency-key', 'earlier']);
    at.world.clock.advance(minute);
    at.sends.push('ignore');
    await at.run(keyed);
    at.world.clock.advance(2 * minute);
    const { exitCode, stdout } = await at.run(keyed);
    expect({ exitCode, id: JSON.parse(stdout).emailId }).toEqual({ exitCode: 0, id: 'em_2' });
    expect(at.posts()).toHaveLength(3);
  });

  test('stops at an email from before it if the clock was set meanwhile', async () => {
    const at = await losingService();
    await at.run([...line, '--idempotency-key', 'earlier']);
    at.world.clock.advance(minute);
    at.sends.push('ignore');
    await at.run(keyed);
    at.world.clock.now += 120 * minute;
    at.ahead = -120 * minute;
    expect((await at.run(keyed)).exitCode).toBe(7);
    expect(at.posts()).toHaveLength(2);
  });

  test('is found although the clock is an hour late', async () => {
    const at = await losingService('lose');
    at.ahead = 60 * minute;
    await at.run(keyed);
    at.world.clock.advance(2 * minute);
    expect((await at.run(keyed)).exitCode).toBe(0);
    expect(at.posts()).toHaveLength(1);
  });

  test('is found at another spelling of the URL, and with a new API key', async () => {
    const at = await losingService('lose');
    await at.run(keyed);
    at.world.clock.advance(2 * minute);
    const { baseUrl } = at.service;
    const local = baseUrl.replace('127.0.0.1', 'localhost');
    const there = await at.run(keyed, { env: { MAILER_BASE_URL: local } });
    expect(there.exitCode).toBe(0);
    at.sends.push('lose');
    await at.run([...line, '--idempotency-key', 'next']);
    at.world.clock.advance(2 * minute);
    const other = { env: { MAILER_API_KEY: 'us_new_1234567890' } };
    await at.run([...line, '--idempotency-key', 'next'], other);
    expect(at.posts()).toHaveLength(2);
  });

  test('of another account is another send', async () => {
    const at = await losingService('lose');
    await at.run(keyed);
    const env = {
      MAILER_BASE_URL: at.service.baseUrl.replace('127.0.0.1', 'localhost'),
      MAILER_API_KEY: 'us_new_1234567890',
    };
    at.world.clock.advance(2 * minute);
    expect((await at.run(keyed, { env })).exitCode).toBe(0);
    expect(at.lists()).toEqual([]);
    expect(at.posts()).toHaveLength(2);
  });
});

test('a send whose response was lost is repeated without a look within 30 seconds', async () => {
  const at = await losingService('lose');
  await at.run(keyed);
  at.world.clock.advance(20_000);
  expect((await at.run(keyed)).exitCode).toBe(0);
  expect(at.lists()).toEqual([]);
  expect(at.posts()).toHaveLength(2);
});

test('retries of a repetition end 30 seconds after the first began', async () => {
  const at = await losingService('lose', 'lose', 'lose', 'lose', 'lose');
  await at.run(keyed);
  at.world.clock.advance(29_900);
  const { exitCode } = await at.run([
    ...keyed.slice(0, -4),
    ...keyed.slice(-2),
    '--retries',
    '4',
    '--timeout',
    '9',
  ]);
  expect(exitCode).toBe(7);
  expect(at.posts()).toHaveLength(2);
});

test('the key of a send without an outcome is not used for another email', async () => {
  const at = await losingService('lose');
  await at.run(keyed);
  at.world.clock.advance(2 * minute);
  const outcome = await at.run([...keyed, '--cc', 'ben@example.org']);
  expect(outcome.exitCode).toBe(5);
  expect(errorOf(outcome).message).toContain('Nothing was sent.');
  expect(at.posts()).toHaveLength(1);
});

describe('the record of a send', () => {
  test('is on disk before it leaves, private, and tells neither key nor address', async () => {
    const at = await losingService((response) => {
      seen.push(...records(at.world.home));
      response.destroy();
    });
    const seen: string[] = [];
    await at.run(keyed);
    expect(seen).toHaveLength(1);
    expect(seen).toEqual(records(at.world.home));
    const [path = ''] = seen;
    expect(statSync(path).mode & 0o777).toBe(0o600);
    const text = path + readFileSync(path, 'utf8');
    for (const secret of ['order-1234', 'ana@', 'us_key', 'Order'])
      expect(text).not.toContain(secret);
  });

  test.each([['accept'], ['reject']] as const)(
    'is gone when the service responds: %s',
    async (how) => {
      const at = await losingService(how);
      await at.run(keyed);
      expect(records(at.world.home)).toEqual([]);
    },
  );

  test('is gone a day later, when the service has forgotten the key', async () => {
    const at = await losingService('lose');
    await at.run(keyed);
    at.world.clock.advance(24 * 60 * minute);
    expect((await at.run(keyed)).exitCode).toBe(0);
    expect(at.posts()).toHaveLength(2);
    expect(records(at.world.home)).toEqual([]);
  });

  test('that cannot be written does not stop it, but is warned of', async () => {
    const at = await losingService('accept', 'lose');
    const env = { MAILER_STATE_DIR: '/dev/null/x' };
    const { exitCode, stderr } = await at.run(keyed, { env });
    expect(exitCode).toBe(0);
    expect(stderr).toContain('Warning: Cannot record that this send began (/dev/null/x');
    const lost = await at.run(keyed, { env });
    expect(lost.exitCode).toBe(7);
    expect(errorOf(lost).hint).toContain('Check with mailer email list first.');
  });
});

describe('a proxy that gives up after a minute, exactly the lock of the key', () => {
  const patient = keyed.slice(0, -4).concat('--idempotency-key', 'order-1234');
  /** The response of a proxy, after a minute. */
  async function behindProxy(isCarriedOut: boolean) {
    const at = await losingService((response) => {
      if (!isCarriedOut) at.created.pop();
      at.world.clock.advance(minute);
      response.writeHead(504, { 'content-type': 'text/html' }).end('<html>Gateway Time-out</html>');
    });
    return at;
  }

  test('is followed by a look, which finds the email', async () => {
    const at = await behindProxy(true);
    const { exitCode, stdout } = await at.run(patient);
    expect({ exitCode, id: JSON.parse(stdout).emailId }).toEqual({ exitCode: 0, id: 'em_1' });
    expect(at.posts()).toHaveLength(1);
  });

  test('is followed by a look, then by the same request if nothing is found', async () => {
    const at = await behindProxy(false);
    expect((await at.run(patient)).exitCode).toBe(0);
    expect(at.lists()).toHaveLength(2);
    expect(at.posts().map(({ headers }) => headers['idempotency-key'])).toEqual([
      'order-1234',
      'order-1234',
    ]);
  });

  test('is not, with a --timeout of your own', async () => {
    const at = await behindProxy(true);
    expect((await at.run([...patient, '--timeout', '70'])).exitCode).toBe(7);
    expect(at.service.requests).toHaveLength(1);
  });
});

describe('api', () => {
  const words = ['api', 'POST', 'v1/emails/batch', '--input', 'emails.json', '--json'];
  const line = [...words, '--retries', '0', '--idempotency-key', 'two'];
  const emails = ['ana', 'ben'].map((name) => ({
    ...{ to: `${name}@example.org`, from: 'hello@example.com' },
    ...{ subject: `Hi ${name}`, text: 'Hello' },
  }));

  test('looks for the emails of a request that is repeated, too', async () => {
    const at = await losingService('lose');
    at.file('emails.json', emails);
    expect((await at.run(line)).exitCode).toBe(7);
    at.world.clock.advance(2 * minute);
    const { exitCode, stdout } = await at.run(line);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toEqual({ data: [{ emailId: 'em_1' }, { emailId: 'em_2' }] });
    expect(at.posts()).toHaveLength(1);
  });

  test('stops if the service has only some of them', async () => {
    const at = await losingService('lose');
    at.file('emails.json', emails);
    await at.run(line);
    at.created.pop();
    at.world.clock.advance(2 * minute);
    expect((await at.run(line)).exitCode).toBe(7);
    expect(at.posts()).toHaveLength(1);
  });
});
