import {
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { request } from 'node:http';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startRecorder } from '../../support/recorder.ts';
import { createWorld, type World } from '../../support/run.ts';

const secret = 'whsec_0123456789abcdef';
const at = Date.parse('2026-11-20T10:00:00Z');

function worldAt(): World {
  const world = createWorld({ MAILER_WEBHOOK_SECRET: secret });
  world.clock.now = at;
  return world;
}

/** Listens for one call, which `send` sends to the URL, and returns what was printed. */
async function listen(
  world: World,
  flags: string,
  send: (url: string) => Promise<unknown>,
): Promise<{ exitCode: number; stdout: string; stderr: string }> {
  // Systems take ports from 32768 for outgoing connections.
  const port = 20_000 + Math.floor(Math.random() * 12_000);
  const listening = world.run(`webhook listen --port ${port} --count 1 ${flags}`);
  const url = `http://127.0.0.1:${port}`;
  let ended = false;
  listening.finally(() => {
    ended = true;
  });
  // Until it listens; it accepts no GET.
  const isUp = () =>
    fetch(url).then(
      ({ status }) => status === 405,
      () => false,
    );
  while (!ended && !(await isUp()));
  await send(url);
  return await listening;
}

const trigger = (world: World) => (url: string) =>
  world.run(`webhook trigger email.opened --to ${url}/hook --attempt 2 --json`);

test('a valid call is accepted, shown and kept in a private file', async () => {
  const world = worldAt();
  let sent = '';
  const { exitCode, stdout } = await listen(world, '--jsonl', async (url) => {
    sent = (await trigger(world)(url)).stdout;
  });
  expect(exitCode).toBe(0);
  expect(JSON.parse(sent)).toMatchObject({ delivered: true, status: 200 });
  const row = JSON.parse(stdout);
  expect(row).toMatchObject({ type: 'email.opened', attempt: 2, reason: null, status: 200 });
  expect(JSON.parse((await world.run('webhook log --json')).stdout)).toEqual([row]);
  const got = await world.run(`webhook get ${row.id} --quiet`);
  expect(JSON.parse(got.stdout)).toMatchObject({ id: row.call, data: { status: 'OPENED' } });
  const directory = join(world.home, '.local', 'state', 'mailer', 'webhooks');
  const [file = ''] = readdirSync(directory);
  expect(statSync(join(directory, file)).mode & 0o777).toBe(0o600);
});

test('the handler gets the original call, and its response goes back', async () => {
  const handler = await startRecorder({ status: 422, headers: { 'x-a': 'b' }, body: 'no' });
  const world = worldAt();
  let response: Response | undefined;
  await listen(world, `--forward-to ${handler.url}/in --quiet`, async (url) => {
    response = await fetch(url, { method: 'POST', headers: { 'X-Any': '1' }, body: 'any' });
  });
  expect([response?.status, response?.headers.get('x-a'), await response?.text()]).toEqual([
    422,
    'b',
    'no',
  ]);
  expect(handler.requests[0]).toMatchObject({
    path: '/in',
    body: 'any',
    headers: { 'x-any': '1' },
  });
});

test('what is not valid gets 401 and the reason', async () => {
  const world = worldAt();
  let status = 0;
  const { stdout } = await listen(world, '--jsonl', async (url) => {
    status = (await fetch(url, { method: 'POST', body: '{}' })).status;
  });
  expect([status, JSON.parse(stdout).reason]).toEqual([401, 'MISSING_SIGNATURE']);
});

test('calls of other events are accepted and not shown', async () => {
  const world = worldAt();
  const { stdout } = await listen(world, '--events email.opened --jsonl', async (url) => {
    await world.run(`webhook trigger email.sent --to ${url}`);
    await trigger(world)(url);
  });
  expect(JSON.parse(stdout).type).toBe('email.opened');
});

test('a call is replayed with a new signature, or as it was', async () => {
  const handler = await startRecorder({}, {});
  const world = worldAt();
  const { stdout } = await listen(world, '--jsonl', trigger(world));
  const { id, headers } = JSON.parse(stdout);
  const recorded = Object.fromEntries(headers);
  world.clock.advance(3_600_000);
  const to = `--to ${handler.url}`;
  expect(await world.run(`webhook replay ${id} ${to}`)).toMatchObject({ exitCode: 0 });
  expect(await world.run(`webhook replay ${id} ${to} --as-recorded`)).toMatchObject({
    exitCode: 0,
  });
  const [anew, asWas] = handler.requests;
  expect(anew?.headers['x-usesend-timestamp']).toBe(String(world.clock.now));
  expect(anew?.headers['x-usesend-signature']).not.toBe(recorded['x-usesend-signature']);
  expect(asWas?.headers['x-usesend-signature']).toBe(recorded['x-usesend-signature']);
  expect(asWas?.body).toBe(anew?.body);
  expect(await world.run(`webhook replay rcv_no ${to}`)).toMatchObject({ exitCode: 4 });
});

