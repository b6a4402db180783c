import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { everybody, line, setUp } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import { fileIn, key } from '../../../support/connected.ts';
import { asksForStanding } from '../../../support/recorder.ts';
import { createWorld } from '../../../support/run.ts';

test('a repeated request has the same emails, whatever is sent in between', async () => {
  const refused = new Set<unknown>();
  const tooMany: typeof accept = (response, request) => {
    const key = request.headers['idempotency-key'];
    const { length } = setup.service.requests;
    if (refused.has(key) || length < 4 || length % 3 > 0) return accept(response, request);
    refused.add(key);
    response.writeHead(429, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ error: { code: 'RATE_LIMITED', message: 'Too many' } }));
  };
  const setup = await setUp(2400, ...Array<typeof accept>(40).fill(tooMany));
  // A rejected request is not retried at once; it waits for its turn among the others.
  const words = [...line.with(-1, '4'), '--retries', '0'];
  expect(await setup.run(words)).toMatchObject({ exitCode: 0 });
  const bodies = Map.groupBy(setup.service.requests, ({ headers }) => headers['idempotency-key']);
  expect([...bodies.values()].filter((same) => same.length > 1)).toHaveLength(refused.size);
  for (const same of bodies.values()) expect(new Set(same.map(({ body }) => body)).size).toBe(1);
  const once = [...bodies.values()].flatMap(([first]) => first ?? []);
  const everyone = once.flatMap(({ body }) => JSON.parse(body).map(({ to }: { to: string }) => to));
  expect(everyone.toSorted()).toEqual(everybody(2400).toSorted());
});

test.for([
  ['accepted', 200],
  ['refused', 503],
] as const)(
  'what a request holds stays as it is when it is %s before it has been read',
  async ([, early]) => {
    // More than a socket buffers. Each row is a request of its own.
    const size = 7 * 1024 * 1024;
    const letters = ['a', 'b', 'c'];
    const texts: string[] = [];
    let requests = 0;
    const server = createServer(async (request, response) => {
      const answer = (status: number) => {
        response.writeHead(status, { 'content-type': 'application/json' });
        response.end(
          JSON.stringify({ data: [{ emailId: `em_${request.headers['idempotency-key']}` }] }),
        );
      };
      if (asksForStanding(request.url)) return answer(404);
      const isFirst = ++requests === 1;
      let body = '';
      for await (const chunk of request.setEncoding('latin1')) {
        if (isFirst && body === '') {
          answer(early);
          // Meanwhile, the program prepares the next requests, in the same event loop.
          for (let turn = 0; turn < 1000; turn++) await new Promise(setImmediate);
        }
        body += chunk;
      }
      texts.push(JSON.parse(body)[0].text);
      if (!isFirst) answer(200);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const world = createWorld({ MAILER_API_KEY: key, MAILER_BASE_URL: `http://127.0.0.1:${port}` });
    const rows = letters.map((letter) => ({
      to: `${letter}@example.com`,
      text: letter.repeat(size),
    }));
    fileIn(world, 'rows.json', rows);
    const words = ['email', 'batch', 'rows.json', '--from', 'me@example.com', '--subject', 'Hi'];
    expect(await world.run([...words, '--yes', '--concurrency', '1'])).toMatchObject({
      exitCode: 0,
    });
    server.close();
    const arrived = new Set(
      texts.map((text) => letters.find((letter) => text === letter.repeat(size))),
    );
    expect([...arrived].toSorted()).toEqual(letters);
    expect(texts).toHaveLength(early === 200 ? 3 : 4);
  },
);
