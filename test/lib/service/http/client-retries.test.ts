import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connected, errorOf, fileIn, key } from '../../../support/connected.ts';
import type { Answer } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';
import { shortLimit } from '../../../support/time-limits.ts';

const send = [
  ...['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'],
  ...['--subject', 'Hi', '--text', 'Hello', '--json'],
];
const create = [
  ...[
    'campaign',
    'create',
    '--allow-duplicate',
    '--name',
    'News',
    '--from',
    'hello@example.com',
    '--subject',
    'Hi',
  ],
  ...['--book', 'book_1', '--html', '<a href="{{usesend_unsubscribe_url}}">x</a>', '--json'],
];
const sent = { body: { emailId: 'em_1' } };
const list = { body: { data: [], count: 0 } };
const down = (status: number): Answer => ({
  status,
  body: { error: { code: 'X', message: 'down' } },
});
const limited: Answer = { status: 429, body: { error: { code: 'RATE_LIMITED', message: 'slow' } } };
const times = (count: number, answer: Answer) => Array<Answer>(count).fill(answer);

/** A TCP server; `behave` gets each connection with its number, from 0. Returns the base URL. */
async function bareServer(behave: (socket: Socket, index: number) => void): Promise<string> {
  let count = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    behave(socket, count++);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  if (typeof address !== 'object' || address === null) throw new Error('no port');
  return `http://127.0.0.1:${address.port}/api`;
}

const worldAt = (baseUrl: string) => createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: baseUrl });

