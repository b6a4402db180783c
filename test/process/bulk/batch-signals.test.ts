import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batchLine, expectEachOnce, expectResults, writePeople } from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { needing, notWindows } from '../../support/needs.ts';
import { createPlace, finished, saying } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';

const rows = 1000;
const line = [...batchLine, '--concurrency', '2', '--results', 'results.jsonl'];

describe('--results is a pipe that nobody reads', needing(notWindows), () => {
  async function waiting() {
    const place = createPlace();
    const served = await serveHere(place);
    writePeople(place, 3);
    execFileSync('mkfifo', [join(place.home, 'pipe')]);
    const run = place.start([...batchLine, '--results', 'pipe'], { env: served.env });
    await saying(run, 'Waiting for a reader of pipe');
    return { place, run };
  }

  test('SIGTERM ends the wait and reports the progress', async () => {
    const { run } = await waiting();
    run.kill('SIGTERM');
    const { exitCode, stderr } = await finished(run);
    expect(exitCode).toBe(143);
    expect(stderr).toContain('Error: Terminated.\nHint: 3 of 3 emails are accepted so far.');
  });

  test('a later reader gets all of them', async () => {
    const { place, run } = await waiting();
    const reader = place.shell('cat pipe');
    expect((await finished(run)).exitCode).toBe(0);
    expect((await finished(reader)).stdout.trim().split('\n')).toHaveLength(3);
  });
});

test('SIGINT while requests are under way ends a run at once, and it can be resumed', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  const { promise: stuck, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  // The first three are accepted, the next two get no response.
  const url = await startProxy(served.url, async ({ forward, answer, gone }) => {
    const mine = ++requests;
    const answered = await forward();
    if (mine <= 3 || mine > 5) return await answer(answered);
    if (mine === 5) resolve();
    await gone;
  });
  writePeople(place, rows);
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  const run = place.start(line, { env });
  await stuck;
  run.kill('SIGINT');
  const { exitCode, stdout, stderr } = await finished(run);
  expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
  expect(stderr).toContain('Error: Interrupted.\nHint: 300 of 1,000 emails are accepted so far,');
  expect(await runHere(place, line, { env })).toMatchObject({ exitCode: 0 });
  expectResults(place, await expectEachOnce(place, served, rows));
});

test('| head reads a part of the results: 0, and everybody has got an email', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, rows);
  const words = line.map((word) => `'${word}'`).join(' ');
  const command = `mailer ${words} | head -2; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await finished(place.shell(command, { env: served.env }));
  expect(stdout).toMatch(
    /^row\tto\temailId\terror\.code\terror\.message\n1\tp1@example\.org\tc\w+\t\t\n0\n$/,
  );
  expect(stderr).not.toContain('Error');
  expectResults(place, await expectEachOnce(place, served, rows));
});
