import type { ServerResponse } from 'node:http';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { connected, errorOf } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { worldWith } from '../../../support/stored-profiles.ts';
import { shortLimit } from '../../../support/time-limits.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];

/** Never responds. `closed` resolves once the client has disconnected. */
function silence(before: (response: ServerResponse) => void = () => {}) {
  let hungUp = () => {};
  const closed = new Promise<void>((resolve) => {
    hungUp = resolve;
  });
  const answer: Answer = (response) => {
    response.on('close', hungUp);
    before(response);
  };
  return { answer, closed };
}

describe('--timeout', () => {
  test('ends a request without a response with 7, and disconnects', async () => {
    const { answer, closed } = silence();
    const { run, service } = await connected(answer);
    const outcome = await run(`email list --timeout ${shortLimit} --retries 0 --json`);
    expect(outcome.exitCode).toBe(7);
    const { code, message } = errorOf(outcome);
    expect(code).toBe('unavailable');
    expect(message).toContain(new URL(service.url).host);
    expect(message).toContain(`${shortLimit} s`);
    await closed;
  });

  test('ends a response that stops in the middle', async () => {
    const { answer, closed } = silence((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"data":[');
    });
    const { run } = await connected(answer);
    expect((await run(`email list --timeout ${shortLimit} --retries 0`)).exitCode).toBe(7);
    await closed;
  });

  test('limits the whole response, however often a byte arrives', async () => {
    const { answer, closed } = silence((response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const timer = setInterval(() => response.write(' '), 10);
      response.on('close', () => clearInterval(timer));
    });
    const { run } = await connected(answer);
    expect((await run(`email list --timeout ${shortLimit} --retries 0`)).exitCode).toBe(7);
    await closed;
  });

  test('limits each request: a retry may succeed', async () => {
    const page = { body: { data: [], count: 0 } };
    const { run } = await connected(silence().answer, page);
    expect((await run(`email list --timeout ${shortLimit}`)).exitCode).toBe(0);
  });

  test('of a send is kept, and nothing is retried after it: the key may no longer be locked', async () => {
    const { run, service } = await connected(silence().answer, { body: { emailId: 'em_1' } });
    const outcome = await run([...send, '--timeout', String(shortLimit)]);
    expect(outcome.exitCode).toBe(7);
    expect(service.requests).toHaveLength(1);
    expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });

  test('of a send is an unknown outcome', async () => {
    const { run, service } = await connected(silence().answer);
    const outcome = await run([...send, '--timeout', `${1000 * shortLimit}ms`, '--retries', '0']);
    expect(outcome.exitCode).toBe(7);
    expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });

  test('overrides the setting of the profile', async () => {
    const { service } = await connected(silence().answer, silence().answer);
    const settings = { timeout: String(2 * shortLimit), retries: '0' };
    const profile = { baseUrl: service.baseUrl, apiKey: 'us_key_1234567890', settings };
    const world = await worldWith({ work: profile }, 'work');
    const bySetting = await world.run('email list --json');
    expect(errorOf(bySetting).message).toContain(`${2 * shortLimit} s`);
    expect(service.requests).toHaveLength(1);
    const byFlag = await world.run(`email list --json --timeout ${shortLimit}`);
    expect(errorOf(byFlag).message).toContain(`${shortLimit} s`);
  });
});

describe('Ctrl-C and SIGTERM', () => {
  // The real system aborts with these errors, whose class decides the exit code.
  const reasons = async () => {
    const { InterruptedError, TerminatedError } = await import(
      '../../../../src/lib/base/errors.ts'
    );
    return [
      [new InterruptedError('Interrupted.'), 130],
      [new TerminatedError('Terminated.'), 143],
    ] as const;
  };

  test('during a request disconnect and end with 130 and 143, without a message for a read', async () => {
    for (const [reason, exitCode] of await reasons()) {
      const controller = new AbortController();
      const { answer, closed } = silence(() => controller.abort(reason));
      const { run, service } = await connected(answer);
      const outcome = await run('email list', { signal: controller.signal });
      expect(outcome).toEqual({ exitCode, stdout: '', stderr: '' });
      await closed;
      expect(service.requests).toHaveLength(1);
    }
  });

  test('during a send print how to repeat it, because it may have been accepted', async () => {
    for (const [reason, exitCode] of await reasons()) {
      const controller = new AbortController();
      const { answer } = silence(() => controller.abort(reason));
      const { run, service } = await connected(answer);
      const outcome = await run(send, { signal: controller.signal });
      expect(outcome.exitCode).toBe(exitCode);
      expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
    }
  });

  test('before anything was sent end with 130 without a message', async () => {
    const [[reason]] = await reasons();
    const { run, service } = await connected();
    const outcome = await run(send, { signal: AbortSignal.abort(reason) });
    expect(outcome).toEqual({ exitCode: 130, stdout: '', stderr: '' });
    expect(service.requests).toEqual([]);
  });

  test('while waiting for the rate limit, after an attempt with an unknown outcome, report that', async () => {
    const [[reason]] = await reasons();
    const controller = new AbortController();
    const reset = String(Date.parse('2026-01-15T10:00:00Z') / 1000 + 30);
    const { run, service } = await connected((response) => {
      const spent = { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': reset };
      response.writeHead(503, { ...spent, date: 'Thu, 15 Jan 2026 10:00:00 GMT' }).end();
    });
    let draws = 0;
    const random = () => {
      // The first number is for the pause after the 503; the wait for the rate limit follows.
      if (draws++ === 0) queueMicrotask(() => controller.abort(reason));
      return 0;
    };
    const outcome = await run(send, { signal: controller.signal, random });
    expect(outcome.exitCode).toBe(130);
    expect(errorOf(outcome).idempotencyKey).toBe(service.requests[0]?.headers['idempotency-key']);
  });
});

describe('without --timeout', () => {
  const toFake: ('setTimeout' | 'clearTimeout')[] = ['setTimeout', 'clearTimeout'];

  /** Starts a command whose requests have no response, and lets time pass once the first is there. */
  async function waiting(words: string | readonly string[], ...later: readonly Answer[]) {
    const { run, service } = await connected(silence().answer, ...later);
    vi.useFakeTimers({ toFake, shouldAdvanceTime: true });
    onTestFinished(() => void vi.useRealTimers());
    let exitCode: number | undefined;
    const ended = run(words).then((outcome) => {
      exitCode = outcome.exitCode;
      return outcome;
    });
    const arrived = async (count: number) => {
      while (service.requests.length < count) await new Promise(setImmediate);
    };
    return { ended, service, arrived, exitCode: () => exitCode };
  }

  test('a send waits for 120 s, longer than services lock its key, and says after 30 that the service is slow', async () => {
    const at = await waiting([...send.filter((word) => word !== '--json'), '--retries', '0']);
    await at.arrived(1);
    await vi.advanceTimersByTimeAsync(119_000);
    expect(at.exitCode()).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2_000);
    const { exitCode, stderr } = await at.ended;
    expect({ exitCode, requests: at.service.requests.length }).toEqual({
      exitCode: 7,
      requests: 1,
    });
    const { host } = new URL(at.service.url);
    expect(stderr).toContain(`${host} is slow: no response for 30 s, still waiting`);
    expect(stderr).toContain('--idempotency-key');
  });

  test('it is then looked for, and not sent again if the service has it', async () => {
    const email = {
      ...{ id: 'em_1', to: ['ana@example.org'], from: 'hello@example.com' },
      ...{ subject: 'Hi', text: 'Hello', createdAt: new Date().toISOString() },
    };
    const at = await waiting(send, { body: { data: [email], count: 1 } });
    await at.arrived(1);
    await vi.advanceTimersByTimeAsync(121_000);
    const { exitCode, stdout } = await at.ended;
    expect({ exitCode, id: JSON.parse(stdout).emailId }).toEqual({ exitCode: 0, id: 'em_1' });
    expect(at.service.requests.map(({ method }) => method)).toEqual(['POST', 'GET']);
  });

  test('a request that only reads waits for 30 s', async () => {
    const at = await waiting('email list --retries 0');
    await at.arrived(1);
    await vi.advanceTimersByTimeAsync(31_000);
    expect((await at.ended).exitCode).toBe(7);
  });
});

test('a send in doubt is looked for if its turn comes only when its key may be unlocked', async () => {
  const at = Date.parse('2026-01-15T10:00:00Z');
  const none: Answer = { body: { data: [], count: 0 } };
  const { run, service } = await connected(
    {
      status: 502,
      headers: {
        date: new Date(at).toUTCString(),
        ...{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': String(at / 1000 + 50) },
      },
      body: '<html>Bad Gateway</html>',
    },
    none,
    none,
    { body: { emailId: 'em_1' } },
  );
  expect((await run(send)).exitCode).toBe(0);
  const sent = service.requests.map(({ method }) => method);
  expect(sent).toEqual(['POST', 'GET', 'GET', 'POST']);
  const [first, , , second] = service.requests;
  expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
});
