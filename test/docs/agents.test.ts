import { expect, test } from 'vitest';
import { enter } from '../support/keys.ts';
import { createPlace } from '../support/process.ts';
import { read } from '../support/sources.ts';
import { openTerminal } from '../support/terminal.ts';
import { commandLines } from './command-lines.ts';

/** Lines that a person answers at a terminal, or that need what was prepared: see the last test. */
const needsEntry = /^outbox (approve|send) /;

/** Runs each line of a page once, as it stands, in one sandbox. */
async function runEach(page: string): Promise<void> {
  const place = createPlace();
  const lines = commandLines(page).filter(({ words }) => !needsEntry.test(`${words.join(' ')} `));
  expect(lines.length).toBeGreaterThan(5);
  for (const { text, words } of lines) {
    const isWhole = await runs(place, words);
    expect({ text, ...isWhole }).toMatchObject({ understood: true });
  }
}

/** Whether a line ends as a complete command does: it was understood, whatever it found. */
async function runs(place: ReturnType<typeof createPlace>, words: readonly string[]) {
  const isLocal = ['mcp', 'policy', 'skill', 'commands', 'login'].includes(words[0] ?? '');
  const ofAnybody = words.filter((word) => word !== '--profile' && word !== 'work');
  const argv = isLocal ? ofAnybody : [...ofAnybody, '--sandbox'];
  const { exitCode, stderr } = await place.run([...argv, '--no-input']);
  const isMention = /Error: Missing |needs |: no |Nothing to|There is no|Name the rules/.test(
    stderr,
  );
  return { exitCode, stderr, understood: exitCode === 0 || exitCode === 9 || isMention };
}

test('every command line of docs/agents.md works', async () => {
  await runEach(read('docs/agents.md'));
});

test('every command line of mailer skill works, and it has at most 6 kB', async () => {
  const place = createPlace();
  const { exitCode, stdout, stderr } = await place.run('skill');
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(Buffer.byteLength(stdout)).toBeLessThanOrEqual(6000);
  await runEach(stdout);
});

test('the steps of mailer skill lead from a draft to a mail', async () => {
  const place = createPlace();
  const { stdout: page } = await place.run('skill');
  const steps = commandLines(page.slice(page.indexOf('## To send'), page.indexOf('## Exit codes')));
  const [check, prepare, approve, send] = steps.map(({ words }) => words);
  expect(await place.run([...(check ?? []), '--sandbox'])).toMatchObject({ exitCode: 0 });
  const prepared = await place.run([...(prepare ?? []), '--sandbox']);
  expect(prepared).toMatchObject({ exitCode: 0, stderr: expect.any(String) });
  const { id } = JSON.parse(prepared.stdout);
  const withId = (words: readonly string[] = []) =>
    words.map((word) => (word === 'ID' ? id : word));
  expect(await place.run([...withId(send), '--sandbox'])).toMatchObject({ exitCode: 2 });
  const terminal = openTerminal(place, ['mailer', ...withId(approve), '--sandbox'].join(' '));
  await terminal.shows('type the number of recipients');
  terminal.type(`1${enter}`);
  await terminal.end();
  expect(await place.run([...withId(send), '--sandbox'])).toMatchObject({ exitCode: 0 });
});
