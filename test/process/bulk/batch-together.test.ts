import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { batchLine, expectEachOnce, expectResults, runsDirectory } from '../../support/batch.ts';
import { serveHere } from '../../support/here.ts';
import { needing, notWindows } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { peopleCsv } from '../../support/people.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';

const rows = 300;
const line = [...batchLine, '--results', 'results.jsonl', '--quiet'];

/** The process that sends: all others have ended with the reason. */
async function expectOneLeft(processes: readonly Started[]): Promise<{ readonly one: Started }> {
  const left = new Set(processes);
  const { promise, resolve } = Promise.withResolvers<void>();
  for (const process of processes) {
    void finished(process).then(() => {
      left.delete(process);
      if (left.size === 1) resolve();
    });
  }
  await promise;
  const [one] = left;
  for (const process of processes.filter((each) => each !== one)) {
    const { exitCode, stdout, stderr } = await finished(process);
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(
      /^Error: (This run is in progress in another process|Another process has just started this run)\. Nothing was sent here\.\n/,
    );
  }
  if (one === undefined) throw new Error('All have ended');
  // Wrapped in an object, because await would wait for the process.
  return { one };
}

test(
  'of processes with the same run one sends, when they prepare it and when they resume it',
  needing(notWindows),
  async () => {
    const place = createPlace();
    const served = await serveHere(place);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const url = await startProxy(served.url, async ({ forward, answer }) => {
      await released;
      await answer(await forward());
    });
    const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
    // Each reads the same rows from a pipe of its own, whose end is to come.
    const pipes = ['one.csv', 'two.csv', 'three.csv'];
    const ends = pipes.map(async (name) => {
      execFileSync('mkfifo', [join(place.home, name)]);
      const pipe = await open(join(place.home, name), 'w');
      await pipe.write(peopleCsv(rows));
      return pipe;
    });
    const preparing = pipes.map((name) => place.start(line.with(2, name), { env }));
    const isPreparing = (name: string) => name.startsWith('preparing-');
    await vi.waitFor(() => expect(runs(place).filter(isPreparing)).toHaveLength(3), {
      timeout: patience,
    });
    for (const pipe of await Promise.all(ends)) await pipe.close();
    const { one: sender } = await expectOneLeft(preparing);
    expect(runs(place)).toHaveLength(1);
    sender.kill('SIGKILL');
    await sender;

    const resuming = Array.from({ length: 2 }, () =>
      place.start('run resume @last --yes', { env }),
    );
    const { one: last } = await expectOneLeft(resuming);
    release();
    expect(await finished(last)).toMatchObject({ exitCode: 0 });
    expectResults(place, await expectEachOnce(place, served, rows));
  },
);

function runs(place: Place): string[] {
  try {
    return readdirSync(runsDirectory(place)).filter((name) => name !== 'locks');
  } catch {
    return [];
  }
}
