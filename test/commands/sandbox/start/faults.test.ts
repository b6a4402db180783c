import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createWorld } from '../../../support/run.ts';
import { serveIn } from '../../../support/serving.ts';

const send = 'email send --to ana@example.com --from hello@example.com --subject Hi --text Hello';

describe('a flag that cannot be read', () => {
  test.each([
    [
      ['--fault', 'POST /v1/emails 99'],
      '--fault: "POST /v1/emails 99" is not a fault: "99" is not',
    ],
    [['--fault', '* * 503', '--fault', ''], '--fault: "" is not a fault: it is empty'],
    [['--fault', 'POST /v1/email 503'], 'is not a fault: the sandbox has no /v1/email.'],
    [['--latency', '5'], '--latency: "5" is not a time up to 1h, such as 200ms or 2s'],
    [['--language', 'fr'], '--language: "fr" is not one of en, pt'],
    [['--rate-limit', '2/m'], '--rate-limit: "2/m" is not a number of requests, such as 2/s'],
  ])('%j is a usage error, before anything starts', async (words, message) => {
    const world = createWorld();
    const start = ['sandbox', 'start', '--port', '0', '--reset', '--json'];
    const end = await world.run([...start, ...words]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(end.stderr)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining(message) },
    });
    expect(existsSync(join(world.home, '.local'))).toBe(false);
  });
});

test('faults happen, are listed, can be changed while it runs, and concern only who uses the server', async () => {
  const world = createWorld();
  const { env, url, stop } = await serveIn(world, [
    ...['--fault', 'post /v1/emails 503 x1', '--fault', 'GET /v1/emails blocked'],
    ...['--latency', '1ms', '--rate-limit', '50/s', '--language', 'pt'],
  ]);
  const control = async (method = 'GET', path = '', body?: object) => {
    const reply = await fetch(`${url}/control${path}`, {
      method,
      headers: { 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(reply.status).toBe(200);
    return await reply.json();
  };
  expect(await world.run(`${send} -q`, { env })).toMatchObject({ exitCode: 0 });
  expect(await control()).toEqual({
    account: null,
    now: expect.any(String),
    faults: [
      { fault: 'POST /v1/emails 503 x1', left: 0, used: 1 },
      { fault: 'GET /v1/emails blocked', left: null, used: 0 },
      { fault: '* * delay 1ms', left: null, used: 2 },
    ],
    rateLimit: { perSecond: 50 },
    data: expect.any(String),
    language: 'pt',
  });
  const list = async (words = '') => await world.run(`email list -q ${words}`, { env });
  await control('DELETE', '/faults');
  await control('POST', '/faults', { faults: ['GET /v1/emails expired-key x2'] });
  expect((await list()).exitCode).toBe(3);
  expect((await list('--sandbox')).stdout.trim().split('\n')).toHaveLength(3);
  expect((await list()).exitCode).toBe(3);
  expect((await list()).stdout.trim().split('\n')).toHaveLength(3);
  await control('POST', '/reset');
  expect((await list()).stdout).toBe('email_receipt\nemail_welcome\n');
  expect((await stop()).stderr).toContain(
    `Faults are on: POST /v1/emails 503 x1; GET /v1/emails blocked; * * delay 1ms. See ${url}/control`,
  );
});
