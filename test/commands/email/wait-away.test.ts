import { describe, expect, test } from 'vitest';
import { connected, errorOf, failureOf } from '../../support/connected.ts';
import type { Answer } from '../../support/recorder.ts';

const accepted: Answer = { body: { emailId: 'em_1' } };
const down: Answer = { status: 503, body: 'down' };
const lost: Answer = (response) => {
  response.destroy();
};
const busy: Answer = { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'Slowly' } } };
const silence: Answer = () => {};

function email(status?: string): Answer {
  const event = { status, createdAt: '2026-01-15T10:00:00Z', data: null };
  const to = ['a@b.example'];
  return { body: { id: 'em_1', to, cc: [], bcc: [], emailEvents: status ? [event] : [] } };
}

const send = [
  ...['email', 'send', '--to', 'a@b.example', '--from', 'c@d.example', '--subject', 'S'],
  ...['--text', 'T', '--wait', '--json'],
];

const sum = (pauses: readonly number[]) => pauses.reduce((total, pause) => total + pause, 0);

describe('an unavailable service', () => {
  test('is waited for after a send, beyond the retries', async () => {
    const away = [down, down, lost, lost, busy, busy];
    const { run, service } = await connected(accepted, ...away, email('DELIVERED'));
    const outcome = await run([...send, '--retries', '1']);
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(service.requests).toHaveLength(8);
  });

  test('is waited for by email get after its first response', async () => {
    const { run } = await connected(email('SENT'), lost, email('DELIVERED'));
    expect((await run('email get em_1 --wait --retries 0')).exitCode).toBe(0);
  });

  test('that stays unavailable is 7, and the error has the reason, since when, and the last status', async () => {
    const { run } = await connected(accepted, email('SENT'), ...Array(40).fill(down));
    const outcome = await run([...send, '--retries', '0', '--wait-timeout', '20s']);
    expect(outcome.exitCode).toBe(7);
    const { code, message, hint, ...more } = failureOf(outcome);
    expect(code).toBe('unavailable');
    expect(message).toBe(
      'The service has been unavailable since 2026-01-15T10:00:00.500Z: The service responded with 503: down. The last known status of email em_1 is SENT.',
    );
    expect(more).toEqual({ unreachableSince: '2026-01-15T10:00:00.500Z', last: 'SENT' });
    expect(hint).toContain('mailer email get em_1 --wait=DELIVERED');
  });

  test('an earlier error is not reported if the last request succeeded', async () => {
    const { run } = await connected(accepted, down, email('SENT'), email('SENT'));
    const outcome = await run([...send, '--retries', '0', '--wait-timeout', '1s']);
    expect(failureOf(outcome).message).toBe(
      'The wait timed out: email em_1 is SENT, not DELIVERED.',
    );
  });

  test('other errors end it', async () => {
    const { run } = await connected(email('SENT'), { status: 403, body: { error: 'no' } });
    expect((await run('email get em_1 --wait --retries 0')).exitCode).toBe(3);
  });
});

describe('the end of the time', () => {
  test('limits the pauses between retries', async () => {
    const { run, world } = await connected(accepted, ...Array(60).fill(down));
    const outcome = await run([...send, '--wait-timeout', '10s'], { random: () => 0.999 });
    expect(outcome.exitCode).toBe(7);
    expect(sum(world.clock.pauses)).toBeGreaterThanOrEqual(10_000);
    expect(sum(world.clock.pauses)).toBeLessThanOrEqual(11_000);
  });

  test('ends the requests to a service that asks to wait past it', async () => {
    const later: Answer = { status: 429, headers: { 'retry-after': '50' }, body: {} };
    const { run, service, world } = await connected(accepted, later, email('DELIVERED'));
    const outcome = await run([...send, '--wait-timeout', '20s']);
    expect(outcome.exitCode).toBe(7);
    expect(service.requests).toHaveLength(2);
    expect(sum(world.clock.pauses)).toBe(20_000);
  });

  test('limits waiting for the rate limit: no request that would be too late', async () => {
    const start = Date.parse('2026-01-15T10:00:00Z');
    const spent: Answer = (response) => {
      const reset = String(start / 1000 + 30);
      response.writeHead(200, {
        'content-type': 'application/json',
        date: new Date(start).toUTCString(),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': reset,
      });
      response.end(JSON.stringify({ id: 'em_1', emailEvents: [] }));
    };
    const { run, service, world } = await connected(accepted, spent, email('DELIVERED'));
    const outcome = await run([...send, '--wait-timeout', '20s']);
    expect(outcome.exitCode).toBe(10);
    expect(service.requests).toHaveLength(2);
    expect(sum(world.clock.pauses)).toBe(20_000);
  });

  test('ends a request without a response, a second later at most', async () => {
    const { run, service } = await connected(accepted, silence, silence);
    const outcome = await run([...send, '--wait-timeout', '1ms', '--timeout', '600']);
    expect(outcome.exitCode).toBe(7);
    expect(failureOf(outcome)).toMatchObject({
      message: expect.stringMatching(
        / did not respond within 1 s\. The status of .* is not known\.$/,
      ),
      last: null,
    });
    expect(service.requests).toHaveLength(3);
  });

  test('does not limit the send: it has all its retries', async () => {
    const { run, service } = await connected(...Array(4).fill(down), accepted, email('DELIVERED'));
    const outcome = await run([...send, '--wait-timeout', '1ms']);
    expect(outcome.exitCode).toBe(0);
    expect(service.requests).toHaveLength(6);
  });
});

test('another email than the awaited one is an invalid response: 8', async () => {
  const other = { id: 'em_2', to: ['a@b.example'], emailEvents: [] };
  const { run } = await connected({ body: other });
  const outcome = await run('email get em_1 --wait --json');
  expect(outcome.exitCode).toBe(8);
  expect(errorOf(outcome).message).toContain('"em_2"');
});

test('an id too short to be requested, of an accepted email: 8, not a usage error', async () => {
  const { run } = await connected({ body: { emailId: 'e1' } });
  const line = 'email send --from f@b.example --to a@b.example --subject S --text T --wait --json';
  const outcome = await run(line);
  expect(outcome.exitCode).toBe(8);
  expect(errorOf(outcome).message).toContain('accepted');
});
