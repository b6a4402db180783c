import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { batchLine, expectEachOnce, expectResults, writePeople } from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, finished } from '../../support/process.ts';

// Full disks are in test/commands/email/batch/disk.test.ts, and at every step in `npm run prove`.

const words = batchLine.map((word) => `'${word}'`).join(' ');

test('a limit on file sizes stops a run with the reason; without it the run resumes', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, 600);
  const outcome = await finished(place.shell(`ulimit -f 32; mailer ${words}`, served));
  expect(outcome).toMatchObject({ exitCode: 2, stdout: '' });
  expect(outcome.stderr).toMatch(
    /^Error: Cannot write .*: the disk is full or failing, or a file size limit is reached\.\nHint: /m,
  );
  const line = [...batchLine, '--results', 'results.jsonl'];
  expect(await runHere(place, line, served)).toMatchObject({ exitCode: 0 });
  expectResults(place, await expectEachOnce(place, served, 600));
});

test('--results may be a pipe of the shell', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, 3);
  const line = `mailer ${words} --quiet --results >(cat >piped.jsonl); wait $!`;
  expect(await finished(place.shell(line, served))).toMatchObject({ exitCode: 0, stderr: '' });
  expectResults(place, await expectEachOnce(place, served, 3), 'piped.jsonl');
  expect(readFileSync(join(place.home, 'piped.jsonl'), 'utf8')).toMatch(/\n$/);
});
