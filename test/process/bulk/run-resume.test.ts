import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { batchLine, expectEachOnce, expectResults, writePeople } from '../../support/batch.ts';
import { runHere, serveHere } from '../../support/here.ts';
import { peopleCsv } from '../../support/people.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { startProxy } from '../../support/proxy.ts';

const rows = 2000;
const line = [...batchLine, '--concurrency', '3', '--quiet'];

/** A served sandbox behind a proxy that kills a process in the middle of a request. */
async function setUp() {
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
  const killed = async (target: Started, after: number, accepted: boolean) => {
    aim = { target, after, accepted };
    expect(await finished(target)).toMatchObject({ signal: 'SIGKILL' });
  };
  return { place, served, env, killed };
}

async function onlyRun(place: Place): Promise<string> {
  return (await runHere(place, 'run list --quiet')).stdout.trim().slice(0, 8);
}

test('a killed run is resumed from another directory and without its file, over and over; nobody gets two', async () => {
  const { place, served, env, killed } = await setUp();
  writePeople(place, rows);
  await killed(place.start([...line, '--results', 'results.jsonl'], { env }), 4, true);
  rmSync(join(place.home, 'people.csv'));
  mkdirSync(join(place.home, 'elsewhere'));
  const resume = `run resume ${await onlyRun(place)} --yes --quiet`;
  for (const accepted of [false, true, false]) {
    await killed(place.start(resume, { env }), 3, accepted);
  }
  const done = await finished(place.shell(`cd elsewhere && mailer ${resume}`, { env }));
  expect({ exitCode: done.exitCode, stderr: done.stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(done.stdout.split('\n')).toHaveLength(rows + 1);
  expectResults(place, await expectEachOnce(place, served, rows));
});

test('a killed run of stdin is resumed without it; nobody gets two', async () => {
  const { place, served, env, killed } = await setUp();
  const people = 1000;
  const words = line.map((word) => (word === 'people.csv' ? '-' : word));
  await killed(place.start(words, { env, input: peopleCsv(people) }), 5, true);
  const name = await onlyRun(place);
  expect(await runHere(place, `run resume ${name} --yes --quiet`, { env })).toMatchObject({
    exitCode: 0,
    stderr: '',
  });
  await expectEachOnce(place, served, people);
});

test('a killed run of a text in Markdown sends the rest as it was written, though the file has changed', async () => {
  const { place, served, env, killed } = await setUp();
  const people = 500;
  const news = join(place.home, 'news.md');
  writePeople(place, people);
  writeFileSync(news, '---\nsubject: Hi {{ name }}\n---\n\nHello *{{ name }}*\n');
  const words = ['email', 'batch', 'people.csv', '--from', 'hello@example.com', '--yes', '--quiet'];
  await killed(place.start([...words, '--markdown-file', 'news.md'], { env }), 3, true);
  writeFileSync(news, 'Other text\n');
  const resumed = await runHere(place, `run resume ${await onlyRun(place)} --yes --quiet`, { env });
  expect(resumed).toMatchObject({ exitCode: 0, stderr: '' });
  const sent = await expectEachOnce(place, served, people);
  for (const { id, to } of [sent.at(0), sent.at(-1)].filter((one) => one !== undefined)) {
    const email = JSON.parse((await runHere(place, `email get ${id} --json`, { env })).stdout);
    const name = `Name ${to.slice(1, to.indexOf('@'))}`;
    expect(email).toMatchObject({ subject: `Hi ${name}`, text: `Hello ${name}` });
    expect(email.html).toContain(`<em>${name}</em>`);
  }
});
