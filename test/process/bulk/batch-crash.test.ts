import { existsSync, readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  batchLine,
  expectEachOnce,
  expectResults,
  runsDirectory,
  writePeople,
} from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { type Passing, startProxy } from '../../support/proxy.ts';
import { pick, seeded } from '../../support/seeded.ts';

const rows = 1500;
const line = [...batchLine, '--results', 'results.jsonl', '--concurrency', '3', '--quiet'];

/** The point of a request at which its sender is killed. */
const moments = ['before it is passed on', 'after it was accepted', 'after its answer'] as const;
type Moment = (typeof moments)[number];

/** A proxy that kills the sender in the middle of a request. */
async function startKiller(service: string) {
  let aim: { target: Started; after: number; moment: Moment } | undefined;
  const url = await startProxy(service, async ({ forward, answer, cut }: Passing) => {
    const mine = aim !== undefined && --aim.after === 0 ? aim : undefined;
    const strike = (moment: Moment) => {
      if (mine?.moment !== moment) return false;
      mine.target.kill('SIGKILL');
      return true;
    };
    if (strike('before it is passed on')) return cut();
    const answered = await forward();
    if (strike('after it was accepted')) return cut();
    await answer(answered);
    strike('after its answer');
  });
  return {
    baseUrl: `${url}/api`,
    /** Kills this process at the `after`-th request from now. */
    aim(target: Started, after: number, moment: Moment) {
      aim = { target, after, moment };
    },
  };
}

/** Kills a process `delay` ms after a condition is met, unless the process ends before. */
async function killAfter(target: Started, isThere: () => boolean, delay: number): Promise<void> {
  let ended = false;
  void target.finally(() => {
    ended = true;
  });
  while (!ended && !isThere()) await pause(1);
  await pause(delay);
  target.kill('SIGKILL');
}

const runNames = (place: Place) => {
  const directory = runsDirectory(place);
  return existsSync(directory) ? readdirSync(directory).filter((name) => name !== 'locks') : [];
};
const isPrepared = (place: Place) => runNames(place).some((name) => !name.startsWith('preparing-'));

test('killed 11 times and resumed, a run of 1,500 rows sends each once', async () => {
  const random = seeded(1);
  const place = createPlace();
  const served = await serveHere(place);
  const killer = await startKiller(served.url);
  writePeople(place, rows);
  const env = { ...served.env, MAILER_BASE_URL: killer.baseUrl };
  const kills = { preparing: 0, sending: 0, 'at any time': 0, 'writing results': 0 };
  const total = () => Object.values(kills).reduce((sum, one) => sum + one);
  const note = async (kind: keyof typeof kills, run: Started) => {
    const { signal, exitCode, stderr } = await finished(run);
    if (signal === 'SIGKILL') kills[kind]++;
    else expect({ exitCode, stderr }).toMatchObject({ exitCode: 0 });
    return signal === undefined;
  };

  for (let turn = 0; turn < 2 && !isPrepared(place); turn++) {
    const run = place.start(line, { env });
    const abandoned = runNames(place);
    const begun = () => runNames(place).some((name) => !abandoned.includes(name));
    void killAfter(run, begun, random() * 60);
    await note('preparing', run);
  }

  for (let complete = false; !complete && total() < 9; ) {
    const run = place.start(line, { env });
    if (random() < 0.2) {
      void killAfter(run, () => isPrepared(place), random() * 400);
      complete = await note('at any time', run);
    } else {
      killer.aim(run, 1 + Math.floor(random() * 3), pick(random, moments));
      complete = await note('sending', run);
    }
  }
  expect(await runHere(place, line, { env })).toMatchObject({ exitCode: 0 });

  while (total() < 11) {
    const run = place.start(line, { env });
    const temporary = () => readdirSync(place.home).some((name) => name.endsWith('.tmp'));
    void killAfter(run, temporary, random() * 20);
    await note('writing results', run);
  }
  expect(kills.preparing).toBeGreaterThan(0);
  expect(kills.sending).toBeGreaterThan(3);
  expect(kills['writing results']).toBeGreaterThanOrEqual(2);

  expect(await runHere(place, line, { env })).toMatchObject({ exitCode: 0 });
  expectResults(place, await expectEachOnce(place, served, rows));
  expect(readdirSync(place.home).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});
