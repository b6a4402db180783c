import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recorded } from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { createPlace, finished, type Started } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';

const rows = 3000;

test('a retry that is killed over and over is resumed; nobody gets two of it, and nobody else any', async () => {
  const place = createPlace();
  const served = await serveHere(place);
  let aim: { target: Started; after: number; accepted: boolean } | undefined;
  const url = await startProxy(served.url, async ({ forward, answer, cut }) => {
    const hit = aim !== undefined && --aim.after === 0 ? aim : undefined;
    if (hit?.accepted === false) {
      hit.target.kill('SIGKILL');
      return cut();
    }
    const answered = await forward();
    if (hit === undefined) return await answer(answered);
    hit.target.kill('SIGKILL');
    cut();
  });
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  const people = Array.from({ length: rows }, (_, index) => `p${index + 1}@example.org`);
  const csv = (some: (to: string, index: number) => string) =>
    ['to', ...people.map(some), ''].join('\n');
  // Every other row is invalid, and corrected later.
  const isWrong = (index: number) => index % 2 === 1;
  writeFileSync(
    join(place.home, 'people.csv'),
    csv((to, index) => (isWrong(index) ? 'nobody' : to)),
  );
  writeFileSync(
    join(place.home, 'fixed.csv'),
    csv((to) => to),
  );
  const line =
    'email batch people.csv --from hello@example.com --subject Hi --text Hello --skip-invalid --yes --quiet';
  expect((await runHere(place, line, { env })).exitCode).toBe(11);
  const retry = 'run retry @last --status invalid --file fixed.csv --yes --quiet --concurrency 3';
  const killed = async (target: Started, after: number, accepted: boolean) => {
    aim = { target, after, accepted };
    expect(await finished(target)).toMatchObject({ signal: 'SIGKILL' });
  };
  await killed(place.start(retry, { env }), 4, true);
  const other = await runHere(place, retry, { env });
  expect(other).toMatchObject({ exitCode: 2, stdout: '' });
  for (const accepted of [false, true]) {
    await killed(place.start('run resume @last --yes --quiet', { env }), 3, accepted);
  }
  const done = await runHere(place, 'run resume @last --yes --quiet', { env });
  expect(done).toMatchObject({ exitCode: 0, stderr: '' });
  const to = (await recorded(place, served)).map((email) => email.to);
  expect(to.toSorted()).toEqual(people.toSorted());
});
