import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import {
  batchLine,
  expectEachOnce,
  expectResults,
  runsDirectory,
  writePeople,
} from '../../support/batch.ts';
import { serveHere } from '../../support/here.ts';
import { enter } from '../../support/keys.ts';
import {
  createPlace,
  type Finished,
  finished,
  type Place,
  type Started,
} from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';
import type { ServedSandbox } from '../../support/served.ts';
import { openTerminal } from '../../support/terminal.ts';

const rows = 300;
const line = [...batchLine, '--results', 'results.jsonl', '--quiet'];

/** A machine, and a service that responds only when the test lets it. */
async function holdBack() {
  const place = createPlace();
  const served = await serveHere(place);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    await released;
    await answer(await forward());
  });
  writePeople(place, rows);
  return { place, served, release, env: { ...served.env, MAILER_BASE_URL: `${url}/api` } };
}

/** All but one end at once, with the reason; that one continues once the service responds. */
async function expectOneSends(
  processes: readonly Started[],
  { release, place, served }: { release(): void; place: Place; served: Pick<ServedSandbox, 'env'> },
): Promise<void> {
  const ended: Finished[] = [];
  const all = processes.map(async (process) => {
    const outcome = await finished(process);
    ended.push(outcome);
    if (ended.length === processes.length - 1) release();
  });
  await Promise.all(all);
  const one = ended.pop();
  expect(one).toMatchObject({ exitCode: 0 });
  for (const { exitCode, stdout, stderr } of ended) {
    expect({ exitCode, stdout, stderr }).toMatchObject({ exitCode: 5, stdout: '' });
    expect(stderr).toMatch(
      /^Error: (This run is in progress in another process|Another process has just started this run)\. Nothing was sent here\.\n/,
    );
  }
  expectResults(place, await expectEachOnce(place, served, rows));
}

describe('processes that start at the same moment with the same run', () => {
  test('5: one of them sends', async () => {
    const { place, env, ...held } = await holdBack();
    const processes = Array.from({ length: 5 }, () => place.start(line, { env }));
    await expectOneSends(processes, { place, ...held });
  });

  test('3 that resume it: one of them sends', async () => {
    const { place, env, ...held } = await holdBack();
    const before = place.start(line, { env });
    while (!runs(place).some((name) => !name.startsWith('preparing-'))) await pause(5);
    before.kill('SIGKILL');
    await finished(before);
    const processes = Array.from({ length: 3 }, () => place.start(line, { env }));
    await expectOneSends(processes, { place, ...held });
  });

  test('3 that are all preparing: one of them sends', async () => {
    const { place, env, ...held } = await holdBack();
    const input = '{ cat people.csv; until [ -e go ]; do sleep 0.05; done; }';
    const words = line.map((word) => (word === 'people.csv' ? '-' : `'${word}'`)).join(' ');
    const processes = Array.from({ length: 3 }, () =>
      place.shell(`${input} | mailer ${words}`, { env }),
    );
    while (runs(place).filter((name) => name.startsWith('preparing-')).length < 3) await pause(5);
    writeFileSync(join(place.home, 'go'), '');
    await expectOneSends(processes, { place, ...held });
    expect(runs(place)).toHaveLength(1);
  });
});

test('one that waits for confirmation: a run that another process has started is not started again', async () => {
  const place = createPlace();
  const { env } = await serveHere(place);
  writePeople(place, 3);
  const words = line.filter((word) => word !== '--yes').map((word) => `'${word}'`);
  const [first, second] = [1, 2].map(() =>
    openTerminal(place, `mailer ${words.join(' ')}`, { env }),
  );
  await first?.shows('Send 3 emails in 1 request?');
  await second?.shows('Send 3 emails in 1 request?');
  first?.type(`y${enter}`);
  expect(await first?.end()).toBe(0);
  second?.type(`y${enter}`);
  expect(await second?.end()).toBe(5);
  expect(second?.text()).toContain(
    'Another process has just started this run. Nothing was sent here.',
  );
  expect(runs(place)).toHaveLength(1);
});

test('input that can be read only once is still sent', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  writePeople(place, 150);
  const words = line.map((word) => (word === 'people.csv' ? '<(cat people.csv)' : `'${word}'`));
  const { env } = served;
  for (const turn of ['first', 'second']) {
    const outcome = await finished(place.shell(`mailer ${words.join(' ')}`, { env }));
    expect({ turn, ...outcome }).toMatchObject({ exitCode: 0 });
  }
  expectResults(place, await expectEachOnce(place, served, 150));
});

function runs(place: Place): string[] {
  try {
    return readdirSync(runsDirectory(place)).filter((name) => name !== 'locks');
  } catch {
    return [];
  }
}
