import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { UseSend } from 'usesend-js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventTypes } from '../../../src/shared/webhook/event-types.ts';
import { callSignature } from '../../../src/shared/webhook/signature.ts';
import { type Need, needing } from '../../support/needs.ts';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';

const secret = 'whsec_0123456789abcdef';
const withSecret = () => createWorld({ MAILER_WEBHOOK_SECRET: secret });

describe('webhook events', () => {
  test('lists every event with the schema of its data', async () => {
    const { stdout } = await createWorld().run('webhook events --json');
    const rows: { type: string; sent: boolean; fields: string[] }[] = JSON.parse(stdout);
    expect(rows.map(({ type }) => type)).toEqual(eventTypes);
    expect(rows.filter(({ sent }) => !sent)).toHaveLength(4);
    expect(rows.find(({ type }) => type === 'email.bounced')?.fields).toContain('bounce');
  });
});

test('webhook example prints a body that webhook trigger sends', async () => {
  const { stdout } = await createWorld().run('webhook example email.clicked');
  expect(JSON.parse(stdout)).toMatchObject({ type: 'email.clicked', version: '2026-01-18' });
  const misspelt = await createWorld().run('webhook example email.cliked');
  expect(misspelt.exitCode).toBe(2);
  expect(misspelt.stderr).toContain('Did you mean email.clicked?');
});

describe('webhook trigger', () => {
  test('sends a call that the published client accepts', async () => {
    const handler = await startRecorder({ status: 204, body: '' });
    const world = withSecret();
    // The client compares with the real time.
    world.clock.now = Date.now();
    const { exitCode, stdout } = await world.run(
      `webhook trigger email.bounced --to ${handler.url}/hook?a=1 --set data.to=ben@example.org --attempt 2 --json`,
    );
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 0, status: 204 });
    const [request] = handler.requests;
    if (request === undefined) throw new Error('no call came');
    expect(request.path).toBe('/hook?a=1');
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': 'UseSend-Webhook/1.0',
      'x-usesend-event': 'email.bounced',
      'x-usesend-retry': 'true',
    });
    const headers = { ...request.headers } as Record<string, string>;
    const event = new UseSend('us_key_example')
      .webhooks(secret)
      .constructEvent(request.body, { headers });
    expect(event).toMatchObject({
      id: headers['x-usesend-call'],
      data: { to: ['ben@example.org'] },
    });
  });

  const remote = Object.values(networkInterfaces())
    .flat()
    .find((one) => one?.family === 'IPv4' && !one.internal)?.address;
  const network: Need = { isMet: remote !== undefined, why: 'this machine is in no network' };
  test('calls an address of the network when asked to', needing(network), async () => {
    const paths: (string | undefined)[] = [];
    const server = createServer(({ url }, response) => {
      paths.push(url);
      response.end();
    }).listen(0, remote);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const url = `http://${remote}:${(server.address() as AddressInfo).port}/hook`;
    const line = `webhook trigger email.sent --to ${url}`;
    expect(await withSecret().run(line)).toMatchObject({ exitCode: 2 });
    expect(paths).toEqual([]);
    expect(await withSecret().run(`${line} --allow-remote`)).toMatchObject({ exitCode: 0 });
    expect(paths).toEqual(['/hook']);
  });

  test.each([
    ['a 500', { status: 500, body: 'oops' }, /responded with 500/],
    ['a redirect', { status: 302, headers: { location: 'http://localhost:1/' } }, /with 302/],
  ])('exits with 9 on %s', async (_, answer, message) => {
    const handler = await startRecorder(answer);
    const { exitCode, stderr } = await withSecret().run(
      `webhook trigger webhook.test --to ${handler.url}`,
    );
    expect(exitCode).toBe(9);
    expect(stderr).toMatch(message);
    expect(handler.requests).toHaveLength(1);
  });

  test('exits with 9 if nobody listens', async () => {
    const { exitCode, stdout } = await withSecret().run(
      'webhook trigger webhook.test --to localhost:1 --json',
    );
    expect({ exitCode, ...JSON.parse(stdout) }).toMatchObject({ exitCode: 9, status: null });
  });

  test('keeps the secret to itself, even if the handler tells it', async () => {
    const handler = await startRecorder({ status: 401, body: `expected ${secret}` });
    const world = createWorld();
    writeFileSync(join(world.home, 'secret'), `${secret}\n`);
    const { stdout, stderr } = await world.run(
      `webhook trigger webhook.test --to ${handler.url} --secret-file secret --debug`,
    );
    expect(stdout).toContain('expected ***');
    expect(stdout + stderr).not.toContain(secret);
  });

  test.each([
    ['--to https://example.com/hook', /another machine. Nothing was sent/],
    ['--to http://localhost.example.com', /another machine/],
    ['--to ftp://localhost', /not an http or https URL/],
    ['--to localhost:1 --set data.to', /not name=value/],
    ['--to localhost:1 --set data.bounce.type=Hard', /data.bounce.type/],
  ])('sends nothing with %s', async (flags, message) => {
    const { exitCode, stderr } = await withSecret().run(`webhook trigger email.bounced ${flags}`);
    expect(exitCode).toBe(2);
    expect(stderr).toMatch(message);
  });

  test('sends nothing without a secret', async () => {
    const { exitCode, stderr } = await createWorld().run(
      'webhook trigger webhook.test --to localhost:1',
    );
    expect(exitCode).toBe(2);
    expect(stderr).toContain('There is no signing secret');
  });
});

