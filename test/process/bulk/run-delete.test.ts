import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { batchLine, expectEachOnce, runsDirectory, writePeople } from '../../support/batch.ts';
import { serveHere } from '../../support/here.ts';
import { enter } from '../../support/keys.ts';
import { createPlace, finished } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';
import { openTerminal } from '../../support/terminal.ts';

test('a run is deleted after confirmation, but not while it is running', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    ask();
    await released;
    await answer(await forward());
  });
  writePeople(place, 3);
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  const started = place.start(batchLine, { env });
  await asked;
  const runs = () => readdirSync(runsDirectory(place)).filter((name) => name !== 'locks');
  const [name = ''] = runs();
  const early = await place.run(`run delete ${name} --yes`);
  expect(early).toMatchObject({ exitCode: 5, stdout: '' });
  expect(early.stderr).toMatch(
    /^Error: This run is in progress in another process\. Nothing was deleted\.\n/,
  );
  release();
  expect(await finished(started)).toMatchObject({ exitCode: 0 });
  await expectEachOnce(place, served, 3);
  for (const [answer, exitCode, left] of [
    ['n', 2, 1],
    ['y', 0, 0],
  ] as const) {
    const terminal = openTerminal(place, `mailer run delete ${name.slice(0, 8)}`, {
      // The path of the input is in the question, however long it is.
      columns: 300,
    });
    await terminal.shows('(y/N)');
    terminal.type(`${answer}${enter}`);
    expect(await terminal.end()).toBe(exitCode);
    if (answer === 'n') expect(terminal.text()).toContain('Not confirmed. Nothing was deleted.');
    expect(runs()).toHaveLength(left);
  }
});
