import { request as httpRequest, type IncomingMessage } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { parseFault } from '../../../src/sandbox/http/faults/fault.ts';
import { serve } from '../../../src/sandbox/http/serve.ts';
import { resetSandbox, type SandboxOptions } from '../../../src/sandbox/open.ts';
import { day, email, envelope, hour, start, startSandbox, temporaryDirectory } from '../harness.ts';

const origin = 'http://sandbox.test';

/** A sandbox, and requests to its control endpoint. A body that is not a string is sent as JSON. */
function withControl(options: Partial<SandboxOptions> = {}) {
  const started = startSandbox(options);
  async function control(
    method: string,
    path = '',
    body?: unknown,
    headers: Record<string, string> = { 'Content-Type': 'application/json' },
  ) {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const reply = await started.sandbox.fetch(
      new Request(`${origin}/control${path}`, {
        method,
        headers,
        ...(body === undefined ? {} : { body: text }),
      }),
    );
    const replied: unknown = JSON.parse(await reply.text());
    return { status: reply.status, headers: reply.headers, body: replied };
  }
  return { ...started, control };
}

describe('the state', () => {
  test('is the time, the faults with their use, the rate limit and the language', async () => {
    const { control, request, advance } = withControl({
      faults: [parseFault('GET /v1/domains 503 x2'), parseFault('* * delay 1ms')],
      rateLimit: 9,
      language: 'pt',
    });
    await request('GET', '/domains');
    advance(hour);
    expect(await control('GET')).toMatchObject({
      status: 200,
      body: {
        now: new Date(start + hour).toISOString(),
        faults: [
          { fault: 'GET /v1/domains 503 x2', left: 1, used: 1 },
          { fault: '* * delay 1ms', left: null, used: 1 },
        ],
        rateLimit: { perSecond: 9 },
        language: 'pt',
      },
    });
  });

  test('of a running sandbox', async () => {
    const { control } = withControl();
    const { body } = await control('GET');
    expect(body).toEqual({
      now: new Date(start).toISOString(),
      account: null,
      data: expect.stringMatching(/^[0-9a-f-]{36}$/),
      faults: [],
      rateLimit: { perSecond: null },
      language: 'en',
    });
  });
});

test('the name of the data is the same in each process, and another one after a reset', async () => {
  const directory = temporaryDirectory();
  const [one, other] = [withControl({ directory }), withControl({ directory })];
  const dataOf = async ({ control }: typeof one) => Object(await control('GET')).body.data;
  const data = await dataOf(one);
  expect(await dataOf(other)).toBe(data);
  expect(await dataOf(withControl())).not.toBe(data);
  await one.control('POST', '/reset');
  expect(await dataOf(other)).not.toBe(data);
  expect(await dataOf(one)).toBe(await dataOf(other));
});

describe('faults', () => {
  test('are added after the others, and cleared', async () => {
    const { control, request } = withControl({ faults: [parseFault('POST * 500')] });
    const added = await control('POST', '/faults', { fault: 'get /v1/domains 502 x1' });
    expect(added).toMatchObject({
      status: 200,
      body: {
        faults: [
          { fault: 'POST * 500', left: null, used: 0 },
          { fault: 'GET /v1/domains 502 x1', left: 1, used: 0 },
        ],
      },
    });
    await control('POST', '/faults', { faults: ['GET * 504', 'POST * 404'] });
    const statusOf = async (method: string) => (await request(method, '/domains')).status;
    expect([await statusOf('GET'), await statusOf('GET'), await statusOf('POST')]).toEqual([
      502, 504, 500,
    ]);
    expect(await control('DELETE', '/faults')).toMatchObject({ status: 200, body: { faults: [] } });
    expect(await statusOf('GET')).toBe(200);
  });

  test('are added together or not at all', async () => {
    const { control } = withControl();
    const refused = await control('POST', '/faults', { faults: ['GET * 504', 'GET * 5'] });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'BAD_REQUEST',
          message:
            '"GET * 5" is not a fault: "5" is not a status from 400 to 599. A fault is METHOD PATH ' +
            'EFFECT [xN], such as POST /v1/emails 503 x2, or SMTP COMMAND EFFECT [xN], such as SMTP RCPT 451 x2.',
        },
      },
    });
    expect((await control('GET')).body).toMatchObject({ faults: [] });
    const tooMany = { faults: Array(1001).fill('* * 503') };
    expect(await control('POST', '/faults', tooMany)).toMatchObject({
      status: 400,
      body: { error: { message: 'There can be at most 1000 faults.' } },
    });
  });
});