function answerOf(body: object): string {
  const text = JSON.stringify(body);
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${text.length}\r\nconnection: close\r\n\r\n${text}`;
}

describe('what is retried', () => {
  test.each([500, 502, 503, 504, 429])('a read after %i', async (status) => {
    const { run, service, world } = await connected(down(status), down(status), list);
    expect((await run('email list --json')).exitCode).toBe(0);
    expect(service.requests).toHaveLength(3);
    expect(new Set(service.requests.map(({ path }) => path)).size).toBe(1);
    expect(world.clock.pauses).toHaveLength(2);
  });

  test.each([500, 502, 503, 504, 429])(
    'a send after %i, under the same key with the same bytes',
    async (status) => {
      const { run, service } = await connected(down(status), down(status), sent);
      expect((await run(send)).exitCode).toBe(0);
      expect(service.requests).toHaveLength(3);
      const [first] = service.requests;
      for (const request of service.requests) {
        expect(request.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
        expect(request.headers['idempotency-key']).toMatch(/./);
        expect(request.body).toBe(first?.body);
      }
    },
  );

  test('a batch, under the same key with the same bytes', async () => {
    const { run, service, world } = await connected(down(503), {
      body: { data: [{ emailId: 'e1' }] },
    });
    const row = { to: 'a@b.example', from: 'c@d.example', subject: 'S', text: 'T' };
    fileIn(world, 'b.json', [{ ...row, scheduledAt: 'in 1 hour' }]);
    expect((await run('email batch b.json --yes')).exitCode).toBe(0);
    const [first, second] = service.requests;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  test.each(['email reschedule em_1 --scheduled-at tomorrow', 'email cancel em_1'])(
    '%s, which is safe to repeat',
    async (line) => {
      const { run, service } = await connected(down(503), sent);
      expect((await run(line)).exitCode).toBe(0);
      expect(service.requests).toHaveLength(2);
    },
  );

  test.each([400, 401, 403, 404, 405, 413, 422, 501])('nothing after %i', async (status) => {
    const { run, service } = await connected(down(status));
    await run(send);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });

  test('a connection that is reset before anything was read', async () => {
    const baseUrl = await bareServer((socket, index) => {
      if (index === 0) socket.resetAndDestroy();
      else socket.once('data', () => socket.end(answerOf({ emailId: 'em_1' })));
    });
    const world = worldAt(baseUrl);
    expect((await world.run(send)).exitCode).toBe(0);
    expect(world.clock.pauses).toHaveLength(1);
  });

  test('a connection that is reset after the request was read', async () => {
    const requests: string[] = [];
    const baseUrl = await bareServer((socket, index) => {
      socket.once('data', (chunk) => {
        requests.push(String(chunk));
        if (index === 0) socket.resetAndDestroy();
        else socket.end(answerOf({ emailId: 'em_1' }));
      });
    });
    expect((await worldAt(baseUrl).run(send)).exitCode).toBe(0);
    expect(requests).toHaveLength(2);
    expect(requests[1]).toBe(requests[0]);
    expect(requests[0]).toMatch(/^idempotency-key: /im);
  });

  test('a response that breaks off', async () => {
    const short: Answer = (response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"data":[', () => response.destroy());
    };
    const { run, service } = await connected(short, list);
    expect((await run('email list --json')).exitCode).toBe(0);
    expect(service.requests).toHaveLength(2);
  });
});

describe('how often', () => {
  test('five requests at most without --retries', async () => {
    const { run, service } = await connected(...times(9, down(503)));
    expect((await run(send)).exitCode).toBe(7);
    expect(service.requests).toHaveLength(5);
  });

  test.each([
    [0, 1],
    [1, 2],
    [7, 8],
  ])('--retries %i is %i requests', async (retries, requests) => {
    const { run, service } = await connected(...times(9, down(503)));
    expect((await run([...send, '--retries', String(retries)])).exitCode).toBe(7);
    expect(service.requests).toHaveLength(requests);
  });

  test('429 after all of them is 6', async () => {
    const { run, service } = await connected(...times(9, limited));
    const outcome = await run(send);
    expect(outcome.exitCode).toBe(6);
    expect(errorOf(outcome)).toMatchObject({ code: 'rate_limited', status: 429 });
    expect(service.requests).toHaveLength(5);
  });

  test('a connection that is refused, for sends and reads', async () => {
    for (const words of [send, ['email', 'list', '--json']]) {
      const { run, service, world } = await connected();
      await service.close();
      expect((await run(words)).exitCode).toBe(7);
      expect(world.clock.pauses).toHaveLength(4);
    }
  });
});

describe('the pauses between', () => {
  test('are nothing at the lower end of full jitter', async () => {
    const { run, world } = await connected(...times(9, down(503)));
    await run([...send, '--retries', '6'], { random: () => 0 });
    expect(world.clock.pauses).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test('double at its upper end, up to a limit of some seconds', async () => {
    const { run, world } = await connected(...times(20, down(503)));
    await run([...send, '--retries', '12'], { random: () => 0.999 });
    const [first = 0, second = 0, third = 0, ...others] = world.clock.pauses;
    expect(first).toBeGreaterThan(200);
    expect(first).toBeLessThanOrEqual(1000);
    expect(second / first).toBeCloseTo(2, 1);
    expect(third / second).toBeCloseTo(2, 1);
    const longest = Math.max(...others);
    expect(longest).toBeLessThanOrEqual(60_000);
    expect(others.slice(-4)).toEqual(Array(4).fill(longest));
  });

  test('lie between the two', async () => {
    const { run, world } = await connected(...times(9, down(503)));
    await run(send, { random: () => 0.5 });
    const half = [...world.clock.pauses];
    world.clock.pauses.length = 0;
    await run(send, { random: () => 0.999 });
    for (const [index, pause] of world.clock.pauses.entries()) {
      expect(half[index]).toBeGreaterThan(0);
      expect(half[index]).toBeLessThan(pause);
    }
  });
});

describe('campaign create, which cannot be repeated safely', () => {
  test.each([500, 502, 503, 504])(
    'is not sent again after %i, because the outcome is unknown',
    async (status) => {
      const { run, service } = await connected(...times(3, down(status)));
      const outcome = await run(create);
      expect(outcome.exitCode).toBe(7);
      expect(service.requests).toHaveLength(1);
      expect(errorOf(outcome).hint).toMatch(/may have been created/);
    },
  );

  test('is not sent again after a connection that broke off', async () => {
    let requests = 0;
    const baseUrl = await bareServer((socket) => {
      socket.once('data', () => {
        requests++;
        socket.resetAndDestroy();
      });
    });
    expect((await worldAt(baseUrl).run(create)).exitCode).toBe(7);
    expect(requests).toBe(1);
  });

  test('is not sent again after a time-out', async () => {
    const { run, service } = await connected(() => {});
    expect((await run([...create, '--timeout', String(shortLimit)])).exitCode).toBe(7);
    expect(service.requests).toHaveLength(1);
  });

  test('is sent again after 429', async () => {
    const { run, service } = await connected(limited, limited, { body: { id: 'camp_1' } });
    expect((await run(create)).exitCode).toBe(0);
    expect(service.requests).toHaveLength(3);
  });

  test('is retried if the connection is refused', async () => {
    const { run, service, world } = await connected();
    await service.close();
    const outcome = await run(create);
    expect(outcome.exitCode).toBe(7);
    expect(world.clock.pauses).toHaveLength(4);
    expect(errorOf(outcome).hint ?? '').not.toMatch(/may have been/);
  });

  test.each([
    // Nothing is looked at before.
    ['campaign schedule camp_1 --now --yes --literal --allow-blank --again'],
    ['campaign resume camp_1 --yes --literal --allow-blank --again'],
  ])('%s is not either', async (line) => {
    const { run, service } = await connected(...times(3, down(503)));
    expect((await run(`${line} --json`)).exitCode).toBe(7);
    expect(service.requests.filter(({ method }) => method === 'POST')).toHaveLength(1);
  });
});
