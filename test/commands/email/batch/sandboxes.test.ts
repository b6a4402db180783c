import { describe, expect, onTestFinished, test } from 'vitest';
import { isSandboxKey } from '../../../../src/lib/command-line/command/account-in-use.ts';
import { serve } from '../../../../src/sandbox/http/serve.ts';
import { blockedApiKey, sandboxApiKey } from '../../../../src/sandbox/model/api-account.ts';
import { openSandbox } from '../../../../src/sandbox/open.ts';
import { temporaryDirectory } from '../../../sandbox/harness.ts';
import { everybody, impatient, line } from '../../../support/batch-run.ts';
import { fileIn } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import { createWorld } from '../../../support/run.ts';

// All sandboxes have the same API key, and each start of one may be at another port.

const rows = 250;

/** Serves a sandbox at a free port, which stops responding after some requests that send. */
async function start(directory: string, { requests = Number.POSITIVE_INFINITY } = {}) {
  const sandbox = openSandbox({ directory, now: Date.now });
  let left = requests;
  const { url, close } = await serve({
    fetch: async (request) => {
      if (request.method === 'POST' && left-- <= 0) return new Response('', { status: 503 });
      return await sandbox.fetch(request);
    },
    port: 0,
  });
  const stop = async () => {
    await close();
    sandbox.close();
  };
  onTestFinished(() => stop().catch(() => {}));
  return { env: { MAILER_BASE_URL: url, MAILER_API_KEY: sandbox.apiKey }, stop };
}

type Served = Awaited<ReturnType<typeof start>>;

function machine() {
  const world = createWorld();
  world.clock.now = Date.now();
  fileIn(world, 'people.csv', peopleCsv(rows));
  const { run } = world;
  /** The recipients that a sandbox has, in order. */
  const sent = async ({ env }: Served) => {
    const { stdout } = await run('email list --all --csv --no-header --fields to', { env });
    const all = stdout
      .trim()
      .split(/\r\n/)
      .filter((to) => /^p\d+@/.test(to));
    return all.toSorted();
  };
  return { run, sent };
}

const all = everybody(rows).toSorted();

test('a sandbox that is started at another port has the same runs', async () => {
  const { run, sent } = machine();
  const directory = temporaryDirectory();
  const first = await start(directory, { requests: 1 });
  expect((await run(impatient, first)).exitCode).toBe(7);
  await first.stop();
  const second = await start(directory);
  expect(second.env.MAILER_BASE_URL).not.toBe(first.env.MAILER_BASE_URL);
  expect(await run(line, second)).toMatchObject({ exitCode: 0 });
  expect(await sent(second)).toEqual(all);
  const byName = second.env.MAILER_BASE_URL.replace('127.0.0.1', 'localhost');
  const { exitCode, stderr } = await run(line, { env: { ...second.env, MAILER_BASE_URL: byName } });
  expect({ exitCode, stderr }).toMatchObject({
    exitCode: 0,
    stderr: expect.stringContaining('This run is already complete'),
  });
  expect(await sent(second)).toEqual(all);
});

test('run resume continues at the new port', async () => {
  const { run, sent } = machine();
  const directory = temporaryDirectory();
  const first = await start(directory, { requests: 1 });
  await run(impatient, first);
  await first.stop();
  const second = await start(directory);
  expect(await run('run resume @last --yes', second)).toMatchObject({ exitCode: 0 });
  expect(await sent(second)).toEqual(all);
});

describe('a run is new', () => {
  test('on another sandbox, although the key is the same', async () => {
    const { run, sent } = machine();
    const first = await start(temporaryDirectory(), { requests: 1 });
    await run(impatient, first);
    const second = await start(temporaryDirectory());
    expect(await run(line, second)).toMatchObject({ exitCode: 0 });
    expect(await sent(second)).toEqual(all);
  });

  test('on a sandbox that was reset', async () => {
    const { run, sent } = machine();
    const sandbox = await start(temporaryDirectory());
    expect(await run(line, sandbox)).toMatchObject({ exitCode: 0 });
    const control = new URL('/control/reset', sandbox.env.MAILER_BASE_URL);
    expect((await fetch(control, { method: 'POST' })).status).toBe(200);
    expect(await run(line, sandbox)).toMatchObject({ exitCode: 0 });
    expect(await sent(sandbox)).toEqual(all);
  });
});

test('nothing is sent while the sandbox does not say which data it has', async () => {
  const { run } = machine();
  const sandbox = await start(temporaryDirectory(), { requests: 1 });
  await run(impatient, sandbox);
  await sandbox.stop();
  const { exitCode } = await run(impatient, sandbox);
  expect(exitCode).toBe(7);
  expect(JSON.parse((await run('run list --json')).stdout)).toHaveLength(1);
});

test.each([sandboxApiKey, blockedApiKey])('%s is known as a key of a sandbox', (key) => {
  expect(isSandboxKey(key)).toBe(true);
});
