import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { batchLine, everybody, expectEachOnce, writePeople } from '../../support/batch.ts';
import { serveHere } from '../../support/here.ts';
import { createPlace, finished, launcher, type Place } from '../../support/process.ts';

const rows = 900;
const shards = [1, 2, 3];
const hasParallel = !(await execa('parallel', ['--version'], { reject: false })).failed;

async function setUp() {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, rows);
  // A program that others can start.
  const bin = join(place.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'mailer'), launcher, { mode: 0o755 });
  const env = { ...served.env, PATH: [bin, place.env.PATH].join(delimiter) };
  return { place, served, env };
}

function shard(index: number | string, name = `results-${index}.jsonl`): string[] {
  return [...batchLine, '--shard', `${index}/3`, '--results', name, '--quiet'];
}

/** The results of all shards together have each row once, with the id that the service has. */
function expectSharedResults(place: Place, emails: readonly { id: string; to: string }[]): void {
  const ids = new Map(emails.map(({ id, to }) => [to, id]));
  const lines = shards.flatMap((index) =>
    readFileSync(join(place.home, `results-${index}.jsonl`), 'utf8')
      .trimEnd()
      .split('\n'),
  );
  const results = lines.map((line) => JSON.parse(line)).toSorted((a, b) => a.row - b.row);
  expect(results).toEqual(
    everybody(rows).map((to, index) => ({ row: index + 1, to, emailId: ids.get(to) })),
  );
}

describe.skipIf(!hasParallel)('3 shards under GNU parallel', () => {
  const quoted = shard('{}')
    .map((word) => (/[ |]/.test(word) ? `"'${word}'"` : word))
    .join(' ');

  test.each([
    ['on one machine', ''],
    ['as on 3 machines', 'MAILER_STATE_DIR=state-{} '],
  ])('%s', async (_, state) => {
    const { place, served, env } = await setUp();
    const command = `seq 3 | parallel --jobs 3 ${state}mailer ${quoted}`;
    const outcome = await finished(place.shell(command, { env }));
    expect(outcome).toMatchObject({ exitCode: 0 });
    expectSharedResults(place, await expectEachOnce(place, served, rows));
  });
});

test('a shard that two machines send at the same time is sent once', async () => {
  const { place, served, env } = await setUp();
  const machine = (index: number, name: string) =>
    place.run(shard(index, `${name}.jsonl`), { env: { ...env, MAILER_STATE_DIR: name } });
  const twice = await Promise.all([machine(2, 'one'), machine(2, 'two')]);
  for (const { exitCode, stderr } of twice) expect(exitCode, stderr).toBe(0);
  const read = (name: string) => readFileSync(join(place.home, `${name}.jsonl`), 'utf8');
  expect(read('two')).toBe(read('one'));
  for (const index of shards) {
    const { exitCode, stderr } = await machine(index, `results-${index}`);
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  }
  expectSharedResults(place, await expectEachOnce(place, served, rows));
});
