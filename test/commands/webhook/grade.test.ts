import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { UseSend } from 'usesend-js';
import { expect, onTestFinished, test } from 'vitest';
import { createWorld } from '../../support/run.ts';

const secret = 'whsec_0123456789abcdef';
const client = new UseSend('us_key_example').webhooks(secret);

interface Incoming {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly event: {
    id: string;
    type: string;
    attempt: number;
    createdAt: string;
    data: { id: string };
  };
  readonly isGenuine: boolean;
  /** Whether another call is being handled. */
  readonly isBusy: boolean;
}

/** A fault returns a status, or undefined to go on as a good handler does. */
type Fault = (call: Incoming) => number | undefined;

function genuine(body: string, headers: IncomingHttpHeaders, tolerance?: number): boolean {
  // The client takes any of Node's headers.
  const options = { headers: headers as Record<string, string>, ...(tolerance && { tolerance }) };
  return client.verify(body, options);
}

/** Serves a handler that does everything right, but for its fault. */
async function serve(fault: Fault): Promise<string> {
  let open = 0;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks).toString();
    const { headers } = request;
    const isBusy = open > 0;
    open += 1;
    await new Promise((resolve) => setImmediate(resolve));
    const isGenuine = genuine(body, headers);
    const status = fault({ headers, body, event: JSON.parse(body), isGenuine, isBusy });
    if (status === 0) request.socket.destroy();
    else response.writeHead(status ?? (isGenuine ? 200 : 401), { location: '/' }).end();
    open -= 1;
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // It listens on a TCP port.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function grade(fault: Fault) {
  const world = createWorld({ MAILER_WEBHOOK_SECRET: secret });
  world.clock.now = Date.now();
  const { exitCode, stdout } = await world.run(`webhook test ${await serve(fault)} --json`);
  const rows: { check: string; outcome: string }[] = JSON.parse(stdout);
  const notOk = rows.filter(({ outcome }) => outcome !== 'ok');
  return { exitCode, found: notOk.map(({ check, outcome }) => `${check} ${outcome}`) };
}

test('a good handler passes', async () => {
  expect(await grade(() => undefined)).toEqual({ exitCode: 0, found: [] });
});

const seen = new Set<string>();
const seenSignatures = new Set<string>();
const opened = new Set<string>();
const ids = new Set<string>();
const emails = new Set<string>();

test.each<[what: string, fault: Fault, found: string[]]>([
  [
    'verifies nothing',
    () => 200,
    ['no-signature', 'wrong-signature', 'old-timestamp', 'changed-body'],
  ],
  [
    'verifies only what has a signature',
    ({ headers }) => (headers['x-usesend-signature'] ? undefined : 200),
    ['no-signature'],
  ],
  [
    'verifies only the form of the signature',
    ({ headers, body, isGenuine }) =>
      !isGenuine &&
      body.includes('hello@') &&
      Number(headers['x-usesend-timestamp']) > Date.now() - 9e4
        ? 200
        : undefined,
    ['wrong-signature'],
  ],
  [
    'accepts calls of any age',
    ({ headers, body }) => (genuine(body, headers, 1e12) ? 200 : undefined),
    ['old-timestamp'],
  ],
  [
    'remembers signatures that were right',
    ({ headers, isGenuine }) => {
      const signature = String(headers['x-usesend-signature']);
      if (isGenuine) seenSignatures.add(signature);
      return seenSignatures.has(signature) ? 200 : undefined;
    },
    ['changed-body'],
  ],
  [
    'verifies JSON that it wrote again',
    ({ headers, event }) => (genuine(JSON.stringify(event), headers) ? 200 : 401),
    ['unusual-json'],
  ],
  [
    'rejects events that it does not know',
    ({ event, isGenuine }) => (isGenuine && event.type === 'email.reviewed' ? 400 : undefined),
    ['unknown-event'],
  ],
  [
    'rejects a call that it has seen',
    ({ event, isGenuine }) => {
      if (!isGenuine) return undefined;
      const isSeen = event.attempt > 1 && seen.has(event.id);
      seen.add(event.id);
      return isSeen ? 409 : undefined;
    },
    ['same-call-twice'],
  ],
  [
    'fails on an event that comes late',
    ({ event: { type, data } }) => {
      if (type === 'email.opened') opened.add(data.id);
      return type === 'email.sent' && opened.has(data.id) ? 500 : undefined;
    },
    ['out-of-order'],
  ],
  [
    'rejects late retries',
    ({ event, isGenuine }) => (isGenuine && event.attempt > 2 ? 400 : undefined),
    ['after-500', 'first-call-late'],
  ],
  [
    'takes a retry of what it has not seen for a mistake',
    ({ event, isGenuine }) => {
      const isRetry =
        isGenuine && event.attempt > 1 && Date.now() - Date.parse(event.createdAt) < 60_000;
      return isRetry && !ids.has(event.id) ? 404 : void ids.add(event.id);
    },
    ['first-call-late'],
  ],
  [
    'wants to hear of an email from its beginning on',
    ({ event: { type, data } }) => {
      if (type === 'email.opened' && !emails.has(data.id)) return 404;
      return void emails.add(data.id);
    },
    ['out-of-order', 'missing-calls'],
  ],
  ['closes on a large body', ({ body }) => (body.length > 100_000 ? 0 : undefined), ['huge-body']],
  ['takes one call at a time', ({ isBusy }) => (isBusy ? 503 : undefined), ['many-at-once']],
  [
    'wants one content type',
    ({ headers }) => (headers['content-type'] === 'application/json' ? undefined : 415),
    ['content-type'],
  ],
])('a handler that %s', async (_, fault, found) => {
  const expected = found.map((check) => `${check} failed`);
  expect(await grade(fault)).toEqual({ exitCode: 9, found: expected });
});

test('a handler that redirects accepts nothing', async () => {
  const { exitCode, found } = await grade(() => 302);
  expect({ exitCode, found: found.slice(0, 3) }).toEqual({
    exitCode: 9,
    found: ['good-call failed', 'unusual-json failed', 'no-signature risky'],
  });
});

test('what is risky does not fail', async () => {
  const fault: Fault = ({ body, isGenuine }) => {
    if (!isGenuine) return 500;
    return body.length > 100_000 ? 413 : undefined;
  };
  const { exitCode, found } = await grade(fault);
  expect(exitCode).toBe(0);
  expect(found).toHaveLength(5);
  expect(found).toContain('huge-body risky');
});

test('a handler that is not running gets no grades', async () => {
  const world = createWorld({ MAILER_WEBHOOK_SECRET: secret });
  const outcome = await world.run('webhook test http://127.0.0.1:1/webhooks');
  expect(outcome.exitCode).toBe(7);
  expect(outcome.stdout).toBe('');
  expect(outcome.stderr).toContain('127.0.0.1:1');
  expect(outcome.stderr).toContain('Hint: ');
});
