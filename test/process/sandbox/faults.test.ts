import { existsSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, finished } from '../../support/process.ts';
import { type ServedSandbox, serveSandbox } from '../../support/served.ts';

const patience = { timeout: 20_000, interval: 5 };

const send = 'email send --to ana@example.com --from hello@example.com --subject Hi --text Hello';

async function control(
  { url }: ServedSandbox,
  method = 'GET',
  path = '',
  body?: object,
): Promise<unknown> {
  const reply = await fetch(`${url}/control${path}`, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  expect(reply.status).toBe(200);
  return await reply.json();
}

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
    const place = createPlace();
    const end = await runHere(place, [
      'sandbox',
      'start',
      '--port',
      '0',
      '--reset',
      '--json',
      ...words,
    ]);
    expect(end).toMatchObject({ exitCode: 2, stdout: '' });
    expect(JSON.parse(end.stderr)).toMatchObject({
      error: { code: 'usage', message: expect.stringContaining(message) },
    });
    expect(existsSync(place.sandboxDirectory)).toBe(false);
  });
});

test('faults from the command line happen, are listed, and can be changed while it runs', async () => {
  const place = createPlace();
  const served = await serveSandbox(place, [
    ...['--port', '0', '--fault', 'post /v1/emails 503 x1', '--fault', 'GET /v1/emails blocked'],
    ...['--latency', '1ms', '--rate-limit', '50/s', '--language', 'pt'],
  ]);
  const { env } = served;
  expect(await place.run(`${send} -q`, { env })).toMatchObject({ exitCode: 0 });
  expect(await control(served)).toEqual({
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

  await control(served, 'POST', '/faults', { fault: 'GET * expired-key x1' });
  await control(served, 'DELETE', '/faults');
  await control(served, 'POST', '/faults', { faults: ['GET * expired-key x1'] });
  expect((await runHere(place, 'email list -q', { env })).exitCode).toBe(3);
  const list = await runHere(place, 'email list -q', { env });
  expect(list.stdout.trim().split('\n')).toHaveLength(3);
  await control(served, 'POST', '/reset');
  expect((await runHere(place, 'email list -q', { env })).stdout).toBe(
    'email_receipt\nemail_welcome\n',
  );

  served.process.kill('SIGTERM');
  expect((await finished(served.process)).stderr).toContain(
    `Faults are on: POST /v1/emails 503 x1; GET /v1/emails blocked; * * delay 1ms. See ${served.url}/control`,
  );
});

test('Ctrl-C ends it while requests wait', async () => {
  const place = createPlace();
  const served = await serveSandbox(place, ['--port', '0', '--fault', 'GET * delay 1h']);
  const listing = place.start('email list --retries 0', { env: served.env });
  const used = async () => expect(await control(served)).toMatchObject({ faults: [{ used: 1 }] });
  await vi.waitFor(used, patience);
  served.process.kill('SIGINT');
  const { exitCode, stderr } = await finished(served.process);
  expect(exitCode).toBe(130);
  expect(stderr).not.toMatch(/Error|Warning/);
  expect((await finished(listing)).exitCode).toBe(7);
});

test('without a server, --sandbox has no faults', async () => {
  const place = createPlace();
  await serveSandbox(place, ['--port', '0', '--fault', '* * 503']);
  expect(await runHere(place, 'email list -q --sandbox')).toMatchObject({
    exitCode: 0,
    stdout: 'email_receipt\nemail_welcome\n',
  });
});
