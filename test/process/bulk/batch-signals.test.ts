import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import {
  batchLine,
  expectEachOnce,
  expectResults,
  runsDirectory,
  writePeople,
} from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { ctrlC } from '../../support/keys.ts';
import { createPlace, finished } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';
import { openTerminal } from '../../support/terminal.ts';

const rows = 1000;
const line = [...batchLine, '--concurrency', '2', '--results', 'results.jsonl'];
const shellWords = (words: readonly string[]) => words.map((word) => `'${word}'`).join(' ');

/** A service that accepts the first three requests and never responds to the others. */
async function setUp() {
  const place = createPlace();
  const served = await serveHere(place);
  const { promise: stuck, resolve } = Promise.withResolvers<void>();
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer, gone }) => {
    requests++;
    const mine = requests;
    const answered = await forward();
    if (mine <= 3 || mine > 5) return await answer(answered);
    if (mine === 5) resolve();
    await gone;
  });
  writePeople(place, rows);
  return { place, served, stuck, env: { ...served.env, MAILER_BASE_URL: `${url}/api` } };
}

describe.skipIf(process.platform === 'win32')('--results is a pipe that nobody reads', () => {
  async function waiting() {
    const place = createPlace();
    const served = await serveHere(place);
    writePeople(place, 3);
    execFileSync('mkfifo', [join(place.home, 'pipe')]);
    const run = place.start([...batchLine, '--results', 'pipe'], { env: served.env });
    let said = '';
    run.stderr.on('data', (chunk) => {
      said += String(chunk);
    });
    await vi.waitFor(() => expect(said).toContain('Waiting for a reader of pipe'), {
      timeout: 20_000,
    });
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

describe('a run that is stopped while requests are under way', () => {
  test.each([
    ['SIGINT', 130, 'Interrupted'],
    ['SIGTERM', 143, 'Terminated'],
  ] as const)(
    'by %s ends at once, says how far it is, and can be resumed',
    async (signal, code, word) => {
      const { place, served, stuck, env } = await setUp();
      const run = place.start(line, { env });
      await stuck;
      run.kill(signal);
      const { exitCode, stdout, stderr } = await finished(run);
      expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
      const said = `Error: ${word}.\nHint: 300 of 1,000 emails are accepted so far, 200 have no response yet. To resume without sending anything twice`;
      expect(stderr.slice(0, said.length)).toBe(said);
      expect(stderr).toMatch(/\nmailer email batch people\.csv .*--yes.*\n$/);
      const after = await runHere(place, line, { env });
      expect(after).toMatchObject({ exitCode: 0, stderr: 'Accepted 1,000 of 1,000 emails.\n' });
      expectResults(place, await expectEachOnce(place, served, rows));
    },
  );

  test('by Ctrl-C restores the terminal', async () => {
    const { place, stuck, env } = await setUp();
    const terminal = openTerminal(place, `mailer ${shellWords(line)}; echo "ended with $?"`, {
      env,
    });
    await stuck;
    await terminal.shows(/ 300 of 1,000\n.*\/s {2}about \d+ s left/);
    terminal.type(ctrlC);
    await terminal.shows('ended with 130');
    expect(terminal.screen().cursorVisible).toBe(true);
    expect(terminal.text()).toContain('300 of 1,000 emails are accepted so far,');
    expect(terminal.text()).not.toContain('Sending');
  });
});

test('Ctrl-C while rows are read ends at once and leaves no files', async () => {
  const { place, env } = await setUp();
  const words = shellWords(line.with(2, '-'));
  const command = `{ cat people.csv; sleep 600; } | mailer ${words}; echo "ended with $?"`;
  const terminal = openTerminal(place, command, { env });
  const prepared = () => names(runsDirectory(place)).filter((name) => name !== 'locks');
  while (prepared().length === 0) await pause(5);
  await terminal.shows('Checking the rows');
  terminal.type(ctrlC);
  await terminal.shows('ended with 130');
  expect(prepared()).toEqual([]);
  expect(names(join(runsDirectory(place), 'locks'))).toEqual([]);
});

function names(directory: string): string[] {
  return existsSync(directory) ? readdirSync(directory) : [];
}

test('| head reads a part of the results: 0, and everybody has got an email', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, rows);
  const command = `mailer ${shellWords(line)} | head -2; echo "\${PIPESTATUS[0]}"`;
  const { stdout, stderr } = await finished(place.shell(command, { env: served.env }));
  expect(stdout).toMatch(
    /^row\tto\temailId\terror\.code\terror\.message\n1\tp1@example\.org\tc\w+\t\t\n0\n$/,
  );
  expect(stderr).not.toContain('Error');
  expectResults(place, await expectEachOnce(place, served, rows));
});

test('a service slower than --timeout gets each email once', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    requests++;
    const first = requests <= 4;
    const answered = await forward();
    if (first) await pause(1500);
    await answer(answered);
  });
  writePeople(place, rows);
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  // A send is not retried after a time-out, and the same command resumes the run.
  const first = await place.run([...line, '--timeout', '1'], { env });
  expect(first.exitCode).toBe(7);
  const { exitCode, stderr } = await place.run([...line, '--timeout', '10'], { env });
  expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
  expect(requests).toBeGreaterThan(10);
  expectResults(place, await expectEachOnce(place, served, rows));
});