test.each(['--forward-to https://example.com', '--events email.read', '--host 192.0.2.1 --port 0'])(
  'listens to nothing with %s',
  async (flags) => {
    expect(await worldAt().run(`webhook listen ${flags}`)).toMatchObject({ exitCode: 2 });
  },
);

test('a call that cannot be kept gets the response of its handler, and a warning', async () => {
  const handler = await startRecorder({ body: 'done' });
  const world = worldAt();
  mkdirSync(join(world.home, '.local', 'state', 'mailer'), { recursive: true });
  writeFileSync(join(world.home, '.local', 'state', 'mailer', 'webhooks'), 'no directory');
  let response: Response | undefined;
  const outcome = await listen(world, `--forward-to ${handler.url} --jsonl`, async (url) => {
    response = await fetch(url, { method: 'POST', body: 'any' });
  });
  expect([response?.status, await response?.text()]).toEqual([200, 'done']);
  expect(outcome).toMatchObject({
    exitCode: 0,
    stdout: expect.stringContaining('"status":200'),
    stderr: expect.stringContaining('This call is not kept.'),
  });
});

test('a response that cannot be passed on is a 500', async () => {
  const handler = createServer((socket) => {
    socket.once('data', () => socket.end('HTTP/1.1 099 Odd\r\nContent-Length: 0\r\n\r\n'));
  });
  await new Promise<void>((resolve) => handler.listen(0, '127.0.0.1', resolve));
  const { port } = handler.address() as AddressInfo;
  let status: number | undefined;
  const flags = `--forward-to http://127.0.0.1:${port} --quiet`;
  const outcome = await listen(worldAt(), flags, async (url) => {
    ({ status } = await fetch(url, { method: 'POST', body: 'any' }));
  });
  handler.close();
  expect({ status, exitCode: outcome.exitCode }).toEqual({ status: 500, exitCode: 0 });
});

test('a call of which only a part was written does not hide the others', async () => {
  const world = worldAt();
  const { stdout } = await listen(world, '--jsonl', trigger(world));
  const { id } = JSON.parse(stdout);
  const directory = join(world.home, '.local', 'state', 'mailer', 'webhooks');
  const whole = readFileSync(join(directory, `${id}.json`), 'utf8');
  writeFileSync(join(directory, 'rcv_zzzz_000001.json'), whole.slice(0, 100));
  expect(await world.run('webhook log --quiet')).toMatchObject({ exitCode: 0, stdout: `${id}\n` });
  expect(await world.run('webhook get rcv_zzzz_000001')).toMatchObject({ exitCode: 4 });
});

test('a call that is too long gets 413, and a line says so', async () => {
  let statuses: number[] = [];
  const { stderr } = await listen(worldAt(), '--quiet', async (url) => {
    const post = async (body: string | ReadableStream) =>
      (await fetch(url, { method: 'POST', body, duplex: 'half' })).status;
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
    });
    statuses = [await post('x'.repeat(1024 * 1024 + 1)), await post(endless), await post('short')];
  });
  expect(statuses).toEqual([413, 413, 401]);
  expect(stderr.match(/A call of more than 1 MiB was rejected with 413\./g)).toHaveLength(2);
});

test('a header that came twice is judged as a handler sees it', async () => {
  const handler = await startRecorder({});
  const world = worldAt();
  const example = await startRecorder({});
  await world.run(`webhook trigger email.opened --to ${example.url}`);
  const [sent] = example.requests;
  const signed = ['x-usesend-event', 'x-usesend-timestamp', 'x-usesend-signature'];
  const pairs = signed.flatMap((name) => [name, String(sent?.headers[name])]);
  const { stdout } = await listen(world, `--forward-to ${handler.url} --jsonl`, async (url) => {
    // fetch would join them.
    const headers = [...pairs, 'x-usesend-signature', 'v1=00', 'host', 'localhost'];
    const calling = request(url, { method: 'POST', headers, agent: false });
    await new Promise((resolve) => calling.on('response', resolve).end(sent?.body));
  });
  expect(JSON.parse(stdout).reason).toBe('SIGNATURE_MISMATCH');
  expect(handler.requests[0]?.headers['x-usesend-signature']).toMatch(/^v1=\w{64}, v1=00$/);
});

test('a call that is deleted while calls are listed does not hide the others', async () => {
  const world = worldAt();
  await listen(world, '--quiet', trigger(world));
  const directory = join(world.home, '.local', 'state', 'mailer', 'webhooks');
  symlinkSync(join(directory, 'deleted'), join(directory, 'rcv_00000000_000001.json'));
  const { exitCode, stdout } = await world.run('webhook log --json');
  expect([exitCode, JSON.parse(stdout).length]).toEqual([0, 1]);
});
