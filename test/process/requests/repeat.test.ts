import { writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, type Finished, finished, type Place } from '../../support/process.ts';
import { asksForStanding } from '../../support/recorder.ts';

/**
 * What the proxy does with a response: pass it on, close the connection before it or in the middle of it, or
 * send nothing.
 */
type Mode = 'pass' | 'break' | 'cut' | 'hold';

/** The proxy between the program and the service. */
interface Proxy {
  mode: Mode;
  readonly baseUrl: string;
  /** The keys and bodies of requests that the service responded to. */
  readonly answered: { readonly key: string; readonly body: string }[];
}

async function startProxy(target: string, mode: Mode): Promise<Proxy> {
  const answered: Proxy['answered'] = [];
  const server = createServer(async (request, response) => {
    const body = await read(request);
    const { method = '', url = '', headers } = request;
    const reply = await fetch(new URL(url, target), {
      method,
      headers: Object.entries(headers)
        .filter(([name]) => /^(authorization|content-type|idempotency-key)$/.test(name))
        .map(([name, value]): [string, string] => [name, String(value)]),
      ...(body === '' ? {} : { body }),
    });
    const text = await reply.text();
    // The program only asks for the account's state, or which data the sandbox has.
    if (asksForStanding(url) || url === '/control') {
      return void response.writeHead(reply.status).end(text);
    }
    if (method === 'POST') answered.push({ key: String(headers['idempotency-key']), body });
    if (proxy.mode === 'break') request.socket.destroy();
    if (proxy.mode === 'hold' || proxy.mode === 'break') return;
    response.writeHead(reply.status, { 'content-length': Buffer.byteLength(text) });
    if (proxy.mode === 'pass') response.end(text);
    else response.write(text.slice(0, 9), () => request.socket.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const proxy = { mode, baseUrl: `http://127.0.0.1:${port}/api`, answered };
  return proxy;
}

async function read(message: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString('utf8');
}

interface Stored {
  readonly id: string;
  readonly scheduledAt: string | null;
}

interface Setup {
  readonly place: Place;
  readonly proxy: Proxy;
  /** Emails that the service did not have at the start, by its own records. */
  readonly emails: () => Promise<Stored[]>;
}

async function behindProxy(mode: Mode): Promise<Setup> {
  const { url, baseUrl, apiKey, env } = await serveHere(createPlace());
  const proxy = await startProxy(url, mode);
  const place = createPlace({ ...env, MAILER_BASE_URL: proxy.baseUrl });
  const list = async (): Promise<Stored[]> => {
    const reply = await fetch(`${baseUrl}/v1/emails?page=1&limit=50`, {
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    // In the sandbox's list, one page has all of them.
    const { data } = (await reply.json()) as { readonly data: readonly Stored[] };
    return data.map(({ id, scheduledAt }) => ({ id, scheduledAt }));
  };
  const before = new Set((await list()).map(({ id }) => id));
  return { place, proxy, emails: async () => (await list()).filter(({ id }) => !before.has(id)) };
}

/** The full command line that an error prints, not the short one that resumes a run. */
function printedLine({ stderr }: Pick<Finished, 'stderr'>): string {
  const text = stderr.startsWith('{') ? `\n${JSON.parse(stderr).error.hint}` : stderr;
  return text.slice(text.search(/\nmailer (?!run resume)/) + 1);
}

/**
 * Runs the printed line in a shell, now that responses get through, and expects that the service has only
 * the emails of the first run, and that the output is their ids.
 */
async function expectSentOnce(
  { place, proxy, emails }: Setup,
  failed: Pick<Finished, 'stderr'>,
  { input, count = 1 }: { input?: string; count?: number } = {},
): Promise<void> {
  const accepted = await emails();
  expect(accepted).toHaveLength(count);
  const [first] = proxy.answered;
  proxy.mode = 'pass';
  const line = printedLine(failed);
  const again = await finished(place.shell(line, input === undefined ? {} : { input }));
  expect(again.exitCode, again.stderr).toBe(0);
  expect(proxy.answered.at(-1)).toEqual(first);
  expect(await emails()).toEqual(accepted);
  const ids = accepted.map(({ id }) => id);
  const printed = line.includes(' --json')
    ? ids.filter((id) => again.stdout.includes(id))
    : again.stdout.trimEnd().split('\n');
  expect(printed.sort()).toEqual(ids.sort());
}

const to = ['--to', 'ana@example.org', '--from', 'hello@example.com'];
const send = ['email', 'send', ...to];
const plain = [...send, '--subject', 'Hi', '--text', 'Hello'];
const hostile = `it's "$HOME" \`id\` $(id) \\ !! * ~ #{}; exit 9 & < > | é 👋`;
const row = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: hostile };

function put({ place }: Setup, name: string, content: string | Uint8Array): void {
  writeFileSync(join(place.home, name), content);
}

describe('a send that is accepted, with a lost response', () => {
  test.each<[string, string[], { files?: Record<string, string>; input?: string }?]>([
    [
      'quotes, variables, backticks and several lines',
      [
        ...send,
        '--subject',
        hostile,
        '--text',
        `One\n\n  ${hostile}\n\tEnd\r\n`,
        '--html',
        '\nx\n',
      ],
    ],
    ['a body from stdin', [...send, '--subject', 'Hi', '--text-file', '-'], { input: 'In\n$1\n' }],
    ['a request from stdin', ['email', 'send', '--file', '-'], { input: JSON.stringify(row) }],
    [
      'a request from a file, with a flag over it',
      ['email', 'send', '--file', 'my request.json', '--subject', 'Other'],
      { files: { 'my request.json': JSON.stringify({ ...row, scheduledAt: 'tomorrow 9am' }) } },
    ],
    [
      'attachments',
      [...plain, '--attach', "it's $1.txt", '--attach', 'b.txt'],
      { files: { "it's $1.txt": 'one', 'b.txt': 'two' } },
    ],
    [
      'display names, headers and a key of its own',
      [
        ...['email', 'send', '--to', '"O\'Neil, A" <a@example.org>, b@example.org'],
        ...[
          '--from=Shop <hello@example.com>',
          '--subject',
          '-',
          '--text=--',
          '--header',
          'X-A: $b',
        ],
        ...['--idempotency-key=order/1=$x', '--timezone', 'Asia/Tokyo'],
      ],
    ],
  ])(
    'is repeated by the line that is printed: %s',
    async (_, words, { files = {}, input } = {}) => {
      const setup = await behindProxy('break');
      for (const [name, content] of Object.entries(files)) put(setup, name, content);
      const given = input === undefined ? {} : { input };
      const failed = await runHere(setup.place, [...words, '--retries', '0'], given);
      expect(failed).toMatchObject({ exitCode: 7, stdout: '' });
      expect(setup.proxy.answered).toHaveLength(1);
      expect(failed.stderr).toContain(`\nIdempotency-Key: ${setup.proxy.answered[0]?.key}\n`);
      await expectSentOnce(setup, failed, given);
    },
  );

  test('however often it was tried before', async () => {
    const setup = await behindProxy('break');
    const failed = await runHere(setup.place, [...plain, '--retries', '2']);
    expect(failed.exitCode).toBe(7);
    expect(setup.proxy.answered).toHaveLength(3);
    expect(new Set(setup.proxy.answered.map(({ key }) => key)).size).toBe(1);
    await expectSentOnce(setup, failed);
  });

  test('with a relative time keeps that time', async () => {
    const setup = await behindProxy('break');
    const words = [...plain, '--scheduled-at', 'in 2 hours', '--retries', '0'];
    const failed = await runHere(setup.place, words);
    const [first] = await setup.emails();
    expect(Date.parse(first?.scheduledAt ?? '')).toBeGreaterThan(Date.now() + 7_000_000);
    // By now, "in 2 hours" is another time.
    const { scheduledAt } = JSON.parse(setup.proxy.answered[0]?.body ?? '');
    await vi.waitFor(
      async () => {
        const { stdout } = await runHere(setup.place, [...words, '--dry-run', '--json']);
        expect(JSON.parse(stdout).body.scheduledAt > scheduledAt).toBe(true);
      },
      { timeout: 20_000 },
    );
    await expectSentOnce(setup, failed);
  });

  test('in the middle of it, with --json: the key and the line are in the error', async () => {
    const setup = await behindProxy('cut');
    const failed = await runHere(setup.place, [...plain, '--retries', '0', '--json']);
    expect(failed).toMatchObject({ exitCode: 7, stdout: '' });
    expect(JSON.parse(failed.stderr).error).toMatchObject({
      code: 'unavailable',
      idempotencyKey: setup.proxy.answered[0]?.key,
      hint: expect.stringContaining('\nmailer email send '),
    });
    await expectSentOnce(setup, failed);
  });

  test('with --wait: the line follows the one email', async () => {
    const setup = await behindProxy('break');
    const failed = await runHere(setup.place, [...plain, '--retries', '0', '--wait', '-q']);
    expect(failed.exitCode).toBe(7);
    await expectSentOnce(setup, failed);
  });
});

describe('a batch that is accepted, with a lost response', () => {
  const rows = [row, { ...row, to: ['a@example.org', 'B <b@example.org>'] }];

  test.each<[string, string[], string?]>([
    ['a file', ['email', 'batch', '-qy', "the batch's $file.json"]],
    ['stdin', ['email', 'batch', '--quiet', '--yes', '-'], JSON.stringify(rows)],
    ['to be followed', ['email', 'batch', '-y', '--wait', '--json', '--', '-b.json']],
  ])('is repeated by the line that is printed: %s', async (_, words, input) => {
    const setup = await behindProxy('break');
    put(setup, "the batch's $file.json", JSON.stringify(rows));
    put(setup, '-b.json', JSON.stringify(rows));
    const given = input === undefined ? {} : { input };
    const failed = await runHere(setup.place, ['--retries', '0', ...words], given);
    expect(failed).toMatchObject({ exitCode: 7, stdout: '' });
    await expectSentOnce(setup, failed, { ...given, count: 2 });
  });
});

describe('a send that is interrupted before the response', () => {
  async function ended(words: readonly string[], signal: NodeJS.Signals) {
    const setup = await behindProxy('hold');
    const started = setup.place.start(words);
    const wait = { timeout: 20_000, interval: 5 };
    await vi.waitFor(() => expect(setup.proxy.answered).toHaveLength(1), wait);
    started.kill(signal);
    return { setup, end: await finished(started) };
  }

  test('SIGINT: 130, and the printed line repeats it', async () => {
    const { setup, end } = await ended(plain, 'SIGINT');
    expect(end).toMatchObject({ exitCode: 130, stdout: '' });
    expect(end.stderr).toContain(`\nIdempotency-Key: ${setup.proxy.answered[0]?.key}\n`);
    await expectSentOnce(setup, end);
  });

  test('SIGTERM: 143, and with --json the line is in the error', async () => {
    const { setup, end } = await ended([...plain, '--json'], 'SIGTERM');
    expect(end.exitCode).toBe(143);
    expect(JSON.parse(end.stderr).error).toMatchObject({
      code: 'terminated',
      idempotencyKey: setup.proxy.answered[0]?.key,
    });
    await expectSentOnce(setup, end);
  });

  test('SIGKILL: the same line again, with a key of its own', async () => {
    const words = [...plain, '--idempotency-key', 'order-1'];
    const { setup, end } = await ended(words, 'SIGKILL');
    expect(end).toMatchObject({ signal: 'SIGKILL', stderr: '' });
    const accepted = await setup.emails();
    expect(accepted).toHaveLength(1);
    setup.proxy.mode = 'pass';
    expect(await setup.place.run(words)).toMatchObject({
      exitCode: 0,
      stdout: `${accepted[0]?.id}\n`,
    });
    expect(await setup.emails()).toEqual(accepted);
  });
});
