import { expect, test } from 'vitest';
import { batchLine } from '../../../support/batch.ts';
import { connected, fileIn } from '../../../support/connected.ts';
import { peopleCsv } from '../../../support/people.ts';
import type { Answer } from '../../../support/recorder.ts';

const accepted = (rows: number) => ({
  body: { data: Array.from({ length: rows }, (_, index) => ({ emailId: `em_${index}` })) },
});

/** A machine with a file of three people. */
async function three(...answers: readonly Answer[]) {
  const { world, service } = await connected(...answers);
  fileIn(world, 'people.csv', peopleCsv(3));
  const run = (...more: string[]) => world.run([...batchLine, ...more]);
  return { world, service, run };
}

test.each(['3', '1..5'])('%s: sends that many rows', async (expected) => {
  const { run, service } = await three(accepted(3));
  expect(await run('--expect-rows', expected)).toMatchObject({ exitCode: 0 });
  expect(service.requests).toHaveLength(1);
});

test.each([
  ['4', [], 'the run would send 3 rows, not 4'],
  ['4..9', ['--dry-run'], 'the run would send 3 rows, not 4 to 9'],
  ['3', ['--shard', '2/3'], 'the run would send 0 rows, not 3'],
])('%s %j: nothing is sent', async (expected, more, message) => {
  const { run, service } = await three();
  const { exitCode, stdout, stderr } = await run('--expect-rows', expected, ...more);
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toContain(`Error: --expect-rows: `);
  expect(stderr).toContain(message);
  expect(stderr).toContain('Hint: Nothing was sent.');
  expect(service.requests).toEqual([]);
});

test('rows that are left out do not count, and an empty file has none', async () => {
  const { world, run, service } = await three(accepted(2));
  fileIn(world, 'people.csv', 'email,name\na@x.example,A\nb@x.example,B\na@x.example,A\n');
  expect(await run('--unique', '--expect-rows', '3')).toMatchObject({ exitCode: 2 });
  fileIn(world, 'people.csv', 'email,name\n');
  expect(await run('--allow-empty', '--expect-rows', '3')).toMatchObject({ exitCode: 2 });
  expect(await run('--allow-empty', '--expect-rows', '0')).toMatchObject({ exitCode: 0 });
  expect(service.requests).toEqual([]);
});

test('also counts for a run that is resumed, and is no other run', async () => {
  const { run, service } = await three({ status: 401, body: {} }, accepted(3));
  expect(await run('--expect-rows', '3')).toMatchObject({ exitCode: 3 });
  expect(await run('--expect-rows', '2')).toMatchObject({ exitCode: 2 });
  expect(service.requests).toHaveLength(1);
  expect(await run('--expect-rows', '3')).toMatchObject({ exitCode: 0 });
});