describe('webhook verify', () => {
  const at = '2026-11-20T10:00:00.000Z';

  /** A world with the files of a call that was sent at `at`. */
  async function received(): Promise<World> {
    const handler = await startRecorder({});
    const world = withSecret();
    world.clock.now = Date.parse(at);
    await world.run(`webhook trigger contact.created --to ${handler.url}`);
    const [request] = handler.requests;
    if (request === undefined) throw new Error('no call came');
    const lines = ['POST / HTTP/1.1'];
    for (let i = 0; i < request.rawHeaders.length; i += 2) {
      lines.push(`${request.rawHeaders[i]}: ${request.rawHeaders[i + 1]}`);
    }
    writeFileSync(join(world.home, 'body'), request.body);
    writeFileSync(join(world.home, 'changed'), request.body.replace('Ana', 'Eva'));
    writeFileSync(join(world.home, 'headers'), lines.join('\r\n'));
    writeFileSync(join(world.home, 'headers.json'), JSON.stringify(request.headers));
    return world;
  }

  test.each(['headers', 'headers.json'])('accepts a call with %s', async (headers) => {
    const world = await received();
    const { exitCode, stdout } = await world.run(`webhook verify body --headers ${headers} --json`);
    expect(exitCode).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ valid: true, type: 'contact.created', sentAt: at });
  });

  test('tells why it does not', async () => {
    const world = await received();
    const changed = await world.run('webhook verify changed --headers headers');
    expect(changed).toMatchObject({ exitCode: 9 });
    expect(changed.stderr).toContain('SIGNATURE_MISMATCH');
    world.clock.advance(301_000);
    const late = await world.run('webhook verify body --headers headers --quiet');
    expect(late).toMatchObject({ exitCode: 9, stdout: 'TIMESTAMP_OUT_OF_RANGE\n' });
    const then = await world.run(`webhook verify body --headers headers --at ${at} --quiet`);
    expect(then).toMatchObject({ exitCode: 0, stdout: 'valid\n' });
  });

  test.each([
    ['headers that stand twice', (headers: string) => `${headers}\r\n${headers}`],
    ['a no-break space', (headers: string) => headers.replace(/(Signature: .*)/i, '$1\u00a0')],
    ['a plus', (headers: string) => headers.replace(/(Timestamp: )/i, '$1+')],
    ['a continuation', (headers: string) => headers.replace(/(Signature: .*)/i, '$1\r\n more')],
  ])('%s: a handler gets another value, so it is not valid', async (_, change) => {
    const world = await received();
    const headers = readFileSync(join(world.home, 'headers'), 'utf8');
    const [line, ...rest] = headers.split('\r\n');
    writeFileSync(join(world.home, 'headers'), `${line}\r\n${change(rest.join('\r\n'))}`);
    const { exitCode, stdout } = await world.run('webhook verify body --headers headers --quiet');
    expect(exitCode).toBe(9);
    expect(stdout).toMatch(/^(?:SIGNATURE_MISMATCH|INVALID_TIMESTAMP)\n$/);
  });

  test('headers that are indented as a whole are read', async () => {
    const world = await received();
    const headers = readFileSync(join(world.home, 'headers'), 'utf8');
    writeFileSync(join(world.home, 'headers'), headers.replace(/^(?=.)/gm, '    '));
    expect(await world.run('webhook verify body --headers headers --quiet')).toMatchObject({
      exitCode: 0,
    });
  });

  test('names what usually makes a signature wrong', async () => {
    const world = await received();
    const message = async (words: string) => (await world.run(`webhook verify ${words}`)).stderr;
    const body = readFileSync(join(world.home, 'body'), 'utf8');
    writeFileSync(join(world.home, 'edited'), `${body}\n`);
    expect(await message('edited --headers headers')).toBe(
      'Error: The call is not valid: SIGNATURE_MISMATCH. The signature belongs to another body, timestamp or secret. It is right without the line break at the end of the body, which an editor or a shell added.\n',
    );
    expect(await message('changed --headers headers')).not.toContain('It is right');
    world.clock.advance(301_000);
    expect(await message('changed --headers headers')).toContain('Its signature is wrong, too.');
    expect(await message('body --headers headers')).not.toContain('wrong');
    const short = (world.env.MAILER_WEBHOOK_SECRET ?? '').replace('whsec_', '');
    writeFileSync(join(world.home, 'secret'), short);
    expect(await message(`body --headers headers --at ${at} --secret-file secret`)).toContain(
      'It is right with whsec_ before the secret, which is part of it.',
    );
  });

  test.each([
    [
      'a body in lines',
      { body: (text: string) => JSON.stringify(JSON.parse(text), undefined, 2) },
      'with the JSON of the body formatted in another way',
    ],
    [
      'a secret in quotes',
      { secret: (text: string) => `"${text}"` },
      'without the quotes or the \\n around the secret',
    ],
    [
      'a secret with \\n',
      { secret: (text: string) => `${text}\\n` },
      'without the quotes or the \\n around the secret',
    ],
    [
      'a body and a secret',
      { body: (text: string) => `${text}\n`, secret: (text: string) => `'${text}'` },
      'It is right without the line break at the end of the body, which an editor or a shell added, and without the quotes',
    ],
  ] as const)('%s: names the cause', async (_, changes: Changes, words) => {
    const world = await received();
    const { body = (text: string) => text, secret = (text: string) => text } = changes;
    writeFileSync(join(world.home, 'body'), body(readFileSync(join(world.home, 'body'), 'utf8')));
    writeFileSync(join(world.home, 'secret'), secret(world.env.MAILER_WEBHOOK_SECRET ?? ''));
    const line = 'webhook verify body --headers headers --secret-file secret';
    const { exitCode, stderr } = await world.run(line);
    expect(exitCode).toBe(9);
    expect(stderr).toContain(words);
  });

  const seconds = `${Date.parse(at) / 1000}`;
  test.each([
    [
      'header and signature in seconds',
      seconds,
      { timestamp: seconds },
      `${seconds} is in seconds; services send milliseconds.\n`,
    ],
    [
      'a header in seconds',
      seconds,
      { timestamp: `${seconds}000` },
      'It is right with a timestamp in milliseconds, but the header has seconds.',
    ],
    [
      'a signature in seconds',
      `${seconds}000`,
      { timestamp: seconds },
      'It is right with a timestamp in seconds, but it must be in milliseconds.',
    ],
    [
      'who signed read a line break',
      `${seconds}000`,
      { end: '\n' },
      'It is right with a line break after the secret',
    ],
    [
      'JSON as it came was in lines',
      `${seconds}000`,
      { body: '{\n  "id": 1\n}' },
      'with the JSON of the body formatted in another way',
    ],
  ] as const)('%s: names the cause', async (_, header, signed: Signed, words) => {
    const world = await received();
    const { timestamp = header, end = '', body = '{"id":1}' } = signed;
    const signature = callSignature(`${world.env.MAILER_WEBHOOK_SECRET}${end}`, timestamp, body);
    writeFileSync(join(world.home, 'body'), '{"id":1}');
    writeFileSync(
      join(world.home, 'headers'),
      `X-UseSend-Timestamp: ${header}\nX-UseSend-Signature: ${signature}\n`,
    );
    const { exitCode, stderr } = await world.run('webhook verify body --headers headers');
    expect(exitCode).toBe(9);
    expect(stderr).toContain(words);
  });
});

interface Changes {
  readonly body?: (text: string) => string;
  readonly secret?: (text: string) => string;
}

/** What a signature was made of, where that is not what the call has. */
interface Signed {
  readonly timestamp?: string;
  readonly end?: string;
  readonly body?: string;
}
