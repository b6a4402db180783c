import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { UseSend } from 'usesend-js';
import { describe, expect, test } from 'vitest';
import { commandLines } from '../../../docs/command-lines.ts';
import { fileIn } from '../../../support/connected.ts';
import { createWorld, type World } from '../../../support/run.ts';
import { clientOf } from '../../../support/senders.ts';
import { type Serving, serveIn } from '../../../support/serving.ts';

const message = '--to ana@example.org --from hello@example.com --subject Hi --text Hello';
const examples = 'email_receipt\nemail_welcome\n';

const dataOf = ({ home }: World) => join(home, '.local', 'share', 'mailer', 'sandbox');

/** The ids that a served sandbox lists, or without one those in its data, sorted. */
async function ids(world: World, { env }: Partial<Serving> = {}) {
  const words = `email list --quiet${env === undefined ? ' --sandbox' : ''}`;
  const { stdout } = await world.run(words, { env: env ?? {} });
  return stdout.trimEnd().split('\n').sort();
}

describe('the data', () => {
  test('is kept after the server, available without one, and shared by two', async () => {
    const world = createWorld();
    const first = await serveIn(world);
    const { stdout } = await world.run(`email send ${message}`, { env: first.env });
    await first.stop();
    const get = `email get ${stdout.trim()} --quiet`;
    expect(await world.run(`${get} --sandbox`)).toMatchObject({ exitCode: 0, stdout });
    for (const { env } of [await serveIn(world), await serveIn(world)]) {
      expect(await world.run(get, { env })).toMatchObject({ exitCode: 0, stdout });
    }
  });

  test('can be reset while it is served', async () => {
    const world = createWorld();
    const served = await serveIn(world);
    const { env } = served;
    await world.run(`email send ${message}`, { env });
    expect(await ids(world, served)).toHaveLength(3);
    expect(await world.run('sandbox reset --yes')).toMatchObject({ exitCode: 0, stdout: '' });
    expect(await ids(world, served)).toEqual(examples.trim().split('\n'));
    world.clock.advance(1);
    expect((await world.run(`email send ${message}`, { env })).exitCode).toBe(0);
    expect(await ids(world, served)).toHaveLength(3);
  });

  test('is reset with --reset', async () => {
    const world = createWorld();
    await world.run(`email send --sandbox ${message}`);
    const { env } = await serveIn(world, '--reset');
    expect((await world.run('email list --quiet', { env })).stdout).toBe(examples);
  });

  test('can be copied, as it is exported', async () => {
    const world = createWorld();
    await world.run(`email send --sandbox ${message}`);
    const { stdout } = await world.run('sandbox export');
    const copy = createWorld();
    const seeded = await copy.run('sandbox seed - --empty --json', { stdin: stdout });
    expect(JSON.parse(seeded.stdout)).toMatchObject({ domains: 3, messages: 3 });
    expect(await ids(copy)).toEqual(await ids(world));
  });

  test('works with the published client unmodified', async () => {
    const world = createWorld();
    const { apiKey, url } = await serveIn(world);
    const client = new UseSend(apiKey, url);
    const email = { to: 'ana@example.org', from: 'hello@example.com', subject: 'Hi', text: 'Hi' };
    const sent = await client.emails.send(email);
    expect(sent).toMatchObject({ error: null, data: { emailId: expect.any(String) } });
    const batch = await client.emails.batch([email, email]);
    expect(batch).toMatchObject({ error: null, data: [{}, {}] });
    const id = sent.data?.emailId ?? '';
    const fetched = await client.emails.get(id);
    expect(fetched).toMatchObject({
      error: null,
      data: { subject: 'Hi', to: ['ana@example.org'] },
    });
    const scheduledAt = new Date(world.clock.now + 3_600_000).toISOString();
    const later = await client.emails.send({ ...email, scheduledAt });
    const laterId = later.data?.emailId ?? '';
    expect(await client.emails.update(laterId, { scheduledAt })).toMatchObject({ error: null });
    expect(await client.emails.cancel(laterId)).toMatchObject({ data: { emailId: laterId } });
    expect(await client.domains.list()).toMatchObject({ error: null, data: [{}, {}, {}] });
    expect(await client.campaigns.getAll()).toMatchObject({ error: null, data: { campaigns: [] } });
  });
});

describe('--seed', () => {
  const seeds = {
    domains: [{ name: 'shop.test' }],
    messages: [{ id: 'email_1', from: 'a@shop.test', to: 'ana@example.org', subject: 'Hi' }],
  };

  test('adds the data of a file, and with --empty there is no other', async () => {
    const world = createWorld();
    fileIn(world, 'seeds.json', seeds);
    const first = await serveIn(world, '--seed seeds.json');
    expect(await ids(world, first)).toEqual(['email_1', 'email_receipt', 'email_welcome']);
    await first.stop();
    expect(await ids(world, await serveIn(world, '--seed seeds.json --empty'))).toEqual([
      'email_1',
    ]);
  });

  test('deletes nothing for an invalid file', async () => {
    const world = createWorld();
    fileIn(world, 'seeds.json', { ...seeds, messages: [{ subject: 'Hi' }] });
    await world.run(`email send --sandbox ${message}`);
    const start = 'sandbox start --port 0 --seed seeds.json --empty';
    const { exitCode, stdout, stderr } = await world.run(start);
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('messages[0].from: is missing');
    expect(await ids(world)).toHaveLength(3);
  });

  test('later reaches a sandbox that is being served', async () => {
    const world = createWorld();
    fileIn(world, 'seeds.json', seeds);
    const { env } = await serveIn(world);
    await world.run('sandbox seed seeds.json');
    const { stdout } = await world.run('email get email_1 --quiet --wait', { env });
    expect(stdout).toBe('email_1\n');
  });
});

