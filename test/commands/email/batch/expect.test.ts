import { expect, test } from 'vitest';
import { atTerminal } from '../../../support/at-terminal.ts';
import { down, impatient, line, posts, repeat, runs, setUp } from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import type { Connected } from '../../../support/connected.ts';

// A digest is approved once, so it sends once: each later sending has a digest of its own.

async function digestOf({ run }: Connected, words: readonly string[]): Promise<string> {
  const { stdout } = await run([...words, '--dry-run', '--json']);
  return JSON.parse(stdout).digest;
}

/** The digests in the log of what reached the service, newest first. */
async function logged({ run }: Connected): Promise<string[]> {
  const { stdout } = await run('log list --json');
  return JSON.parse(stdout).map(({ digest }: { digest: string }) => digest);
}

test('what was approved for one sending is not sent again by the next', async () => {
  const setup = await setUp(3, ...repeat(2, accept));
  const first = await digestOf(setup, line);
  expect((await setup.run([...line, '--expect', first])).exitCode).toBe(0);
  expect((await setup.run([...line, '--expect', first])).exitCode).toBe(0);
  for (const again of ['--again', '--again=2']) {
    const { exitCode, stderr } = await setup.run([...line, again, '--expect', first]);
    expect({ again, exitCode, stderr }).toMatchObject({ exitCode: 2 });
  }
  expect(posts(setup)).toHaveLength(1);
  const second = await digestOf(setup, [...line, '--again=2']);
  expect(second).not.toBe(first);
  expect(await digestOf(setup, [...line, '--again'])).toBe(second);
  for (const _ of [1, 2]) {
    expect((await setup.run([...line, '--again=2', '--expect', second])).exitCode).toBe(0);
  }
  expect((await setup.run([...line, '--again', '--expect', second])).exitCode).toBe(2);
  expect(posts(setup)).toHaveLength(2);
  expect(await logged(setup)).toEqual([second, first]);
});

test('a later sending keeps its digest when it is resumed', async () => {
  const setup = await setUp(150, accept, accept, accept, down, accept);
  await setup.run(line);
  const second = await digestOf(setup, [...line, '--again=2']);
  expect((await setup.run([...impatient, '--again=2', '--expect', second])).exitCode).toBe(7);
  expect(await digestOf(setup, ['run', 'resume', '@last'])).toBe(second);
  expect((await setup.run('run resume @last --yes')).exitCode).toBe(0);
  expect((await logged(setup)).slice(0, 2)).toEqual([second, second]);
});

test('a later sending in the outbox has its digest, and is sent', async () => {
  const setup = await setUp(3, ...repeat(2, accept));
  await setup.run(line);
  const second = await digestOf(setup, [...line, '--again=2']);
  const stored = await setup.run([...line, '--again=2', '--for-approval', '--json']);
  const { id, digest } = JSON.parse(stored.stdout);
  expect(digest).toBe(second);
  const typed = [['type the number', '3\r']] as const;
  await atTerminal(setup.world.run, ['outbox', 'approve', id], typed, {});
  expect((await setup.run(['outbox', 'send', id])).exitCode).toBe(0);
  expect(posts(setup)).toHaveLength(2);
  expect(runs(setup.world)).toHaveLength(2);
});
