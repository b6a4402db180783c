import { expect, test, vi } from 'vitest';
import { InterruptedError } from '../../../src/lib/base/errors.ts';
import { patience } from '../../support/patience.ts';
import { createWorld } from '../../support/run.ts';
import { serveIn } from '../../support/serving.ts';

const header = 'at\tmethod\tpath\tstatus\tmilliseconds\treason\n';

/** A world that has sent two requests, the second of which was rejected. */
async function worldWithRequests() {
  const world = createWorld();
  await world.run('api GET /v1/domains?token=abcdefghij --sandbox');
  world.clock.advance(1000);
  const from = '--from a@example.net --to b@example.org --subject Hi --text secret-text';
  await world.run(`email send --sandbox ${from}`);
  return world;
}

const rejected = 'BAD_REQUEST: Domain example.net is not verified';

test('are rows in a pipe, oldest first, without secrets and bodies', async () => {
  const world = await worldWithRequests();
  const { exitCode, stdout } = await world.run('sandbox logs');
  expect(exitCode).toBe(0);
  expect(stdout.startsWith(header)).toBe(true);
  const [first, second, ...others] = stdout.slice(header.length).trimEnd().split('\n');
  expect(first).toMatch(
    /^2026-01-15T10:00:00\.000Z\tGET\t\/api\/v1\/domains\?token=\(hidden\)\t200\t[\d.]+\t$/,
  );
  expect(second).toMatch(
    /^2026-01-15T10:00:01\.000Z\tPOST\t\/api\/v1\/emails\t400\t[\d.]+\tBAD_REQUEST: Domain example\.net is not verified$/,
  );
  // When a sender is rejected, the program reads the domains.
  expect(others.every((line) => line.includes('\tGET\t'))).toBe(true);
  expect(stdout).not.toMatch(/abcdefghij|secret-text|us_sandbox_local/);
});

test.each([
  ['-f name=foo -f region=us-east-1', '"foo" is not a domain name'],
  ['-f name=foo.example -f region=mars-1', '"mars-1" is not a region'],
  ['-f name=example.com -f region=us-east-1', 'there is a domain example.com already'],
])('tell the reason of a 500 that live servers keep to themselves: %s', async (fields, reason) => {
  const world = createWorld();
  const { exitCode, stderr } = await world.run(
    `api POST /v1/domains ${fields} --sandbox --retries 0`,
  );
  expect(exitCode).toBe(7);
  expect(stderr).not.toContain(reason);
  const [{ reason: logged }] = JSON.parse((await world.run('sandbox logs --json')).stdout);
  expect(logged).toBe(`INTERNAL_SERVER_ERROR: something unexpected happened: ${reason}`);
});

test('are JSON on request', async () => {
  const world = await worldWithRequests();
  const rows = JSON.parse((await world.run('sandbox logs --json')).stdout);
  expect(rows[1]).toEqual({
    at: '2026-01-15T10:00:01.000Z',
    method: 'POST',
    path: '/api/v1/emails',
    status: 400,
    milliseconds: expect.any(Number),
    reason: rejected,
  });
  const lines = (await world.run('sandbox logs --jsonl')).stdout.trimEnd().split('\n');
  expect(lines.map((line) => JSON.parse(line))).toEqual(rows);
});

test('are lines on a terminal', async () => {
  const world = await worldWithRequests();
  const { stdout } = await world.run('sandbox logs --no-color', { terminal: 80 });
  const [first, second] = stdout.split('\n');
  expect(first).toMatch(/^10:00:00 GET \/api\/v1\/domains\?token=\(hidden\) 200 \d+ ms$/);
  expect(second).toMatch(
    /^10:00:01 POST \/api\/v1\/emails 400 \d+ ms BAD_REQUEST: Domain .* not verified$/,
  );
});

test('are in colours by their status, and do nothing to the terminal', async () => {
  const world = createWorld();
  await world.run(['api', 'GET', '/v1/\u202eevil%1b', '--sandbox']);
  const { stdout } = await world.run('sandbox logs', { terminal: 80 });
  expect(stdout).toContain('\u001b[1m\u001b[35m404\u001b[39m\u001b[22m');
  expect(stdout).not.toContain('\u202e');
});

test('are none before the first one', async () => {
  const { exitCode, stdout, stderr } = await createWorld().run('sandbox logs');
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: header,
    stderr: 'No requests yet.\n',
  });
});

test('have no single JSON document with --follow', async () => {
  const { exitCode, stderr } = await createWorld().run('sandbox logs --follow --json');
  expect(exitCode).toBe(2);
  expect(JSON.parse(stderr).error.hint).toBe('Use --jsonl: one JSON object per line.');
});

test('are followed with --follow as they come, after a reset, too, until Ctrl-C', async () => {
  const world = createWorld();
  const { env } = await serveIn(world);
  await world.run('domain list', { env });
  const ctrlC = new AbortController();
  let text = '';
  const following = world.run('sandbox logs --follow --jsonl', {
    signal: ctrlC.signal,
    written: (piece) => {
      text += String(piece);
    },
  });
  const shows = (path: string) => vi.waitFor(() => expect(text).toContain(`"${path}"`), patience);
  await shows('/api/v1/domains');
  await world.run('sandbox reset --yes');
  await world.run('api GET /v1/nothing', { env });
  await shows('/api/v1/nothing');
  ctrlC.abort(new InterruptedError('Interrupted.'));
  expect(await following).toMatchObject({ exitCode: 130, stderr: '' });
  const paths = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line).path);
  expect(paths.slice(0, 2)).toEqual(['/api/v1/domains', '/api/v1/nothing']);
});