test.for([
  ['domains', `email send ${message}`],
  ['contacts', undefined],
] as const)('an empty page of %s has a command, which works', async ([page, then]) => {
  const world = createWorld();
  const { url } = await serveIn(world, '--empty');
  const html = await (await fetch(`${url}/${page}`)).text();
  const block = html.match(/<pre[^>]*>([^<]*)<\/pre>/)?.[1] ?? '';
  const lines = commandLines(`\`\`\`sh\n${block}\n\`\`\`\n`);
  expect(lines).toHaveLength(block.split('\n').length);
  for (const { words, text } of lines) {
    expect(await world.run(words), text).toMatchObject({ exitCode: 0 });
  }
  expect(await (await fetch(`${url}/${page}`)).text()).not.toContain('There are no');
  if (then !== undefined) {
    expect(await world.run(`${then} --sandbox`)).toMatchObject({ exitCode: 0 });
  }
});

test('a second server on the same data has a note about the first, which is found again after it', async () => {
  const world = createWorld();
  const opened = async () => (await world.run('sandbox open --quiet')).stdout;
  const first = await serveIn(world);
  const second = await serveIn(world);
  expect(await opened()).toBe(`${second.url}\n`);
  const { stderr } = await second.stop();
  expect(stderr).toContain(`Warning: The same data is being served at ${first.url}`);
  expect(stderr).toContain('MAILER_SANDBOX_DIR');
  expect(await opened()).toBe(`${first.url}\n`);
  expect((await first.stop()).stderr).not.toContain('Warning');
  expect(await world.run('sandbox status --quiet')).toMatchObject({ stdout: 'stopped\n' });
});

test('only its names and the allowed ones get a response; the inbox reports others', async () => {
  const names = '--allow-host mail --allow-host Mail.Test';
  const { port, url } = await serveIn(createWorld(), names);
  expect(await statusFor(port, `mail:${port}`)).toBe(200);
  expect(await statusFor(port, 'mail.test')).toBe(200);
  expect(await statusFor(port, `localhost:${port}`)).toBe(200);
  expect(await statusFor(port, 'mail.evil.test')).toBe(403);
  expect(await statusFor(port, 'evil.test', '/api/v1/domains')).toBe(403);
  const page = await (await fetch(`${url}/requests`)).text();
  expect(page).toContain('403 Forbidden: evil.test is not a name of this sandbox');
});

/** The status of a request with this Host header, which `fetch` cannot set. */
function statusFor(port: number, host: string, path = '/'): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const asked = { host: '127.0.0.1', port, path, headers: { Host: host } };
    const request = httpRequest(asked, (reply) => {
      reply.resume();
      resolve(reply.statusCode);
    });
    request.on('error', reject).end();
  });
}

test.for([
  ['from its first byte on', 0],
  ['after its first pages', 12_288],
] as const)('damaged data, %s, is replaced by a reset, as the message says', async ([, from]) => {
  const world = createWorld();
  await world.run('email list --sandbox');
  const [path = ''] = globSync(join(dataOf(world), '*.sqlite'));
  const noise = Buffer.alloc(80_000, 'noise');
  writeFileSync(path, Buffer.concat([readFileSync(path).subarray(0, from), noise]));
  const { exitCode, stderr } = await world.run('sandbox start --port 0');
  expect(exitCode).toBe(2);
  expect(stderr).toContain('it is damaged. To start over: mailer sandbox reset');
  expect(await world.run('sandbox reset --yes')).toMatchObject({ exitCode: 0 });
  expect((await world.run('email list --sandbox --quiet')).stdout).toBe(examples);
});

test('data that is deleted while it is served: nothing is accepted that would be lost', async () => {
  const world = createWorld();
  const served = await serveIn(world);
  const client = clientOf(served);
  expect(await client.send({ key: 'before' })).toBe(200);
  rmSync(dataOf(world), { recursive: true });
  const email = { from: 'a@example.com', to: 'b@example.org', subject: 's', text: 't' };
  const reason = 'it was deleted. Stop the sandbox and start it again.';
  const send = () => client.request('/emails', { method: 'POST', body: JSON.stringify(email) });
  const message = `The sandbox's data cannot be used: ${reason}`;
  const failure = { status: 500, body: { error: { code: 'INTERNAL_SERVER_ERROR', message } } };
  expect(await send()).toEqual(failure);
  expect((await fetch(`${served.url}/control/reset`, { method: 'POST' })).status).toBe(500);
  // A new directory in its place is not the one it has open either.
  await world.run('email list --sandbox');
  expect(await send()).toEqual(failure);
  const { exitCode, stderr } = await served.stop();
  expect(exitCode).toBe(130);
  expect(stderr).toContain(`Warning: POST /api/v1/emails: ${message}`);
  expect(stderr).not.toMatch(/\n +at |ENOENT/);
});

test('a server that cannot write its note still works', async () => {
  const world = createWorld();
  mkdirSync(join(dataOf(world), 'running.json'), { recursive: true });
  const served = await serveIn(world);
  expect((await clientOf(served).subjects()).size).toBe(2);
  const { exitCode, stderr } = await served.stop();
  expect(exitCode).toBe(130);
  expect(stderr).toMatch(/^Warning: Other commands will not know that it is running: EISDIR/m);
});
