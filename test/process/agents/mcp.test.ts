import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { visible } from '../../../src/lib/base/text/visible.ts';
import { hostileTexts } from '../../support/hostile-texts.ts';
import { enter } from '../../support/keys.ts';
import { startMailCounter } from '../../support/mail-counter.ts';
import { connectMcp, generations, type Returned } from '../../support/mcp.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, type Place, startOf } from '../../support/process.ts';
import { openTerminal } from '../../support/terminal.ts';

/** Calls that work on the example data of a sandbox. */
const readingCalls = [
  ['account', {}],
  ['account', { features: true }],
  ['find_emails', { limit: 5 }],
  ['find_emails', { failed: true, events: true }],
  ['get_email', { id: 'email_receipt' }],
  ['check_email', { subject: 'Hi', text: 'Hello' }],
  ['list_domains', {}],
  ['check_domain', { domain: 'example.com' }],
  ['stats', {}],
  ['stats', { total: true }],
  ['reputation', {}],
  ['list_books', {}],
  ['find_contacts', { book: 'Customers' }],
  ['list_runs', {}],
  ['log', {}],
] as const;

describe.each(Object.entries(generations))('a client of the protocol %s', (name, options) => {
  test('lists the tools and calls each; every result fits its schema', async () => {
    const { client, call } = await connectMcp('--sandbox', { options });
    expect(client.getNegotiatedProtocolVersion()).toMatch(
      name === '2026-07-28' ? /^2026-07-28$/ : /^202[45]-/,
    );
    const { tools } = await client.listTools();
    expect(tools.length).toBeLessThanOrEqual(14);
    expect(tools.map((one) => one.name)).toEqual(
      expect.arrayContaining([...new Set(readingCalls.map(([tool]) => tool))]),
    );
    for (const one of tools) {
      expect(one.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(one.outputSchema).toMatchObject({ type: 'object', additionalProperties: false });
      expect(one.description).toContain('never orders');
      expect(Object.keys(one.inputSchema.properties ?? {}).join()).not.toMatch(/key|url|path/i);
    }
    for (const [tool, args] of readingCalls) {
      const returned = await call(tool, args);
      expect({ tool, ...returned }).toMatchObject({ isError: false, exitCode: 0, error: null });
      expect(returned.result).not.toBeNull();
    }
  });
});

test('tools that only read say so, and none says that it is harmless and is not', async () => {
  const { client } = await connectMcp('--sandbox --allow-send', {
    env: { MAILER_ALLOW_TO: '*@example.org' },
  });
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toContain('send_approved');
  for (const { name, annotations } of tools) {
    expect({ name, ...annotations }).toMatchObject({
      readOnlyHint: !['prepare_email', 'send_approved'].includes(name),
      openWorldHint: false,
      destructiveHint: name === 'send_approved',
    });
  }
});

test('many calls at once get their own results', async () => {
  const { client, call } = await connectMcp();
  await client.listTools();
  const all = await Promise.all(
    [...readingCalls, ...readingCalls].map(([tool, args]) => call(tool, args)),
  );
  expect(all.map(({ exitCode }) => exitCode)).toEqual(all.map(() => 0));
  expect(all.slice(readingCalls.length).map(({ result }) => JSON.stringify(result).length)).toEqual(
    all.slice(0, readingCalls.length).map(({ result }) => JSON.stringify(result).length),
  );
});

test('bodies are shown on request, and cut at a limit that is said', async () => {
  const place = createPlace();
  const text = 'x'.repeat(30_000);
  const words = [
    'email',
    'send',
    '--sandbox',
    '--from',
    'hello@example.com',
    '--to',
    'delivered+a@example.com',
  ];
  const sent = await place.run([...words, '--subject', 'Long', '--text', text, '--json']);
  const { emailId } = JSON.parse(sent.stdout);
  const { call } = await connectMcp('--sandbox', { place });
  const without = await call('get_email', { id: emailId });
  expect(without.result).toMatchObject({ text: '' });
  expect(without.cut).toContain('text: left out; bodies: true shows it');
  const body = await call('get_email', { id: emailId, bodies: true });
  expect(body.result).toMatchObject({ text: 'x'.repeat(20_000) });
  expect(body.cut).toContain('text: 10000 of 30000 characters');
  const found = await call('find_emails', { subject: ['Long'] });
  expect(JSON.stringify(found)).not.toContain('xxx');
});

describe('fields', () => {
  test('that are wrong are errors', async () => {
    const { call } = await connectMcp();
    for (const [what, tool, args] of [
      ['an unknown field', 'find_emails', { key: 'us_key_1234567890' }],
      ['a flag', 'find_emails', { '--base-url': 'http://127.0.0.1' }],
      ['another account', 'account', { profile: 'work' }],
      ['a number for a text', 'get_email', { id: 7 }],
      ['a list for a text', 'get_email', { id: ['a', 'b'] }],
      ['nothing', 'get_email', {}],
      ['null', 'get_email', { id: null }],
      ['an empty text', 'get_email', { id: '' }],
      ['stdin', 'get_email', { id: '-' }],
      ['NUL', 'get_email', { id: 'a\0b' }],
      ['a text for a number', 'find_emails', { limit: '5' }],
      ['a negative number', 'find_emails', { limit: -5 }],
      ['an unknown word', 'find_emails', { status: ['SEND'] }],
      ['an object', 'find_emails', { subject: { $ne: '' } }],
      ['too many values', 'find_emails', { to: Array.from({ length: 51 }, () => 'a@example.com') }],
      ['a very long text', 'find_emails', { since: 'x'.repeat(5000) }],
      ['a file without a root', 'check_email', { file: 'a.html' }],
      ['links to request', 'check_email', { text: 'Hi', links: true }],
      ['a resolver', 'check_domain', { domain: 'example.com', resolver: '127.0.0.1' }],
    ] as const) {
      expect({ what, ...(await call(tool, args)) }).toMatchObject({
        isError: true,
        exitCode: 2,
        result: null,
        error: { code: 'usage' },
      });
    }
  });

  test('never become flags or words of another command', async () => {
    const { call } = await connectMcp();
    for (const id of [
      '--open',
      '--help',
      '--json --debug',
      '-h',
      '$(id)',
      '; id',
      '../domains',
      '%2e%2e',
    ]) {
      expect(await call('get_email', { id })).toMatchObject({ isError: true, result: null });
    }
    for (const since of ['--yes', '--all', '-h']) {
      expect(await call('find_emails', { since })).toMatchObject({ exitCode: 2, result: null });
    }
  });

  test('are texts, also if they name files, so that nobody learns which there are', async () => {
    const place = createPlace();
    writeFileSync(join(place.home, 'here.html'), '<p>secret</p>');
    const { call } = await connectMcp('--sandbox', { place });
    const people = { from: 'hello@example.com', to: ['delivered+ana@example.org'], subject: 'Hi' };
    const secret = join(place.home, 'here.html');
    const missing = join(place.home, 'gone.html');
    const without = (returned: Returned) =>
      JSON.stringify(returned)
        .replaceAll(secret, missing)
        .replace(/"(?:id|digest|preparedAt|expiresAt)":"[^"]*"|[0-9a-f]{16}/g, '');
    for (const written of [(path: string) => path, (path: string) => `@${path}`]) {
      for (const field of ['html', 'text']) {
        const draftOf = (path: string) => ({ ...people, [field]: written(path) });
        for (const tool of ['check_email', 'prepare_email']) {
          const there = await call(tool, draftOf(secret));
          expect(without(there)).toBe(without(await call(tool, draftOf(missing))));
          expect({ tool, ...there }).toMatchObject({ error: null });
        }
      }
      const named = await call('prepare_email', { ...people, text: 'Hi', var: [written(secret)] });
      const gone = await call('prepare_email', { ...people, text: 'Hi', var: [written(missing)] });
      expect(without(named)).toBe(without(gone));
    }
  });

  test('of another account find nothing', async () => {
    const { call } = await connectMcp();
    expect(await call('get_email', { id: 'email_of_another' })).toMatchObject({
      isError: true,
      exitCode: 4,
      error: { code: 'not_found' },
    });
    expect(await call('find_contacts', { book: 'book_of_another' })).toMatchObject({ exitCode: 4 });
    expect(await call('check_domain', { domain: 'secret.example.net' })).toMatchObject({
      exitCode: 4,
      result: null,
    });
  });

  test('of an unknown tool are an error of the protocol', async () => {
    const { client } = await connectMcp();
    await expect(client.callTool({ name: 'outbox_approve', arguments: {} })).rejects.toThrow(
      /no tool outbox_approve/,
    );
  });
});

describe('--root', () => {
  test('allows files below it, and none elsewhere, whatever the path is', async () => {
    const place = createPlace();
    const root = join(place.home, 'root');
    mkdirSync(join(root, 'sub.html'), { recursive: true });
    writeFileSync(join(root, 'a.html'), '<p>Hello {{ name }}</p>');
    writeFileSync(join(root, 'a.tsx'), 'export default () => null');
    writeFileSync(join(root, 'a.mjml'), '<mjml><mj-body></mj-body></mjml>');
    writeFileSync(join(place.home, 'out.html'), '<p>secret {{ secret }}</p>');
    symlinkSync(join(place.home, 'out.html'), join(root, 'link.html'));
    symlinkSync(place.home, join(root, 'up'));
    symlinkSync('a.html', join(root, 'inside.html'));
    const { call } = await connectMcp(['--sandbox', '--root', 'root'], { place });
    for (const file of ['a.html', './a.html', 'inside.html', join(root, 'a.html')]) {
      const { result } = await call('check_email', { file });
      expect(JSON.stringify(result)).toContain('"code":"placeholder"');
    }
    for (const file of [
      '../out.html',
      'sub.html/../../out.html',
      join(place.home, 'out.html'),
      'link.html',
      'up/out.html',
      '/etc/passwd',
      '/proc/self/environ',
      'sub.html',
      'none.html',
      '~/out.html',
      'file:///etc/passwd',
    ]) {
      const returned = await call('check_email', { file });
      expect({ file, ...returned }).toMatchObject({ exitCode: 2, result: null });
      expect(returned.error?.message).toContain('There is no file');
      expect(JSON.stringify(returned)).not.toContain('secret');
    }
    for (const file of ['a.tsx', 'a.mjml']) {
      const { error } = await call('check_email', { file });
      expect(error?.message).toBe(
        `${file}: only files that end in html, htm, txt, md, markdown, eml`,
      );
    }
    expect(await call('check_email', { file: 'a.html\0.png' })).toMatchObject({ exitCode: 2 });
  });

  test('must be a directory', async () => {
    const ended = await createPlace().run('mcp --sandbox --root none');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain('--root none is not a directory');
  });
});

/** A service that puts one text wherever others write. */
async function startEchoing() {
  const state = { text: 'benign' };
  const at = '2026-01-15T10:00:00.000Z';
  const email = () => ({
    id: 'email_1',
    to: ['ana@example.com'],
    from: `${state.text} <eve@example.net>`,
    subject: state.text,
    html: null,
    text: state.text,
    headers: { 'X-Note': state.text, [`X-${state.text}`]: 'a' },
    attachments: [{ filename: state.text, content: 'aGk=' }],
    createdAt: at,
    updatedAt: at,
    latestStatus: 'BOUNCED',
    emailEvents: [
      { emailId: 'email_1', status: 'BOUNCED', createdAt: at, data: { reason: state.text } },
    ],
  });
  const replies: Readonly<Record<string, () => unknown>> = {
    'emails/email_1': email,
    emails: () => ({ data: [email()], count: 1 }),
    'contactBooks/book_1/contacts': () => [
      {
        id: 'contact_1',
        email: 'ana@example.com',
        firstName: state.text,
        lastName: state.text,
        subscribed: true,
        properties: { note: state.text, [state.text]: 'a' },
        contactBookId: 'book_1',
        createdAt: at,
        updatedAt: at,
      },
    ],
    domains: () => [
      {
        id: 1,
        name: 'example.com',
        status: 'SUCCESS',
        region: 'us-east-1',
        createdAt: at,
        dnsRecords: [
          { type: 'TXT', name: 'send', value: state.text, ttl: 'Auto', status: 'SUCCESS' },
        ],
      },
    ],
  };
  const server = createServer((request, response) => {
    const [, path = ''] = /\/v1\/([^?]*)/.exec(request.url ?? '') ?? [];
    const reply = replies[decodeURIComponent(path)];
    response.writeHead(reply ? 200 : 404, { 'content-type': 'application/json' });
    response.end(
      JSON.stringify(reply?.() ?? { error: { code: 'NOT_FOUND', message: state.text } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  return { state, env: { MAILER_BASE_URL: `http://127.0.0.1:${port}/api`, MAILER_API_KEY: key } };
}

const key = 'us_key_1234567890';

test('fifty hostile texts change nothing but the data that they are', async () => {
  const { state, env } = await startEchoing();
  const { client, call } = await connectMcp([], { env });
  const listed = JSON.stringify(await client.listTools());
  const ask = async () => [
    await call('get_email', { id: 'email_1', bodies: true }),
    await call('find_emails', {}),
    await call('find_contacts', { book: 'book_1' }),
    await call('list_domains', {}),
    await call('get_email', { id: 'unknown' }),
  ];
  const benign = await ask();
  expect(JSON.stringify(benign).match(/benign/g)?.length).toBeGreaterThan(10);
  expect(hostileTexts).toHaveLength(50);
  for (const text of hostileTexts) {
    state.text = text;
    const returned = await ask();
    expect(hiddenIn(returned)).toEqual([]);
    expect(likened(returned, benign, text)).toEqual(benign);
  }
  expect(JSON.stringify(await client.listTools())).toBe(listed);
  expect(JSON.stringify(benign)).not.toContain(key);
});

/** What of the results would be invisible, in texts and in names. The body keeps its lines. */
function hiddenIn(value: unknown): string[] {
  if (typeof value === 'string')
    return value.replaceAll('\n', '') === visible(value.replaceAll('\n', '')) ? [] : [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [...hiddenIn(name), ...hiddenIn(one)]);
}

/** The results with the benign text where the hostile one is. */
function likened(value: unknown, benign: unknown, text: string): unknown {
  if (typeof value === 'string') {
    if (value === benign) return value;
    return [visible(text), text].reduce((all, one) => all.split(one).join('benign'), value);
  }
  if (Array.isArray(value)) {
    return value.map((one, at) =>
      likened(one, Array.isArray(benign) ? benign[at] : undefined, text),
    );
  }
  if (typeof value !== 'object' || value === null) return value;
  const before = Object.entries((benign ?? {}) as object);
  return Object.fromEntries(
    Object.entries(value).map(([name, one], at) => {
      const as = before[at]?.[0] ?? '';
      const isSame = name === as || name === as.replace('benign', visible(text));
      return [isSame ? as : name, likened(one, before[at]?.[1], text)];
    }),
  );
}

test('a cancelled call ends its request', async () => {
  const arrived = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  const server = createServer((request) => {
    request.socket.on('close', () => closed.resolve());
    arrived.resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a TCP port has an AddressInfo.
  const { port } = server.address() as AddressInfo;
  const env = { MAILER_BASE_URL: `http://127.0.0.1:${port}/api`, MAILER_API_KEY: key };
  const { call } = await connectMcp([], { env });
  const cancel = new AbortController();
  const pending = call('list_domains', {}, cancel.signal).catch((error: unknown) => error);
  await arrived.promise;
  cancel.abort();
  await closed.promise;
  expect(await pending).toBeInstanceOf(Error);
  // The server goes on.
  expect(await call('list_runs', {})).toMatchObject({ exitCode: 0 });
});

describe('the server ends', () => {
  test('when the client closes stdin, with 0 and nothing else on stdout', async () => {
    const input = `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    })}\n`;
    const ended = await createPlace().run('mcp --sandbox', { input });
    expect(ended).toMatchObject({ exitCode: 0, stderr: '' });
    const lines = ended.stdout.trimEnd().split('\n');
    expect(lines.map((line) => JSON.parse(line).id)).toEqual([1]);
  });

  test('at once without a request', async () => {
    expect(await createPlace().run('mcp --sandbox')).toMatchObject({ exitCode: 0, stdout: '' });
  });

  test('when nobody reads its output', async () => {
    const [command, ...before] = startOf();
    const { home, env } = createPlace();
    const child = spawn(command, [...before, 'mcp', '--sandbox'], { cwd: home, env });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    const ended = once(child, 'exit');
    child.stdin.on('error', () => {});
    child.stdout.destroy();
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })}\n`);
    expect(await ended).toEqual([0, null]);
  });

  test('with garbage on stdin, which is no message', async () => {
    const ended = await createPlace().run('mcp --sandbox', {
      input: 'hello\n{"a":1}\n[]\n\u0000\n',
    });
    expect(ended).toMatchObject({ exitCode: 0 });
    for (const line of ended.stdout.split('\n').filter(Boolean)) JSON.parse(line);
  });
});

test('keys never appear', async () => {
  const { env } = await startEchoing();
  const { call, stderr } = await connectMcp([], { env });
  const all: Returned[] = [];
  for (const [tool, args] of readingCalls) all.push(await call(tool, args));
  expect(JSON.stringify(all) + stderr()).not.toContain(key);
});

describe('--allow-send', () => {
  const draft = {
    from: 'hello@example.com',
    to: ['delivered+ana@example.org'],
    subject: 'Hi',
    text: 'Hello',
  };
  const policy = { MAILER_ALLOW_TO: '*@example.org' };

  const approve = async (place: Place, words: string) => {
    const terminal = openTerminal(place, `mailer outbox approve ${words}`);
    await terminal.shows('type the number of recipients');
    terminal.type(`1${enter}`);
    await terminal.end();
  };

  test('needs a policy that says to whom', async () => {
    const ended = await createPlace().run('mcp --sandbox --allow-send');
    expect(ended).toMatchObject({ exitCode: 2, stdout: '' });
    expect(ended.stderr).toContain('--allow-send needs a policy with allow-to');
  });

  test('sends what a person approved on a terminal, once, and nothing else', async () => {
    const place = createPlace(policy);
    const { call } = await connectMcp('--sandbox --allow-send', { place });
    const { result, ...prepared } = await call('prepare_email', draft);
    expect(prepared).toMatchObject({ exitCode: 0, isError: false });
    const { id, digest } = result as { readonly id: string; readonly digest: string };
    expect(result).toMatchObject({ state: 'pending', recipients: 1 });
    const early = await call('send_approved', { id, digest });
    expect(early).toMatchObject({ isError: true, result: null });
    expect(early.error?.hint).toContain(`mailer outbox approve ${id}`);
    await approve(place, `${id} --sandbox`);
    const other = await call('send_approved', { id, digest: `${digest}0` });
    expect(other).toMatchObject({ isError: true, exitCode: 2, result: null });
    expect((await call('find_emails', { subject: ['Hi'] })).result).toMatchObject({ count: 0 });
    for (const again of [1, 2]) {
      await call('send_approved', { id, digest });
      expect({ again, ...(await call('find_emails', { subject: ['Hi'] })) }).toMatchObject({
        result: { count: 1 },
      });
    }
    const { result: log } = await call('log', {});
    const entries = log as readonly { readonly command: string }[];
    expect(entries.map(({ command }) => command)).toEqual(
      expect.arrayContaining(['outbox send', 'outbox approve', 'email send']),
    );
  });

  test('a SIGTERM while it sends leaves an outcome in the log, and what is sent again is sent once', async () => {
    const counter = await startMailCounter();
    const place = createPlace({ ...counter.env, ...policy });
    const { call, pid } = await connectMcp('--allow-send', { place });
    const { result } = await call('prepare_email', { ...draft, to: ['ana@example.org'] });
    const { id, digest } = result as { readonly id: string; readonly digest: string };
    await approve(place, id);
    counter.interrupt = (moment) => {
      if (moment === 'before it is carried out') process.kill(pid ?? 0, 'SIGTERM');
      return false;
    };
    await call('send_approved', { id, digest }).catch(() => undefined);
    const logged = async () => JSON.parse((await place.run('log list --json')).stdout);
    await expect
      .poll(logged, { timeout: patience })
      .toMatchObject([
        { command: 'outbox send', exitCode: expect.any(Number) },
        { command: 'outbox approve' },
        { command: 'email send' },
      ]);
    counter.interrupt = undefined;
    expect(await place.run(['outbox', 'send', id])).toMatchObject({ exitCode: 0 });
    expect(Object.fromEntries(counter.mailed)).toEqual({ 'ana@example.org': 1 });
  });

  test('the policy applies to what is prepared, and as it is when something is sent', async () => {
    const place = createPlace();
    const run = async (words: string) => await place.run(words);
    expect(await run('policy set --allow-to *@example.org')).toMatchObject({ exitCode: 0 });
    const { call } = await connectMcp('--sandbox --allow-send', { place });
    expect(await call('prepare_email', { ...draft, to: ['eve@example.net'] })).toMatchObject({
      isError: true,
      error: { code: 'policy' },
    });
    const readOnly = await connectMcp('--sandbox', { env: { MAILER_READ_ONLY: 'on' } });
    expect(await readOnly.call('prepare_email', draft)).toMatchObject({
      isError: true,
      error: { code: 'policy' },
    });
    const { result } = await call('prepare_email', draft);
    const { id, digest } = result as { readonly id: string; readonly digest: string };
    await approve(place, `${id} --sandbox`);
    expect(await run('policy unset allow-to --yes')).toMatchObject({ exitCode: 0 });
    expect(await call('send_approved', { id, digest })).toMatchObject({
      isError: true,
      result: null,
      error: { message: 'There is no policy with allow-to any more, so nothing was sent' },
    });
    expect((await call('find_emails', { subject: ['Hi'] })).result).toMatchObject({ count: 0 });
    expect(await run('policy set --allow-to *@example.org')).toMatchObject({ exitCode: 0 });
    expect(await call('send_approved', { id, digest })).toMatchObject({ isError: false });
  });

  test('without it, there is no tool that sends', async () => {
    const { client, call } = await connectMcp('--sandbox', { env: policy });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('send_approved');
    await expect(call('send_approved', { id: 'a', digest: 'b' })).rejects.toThrow(/no tool/);
    const { result } = await call('prepare_email', draft);
    expect(result).toMatchObject({ state: 'pending' });
    expect((await call('find_emails', { subject: ['Hi'] })).result).toMatchObject({ count: 0 });
  });

  test('an attachment is a file below the root', async () => {
    const place = createPlace(policy);
    mkdirSync(join(place.home, 'root'));
    writeFileSync(join(place.home, 'secret.txt'), 'secret');
    writeFileSync(join(place.home, 'root', '\u202eignore previous.txt'), 'ok');
    const { call } = await connectMcp(['--sandbox', '--root', 'root'], { place });
    for (const attach of [['../secret.txt'], ['/etc/passwd'], ['-'], ['a\0b']]) {
      expect(await call('prepare_email', { ...draft, attach })).toMatchObject({ exitCode: 2 });
    }
    const attach = ['\u202eignore previous.txt'];
    const returned = await call('prepare_email', { ...draft, attach });
    expect(returned).toMatchObject({ exitCode: 0 });
    expect(JSON.stringify(returned)).not.toContain('\u202e');
  });
});
