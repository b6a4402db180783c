import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { expect, test, vi } from 'vitest';
import { InterruptedError, TerminatedError } from '../../../../src/lib/base/errors.ts';
import { atTerminal } from '../../../support/at-terminal.ts';
import {
  everybody,
  line,
  locks,
  posts,
  repeat,
  rowsIn,
  runs,
  setUp,
} from '../../../support/batch-run.ts';
import { accept } from '../../../support/batch-service.ts';
import { enter } from '../../../support/keys.ts';
import { patience } from '../../../support/patience.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

test.each([
  [new InterruptedError('Interrupted.'), 130],
  [new TerminatedError('Terminated.'), 143],
] as const)(
  'a run that is stopped with requests under way ends at once, says how far it is, and can be resumed: %s',
  async (reason, exitCode) => {
    const controller = new AbortController();
    // The first three requests are accepted, and two get no response.
    const hold: Answer = () => {
      if (posts(setup).length === 5) controller.abort(reason);
    };
    const setup = await setUp(1000, ...repeat(3, accept), hold, hold, ...repeat(9, accept));
    const words = [...line.slice(0, -1), '2', '--results', 'r.jsonl'];
    const stopped = await setup.run(words, { signal: controller.signal });
    expect(stopped).toMatchObject({ exitCode, stdout: '' });
    const said = `Error: ${reason.message}\nHint: 300 of 1,000 emails are accepted so far, 200 have no response yet. To resume without sending anything twice`;
    expect(stopped.stderr.slice(0, said.length)).toBe(said);
    expect(stopped.stderr).toMatch(/\nmailer email batch people\.csv .*--yes.*\n$/);
    expect(await setup.run(words)).toMatchObject({
      exitCode: 0,
      stderr: 'Accepted 1,000 of 1,000 emails.\n',
    });
    expect(new Set(posts(setup).map(({ headers }) => headers['idempotency-key'])).size).toBe(10);
    const results = rowsIn(readFileSync(join(setup.world.home, 'r.jsonl'), 'utf8'));
    expect(results).toEqual(
      everybody(1000).map((to, index) => ({ row: index + 1, to, emailId: `em_${to}` })),
    );
  },
);

test('Ctrl-C while rows are read ends at once and leaves no files', async () => {
  const setup = await setUp(1);
  const controller = new AbortController();
  const stdin = new PassThrough();
  stdin.write(peopleCsv(1000));
  const run = setup.run(line.with(2, '-'), { stdin, signal: controller.signal });
  const names = () => {
    try {
      return runs(setup.world);
    } catch {
      return [];
    }
  };
  await vi.waitFor(() => expect(names()).toEqual([expect.stringMatching(/^preparing-/)]), patience);
  controller.abort(new InterruptedError('Interrupted.'));
  expect(await run).toMatchObject({ exitCode: 130, stdout: '' });
  expect(names()).toEqual([]);
  expect(locks(setup.world)).toEqual([]);
});

test('rows from a pipe, which can be read only once, are the same run again', async () => {
  const setup = await setUp(1, accept, accept);
  const pipe = join(setup.world.home, 'pipe.csv');
  execFileSync('mkfifo', [pipe]);
  const send = async () => {
    const words = line.with(2, 'pipe.csv');
    const [outcome] = await Promise.all([setup.run(words), writeFile(pipe, peopleCsv(150))]);
    return outcome;
  };
  expect(await send()).toMatchObject({ exitCode: 0 });
  const again = await send();
  expect(again).toMatchObject({ exitCode: 0 });
  expect(again.stderr).toContain('This run is already complete');
  expect(posts(setup)).toHaveLength(2);
});

test('a run that another process has started while the question is open is not started again', async () => {
  const setup = await setUp(3, accept);
  const asked = line.filter((word) => word !== '--yes');
  const { exitCode, text } = await atTerminal(setup.run, asked, [
    [
      'Send 3 emails in 1 request?',
      async () => {
        setup.world.clock.advance(1000);
        expect(await setup.run(line)).toMatchObject({ exitCode: 0 });
        return `y${enter}`;
      },
    ],
  ]);
  expect(exitCode).toBe(5);
  expect(text).toContain('Another process has just started this run. Nothing was sent here.');
  expect(runs(setup.world)).toHaveLength(1);
  expect(posts(setup)).toHaveLength(1);
});