describe('a fault that matches no request', () => {
  test.each([
    ['POST /v1/email 503', 'the sandbox has no /v1/email.'],
    ['DELETE /v1/emails/{emailId} 503', 'the sandbox has no DELETE /v1/emails/{emailId}.'],
    ['* /v2/* 503', 'the sandbox has no /v2/*.'],
    ['* /control/reset 503', 'the sandbox has no /control/reset.'],
    ['GET /v1/emails/a/cancel drop', 'the sandbox has no GET /v1/emails/a/cancel.'],
  ])('%s is rejected', async (fault, reason) => {
    const { control } = withControl();
    expect(await control('POST', '/faults', { fault })).toMatchObject({
      status: 400,
      body: {
        error: { message: expect.stringContaining(`"${fault}" is not a fault: ${reason} `) },
      },
    });
  });

  test.each([
    'GET /v1/emails/email_welcome 503',
    'GET /v1/emails/{whatever} 503',
    'POST /v1/emails/* 503',
    'POST /v1/campaigns/{campaignId}/pause 503',
    '* /* 503',
    'DELETE * 503',
  ])('%s is not one', async (fault) => {
    const { control } = withControl();
    expect(await control('POST', '/faults', { fault })).toMatchObject({ status: 200 });
  });
});

describe('the rate limit', () => {
  test('is set and removed', async () => {
    const { control, request } = withControl();
    expect(await control('PUT', '/rate-limit', { perSecond: 1 })).toMatchObject({
      status: 200,
      body: { rateLimit: { perSecond: 1 } },
    });
    const get = () => request('GET', '/domains');
    expect((await get()).headers.get('X-RateLimit-Limit')).toBe('1');
    const refused = await get();
    expect(refused).toMatchObject(envelope(429, 'RATE_LIMITED'));
    expect(refused.headers.get('Retry-After')).toBe('1');
    expect(await control('PUT', '/rate-limit', { perSecond: null })).toMatchObject({
      body: { rateLimit: { perSecond: null } },
    });
    expect((await get()).status).toBe(200);
  });
});

describe('DNS', () => {
  const name = 'usesend._domainkey.example.org';
  type Records = { records: { name: string; type: string; values: string[] }[] };

  function withDns() {
    const { control, sandbox } = withControl();
    const dns = async (method: string, body?: unknown) => {
      const { status, body: state } = await control(method, '/dns', body);
      expect(status).toBe(200);
      // Every response has this shape.
      return (state as Records).records;
    };
    return { control, sandbox, dns };
  }

  test('shows what each domain has by its status', async () => {
    const { dns } = withDns();
    expect((await dns('GET')).map((one) => `${one.type} ${one.name}`)).toEqual([
      'MX mail.example.org',
      'TXT mail.example.org',
      'MX mail.example.com',
      'TXT usesend._domainkey.example.com',
      'TXT mail.example.com',
      'TXT _dmarc.example.com',
    ]);
  });

  test('sets and removes records, until it forgets them', async () => {
    const { dns, sandbox } = withDns();
    const before = await dns('GET');
    await dns('PUT', { name, type: 'TXT', values: ['p=other'] });
    expect(sandbox.lookUp(name, 'TXT')).toEqual({ kind: 'found', values: ['p=other'] });
    expect(sandbox.lookUp(name.toUpperCase(), 'TXT')).toMatchObject({ kind: 'found' });
    expect(sandbox.lookUp(name, 'MX')).toEqual({ kind: 'none', exists: true });
    expect(sandbox.lookUp('_domainkey.example.org', 'TXT')).toEqual({ kind: 'none', exists: true });
    await dns('PUT', { name: 'mail.example.org', type: 'MX', values: [] });
    expect(sandbox.lookUp('mail.example.org', 'MX')).toEqual({ kind: 'none', exists: true });
    expect(await dns('DELETE')).toEqual(before);
    expect(sandbox.lookUp(name, 'TXT')).toEqual({ kind: 'none', exists: false });
    expect(sandbox.lookUp('example.net', 'TXT')).toEqual({ kind: 'none', exists: true });
  });

  test('publishes all records of a domain', async () => {
    const { dns, control } = withDns();
    const records = await dns('PUT', { publish: 'example.org' });
    expect(records.filter((one) => one.name.endsWith('.example.org'))).toHaveLength(4);
    expect(await control('PUT', '/dns', { publish: 'example.edu' })).toMatchObject({
      status: 400,
      body: { error: { message: 'The sandbox has no domain example.edu.' } },
    });
  });

  test.each([
    { name, type: 'A', values: ['127.0.0.1'] },
    { name: 'example.org.', type: 'TXT', values: ['x'] },
    { name: 'MAIL.example.org', type: 'TXT', values: ['x'] },
    { name: 'mail.example.org', type: 'MX', values: ['mx.example.org'] },
    { name, type: 'TXT', values: [''] },
    { name, type: 'TXT', values: ['x'], ttl: 60 },
    {},
  ])('rejects %j', async (body) => {
    const { control } = withDns();
    expect(await control('PUT', '/dns', body)).toMatchObject({
      status: 400,
      body: { error: { message: expect.stringMatching(/^The body is \{"publish": /) } },
    });
  });
});

test('a reset restores data, faults and limit of the start', async () => {
  const { control, ok, request } = withControl({ faults: [parseFault('GET * 503 x1')] });
  await ok('email.send', { body: email() });
  await request('GET', '/domains');
  await control('POST', '/faults', { fault: 'GET * 500' });
  await control('PUT', '/rate-limit', { perSecond: 1 });
  expect(await control('POST', '/reset', undefined, {})).toMatchObject({
    status: 200,
    body: {
      faults: [{ fault: 'GET * 503 x1', left: 1, used: 0 }],
      rateLimit: { perSecond: null },
    },
  });
  expect((await request('GET', '/domains')).status).toBe(503);
  expect((await ok('email.list', { query: {} })).count).toBe(2);
});

test('a reset by another process restores faults and limit too, once', async () => {
  const directory = temporaryDirectory();
  const first = parseFault('PUT * 503 x1');
  const { control, request } = withControl({ directory, faults: [first], rateLimit: 5 });
  await control('POST', '/faults', { fault: 'GET * 500' });
  await control('PUT', '/rate-limit', { perSecond: 1 });
  expect((await request('GET', '/domains')).status).toBe(500);

  resetSandbox({ directory, now: () => start });
  expect((await request('GET', '/domains')).status).toBe(200);
  expect(await control('GET')).toMatchObject({
    body: { faults: [{ fault: 'PUT * 503 x1', left: 1 }], rateLimit: { perSecond: 5 } },
  });
  await control('POST', '/faults', { fault: 'GET * 500' });
  expect((await request('GET', '/domains')).status).toBe(500);
});

test('the language is changed, and a reset restores the first one', async () => {
  const { control, request } = withControl();
  const refusal = async () => (await request('GET', '/emails/nobody')).body;
  const code = 'NOT_FOUND';
  expect(await control('PUT', '/language', { language: 'pt' })).toMatchObject({
    status: 200,
    body: { language: 'pt' },
  });
  expect(await refusal()).toEqual({ error: { code, message: 'E-mail não encontrado' } });
  expect(await control('POST', '/reset')).toMatchObject({ body: { language: 'en' } });
  expect(await refusal()).toEqual({ error: { code, message: 'Email not found' } });
});

test('a reset sets the clock back to where it started', async () => {
  const { control } = withControl({ ahead: day });
  expect(await control('POST', '/advance', { by: '3d' })).toMatchObject({ status: 200 });
  expect(await control('POST', '/reset', undefined, {})).toMatchObject({
    body: { now: '2026-02-01T12:00:00.000Z' },
  });
});

describe('an invalid request', () => {
  test.each<[string, string, unknown, string]>([
    ['POST', '/faults', undefined, 'The body is not JSON. The body is {"fault":'],
    ['POST', '/faults', '{"fault":', 'The body is not JSON. The body is {"fault":'],
    ['POST', '/faults', {}, 'The body is {"fault": "POST /v1/emails 503 x2"}'],
    ['POST', '/faults', [], 'The body is {"fault":'],
    ['POST', '/faults', 'null', 'The body is {"fault":'],
    ['POST', '/faults', { fault: 5 }, 'The body is {"fault":'],
    ['POST', '/faults', { fault: '* * 503', faults: [] }, 'The body is {"fault":'],
    ['POST', '/faults', { faults: ['* * 503', null] }, 'The body is {"fault":'],
    ['PUT', '/rate-limit', {}, 'The body is {"perSecond": 2}'],
    ['PUT', '/rate-limit', { perSecond: 0 }, 'The body is {"perSecond": 2}'],
    ['PUT', '/rate-limit', { perSecond: 1.5 }, 'The body is {"perSecond": 2}'],
    ['PUT', '/rate-limit', { perSecond: '2' }, 'The body is {"perSecond": 2}'],
    ['PUT', '/language', { language: 'fr' }, 'The body is {"language": "pt"}'],
    ['PUT', '/rate-limit', { perSecond: 2, per: 'minute' }, 'The body is {"perSecond": 2}'],
  ])(
    '%s %s with %j is a 400 that gives the accepted values',
    async (method, path, body, message) => {
      const { control } = withControl();
      const reply = await control(method, path, body);
      expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
      expect(reply.body).toMatchObject({ error: { message: expect.stringContaining(message) } });
    },
  );

  test.each([
    ['GET', '/faults'],
    ['POST', ''],
    ['DELETE', '/rate-limit'],
    ['GET', '/other'],
    ['GET', '/faults/1'],
  ])('%s /control%s is a 404', async (method, path) => {
    const { control } = withControl();
    const reply = await control(method, path);
    expect(reply).toMatchObject(envelope(404, 'NOT_FOUND'));
    expect(reply.body).toMatchObject({
      error: { message: `There is no ${method} /control${path}.` },
    });
  });
});

describe('a web page', () => {
  const fault = { fault: '* * 503' };

  test.each(['text/plain', 'application/x-www-form-urlencoded', 'application/jsonx', ''])(
    'cannot send a body that is not declared as JSON: %j',
    async (type) => {
      const { control } = withControl();
      const reply = await control('POST', '/faults', fault, { 'Content-Type': type });
      expect(reply).toMatchObject(envelope(400, 'BAD_REQUEST'));
      expect(reply.body).toMatchObject({
        error: { message: expect.stringContaining('Content-Type is not application/json') },
      });
      expect((await control('GET')).body).toMatchObject({ faults: [] });
    },
  );

  test('of another site is rejected, and nothing is done', async () => {
    const { sandbox, control } = withControl();
    const { origin, port } = await served(sandbox);
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/faults'],
      ['DELETE', '/faults'],
      ['POST', '/reset'],
      ['OPTIONS', '/faults'],
    ] as const) {
      for (const from of [
        'http://evil.test',
        'null',
        'http://127.0.0.1:1',
        origin.replace('http:', 'https:'),
      ]) {
        const reply = await sent(port, method, path, { Origin: from });
        expect(reply.statusCode).toBe(403);
        const names = Object.keys(reply.headers);
        expect(names.filter((name) => name.startsWith('access-control-'))).toEqual([]);
      }
    }
    expect((await sent(port, 'GET', '', { Host: 'evil.test' })).statusCode).toBe(403);
    expect((await control('GET')).body).toMatchObject({ faults: [] });
  });

  test('of the sandbox itself is accepted', async () => {
    const { sandbox, control } = withControl();
    const { origin, port } = await served(sandbox);
    expect((await sent(port, 'POST', '/faults', { Origin: origin })).statusCode).toBe(200);
    expect((await control('GET')).body).toMatchObject({ faults: [{ fault: '* * 503' }] });
  });

  async function served({ fetch }: { fetch(request: Request): Promise<Response> }) {
    const server = await serve({ fetch, port: 0 });
    onTestFinished(() => server.close());
    return server;
  }

  /** The response to a request with these headers, which `fetch` would change. */
  function sent(port: number, method: string, path: string, headers: Record<string, string>) {
    return new Promise<IncomingMessage>((resolve, reject) => {
      const body = method === 'POST' ? JSON.stringify(fault) : '';
      const request = httpRequest({
        host: '127.0.0.1',
        port,
        method,
        path: `/control${path}`,
        headers: { 'Content-Type': 'application/json', 'Content-Length': body.length, ...headers },
      });
      request.on('response', (reply) => resolve(reply.resume()));
      request.on('error', reject).end(body);
    });
  }
});
