import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../src/lib/errors.ts';
import { expectEachOnce } from '../support/batch.ts';
import { peopleCsv } from '../support/people.ts';
import { createPlace, finished, launcher, type Place, root } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { serveSandbox } from '../support/served.ts';

const path = join(root, 'docs', 'bulk.md');
const page = readFileSync(path, 'utf8');
const fence = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** The blocks of a language, or only the one with this file name. */
function blocks(language: string, name?: string): string[] {
  return [...page.matchAll(fence)]
    .filter((block) => block[1] === language && (name === undefined || block[2] === name))
    .map(([, , , text = '']) => text);
}

/** The page's files, and a `mailer` that other programs can start. */
function setUp(): { place: Place; env: Record<string, string> } {
  const place = createPlace();
  for (const [, , name, text = ''] of page.matchAll(fence)) {
    if (name !== undefined) writeFileSync(join(place.home, name), text);
  }
  writeFileSync(join(place.home, 'many.csv'), peopleCsv(1000));
  writeFileSync(join(place.home, 'news.txt'), 'Hello {{ name }}\n');
  const bin = join(place.home, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'mailer'), launcher, { mode: 0o755 });
  return { place, env: { PATH: `${bin}:${place.env.PATH}` } };
}

/** The run's name on the page, which replaces its name here. */
const shownRun = '0bddde44';

/** Replaces ids and sizes that differ at each run, and paths. */
function withoutChance(home: string): (text: string) => string {
  const known = new Map<string, string>();
  return (text) =>
    text
      .replaceAll(`${home}/.local`, '~/.local')
      .replaceAll(`${home}/`, '')
      .replace(/\b[\d.]+ KiB\b/g, '120 KiB')
      .replace(/(?<=run resume )[0-9a-f]{8}\b/g, shownRun)
      .replace(/\bc[a-z0-9]{24}\b/g, (id) => {
        const name = known.get(id) ?? `cmkf0y3b4000${known.size}08l4f2gh1q9z`;
        known.set(id, name);
        return name;
      });
}

test('the console blocks have the output of the commands', async () => {
  const { place, env } = setUp();
  const served = await serveSandbox(place);
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    requests++;
    // Request 1 is for the people, 2 to 4 are for the many.
    const isDown = requests === 5 || requests === 6;
    const body = '{"error":{"code":"INTERNAL_SERVER_ERROR","message":"down for maintenance"}}';
    await answer(isDown ? { status: 503, headers: {}, body } : await forward());
  });
  const plain = withoutChance(place.home);
  const runs = { env: { ...env, ...served.env, MAILER_BASE_URL: `${url}/api` } };
  let current = page;
  let broken = shownRun;
  for (const block of blocks('console')) {
    let now = '';
    for (const command of block.split('\n').filter((line) => line.startsWith('$ '))) {
      const line = command.slice(2).replaceAll(shownRun, broken);
      const { stdout } = await finished(place.shell(`exec 2>&1; ${line}`, runs));
      broken = /(?<=run resume )[0-9a-f]{8}/.exec(stdout)?.[0] ?? broken;
      now += `${command}\n${plain(stdout)}`;
    }
    current = current.replace(block, () => now);
  }
  await expect(current).toMatchFileSnapshot(path);
});

const hasParallel = !(await execa('parallel', ['--version'], { reject: false })).failed;

test.skipIf(!hasParallel)('the line for GNU parallel sends each row once', async () => {
  const { place, env } = setUp();
  const served = await serveSandbox(place);
  const [line = ''] = blocks('bash').filter((block) => block.includes('parallel'));
  const { stdout, stderr } = await finished(
    place.shell(line, { env: { ...env, ...served.env, CI: '1' } }),
  );
  expect({ last: stdout.trimEnd().split('\n').at(-1), stderr }).toEqual({
    last: '1000',
    stderr: '',
  });
  await expectEachOnce(place, served, 1000);
});

test('the loop continues until all is sent, and stops at errors that a retry does not fix', async () => {
  const { place, env } = setUp();
  const served = await serveSandbox(place);
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    const isDown = ++requests % 4 === 0;
    await answer(isDown ? { status: 503, headers: {}, body: '{}' } : await forward());
  });
  const [loop = ''] = blocks('bash').filter((block) => block.includes('for try'));
  const impatient = loop.replace('sleep 300', 'sleep 0').replace('--quiet', '--quiet --retries 0');
  const common = { ...env, ...served.env };
  const outcome = await finished(
    place.shell(impatient, { env: { ...common, MAILER_BASE_URL: `${url}/api` } }),
  );
  expect(outcome).toMatchObject({ exitCode: 0 });
  expect(readFileSync(join(place.home, 'ids.txt'), 'utf8').trimEnd().split('\n')).toHaveLength(
    1000,
  );
  const refused = await finished(
    place.shell(impatient, { env: { ...common, MAILER_API_KEY: 'us_wrong_123456' } }),
  );
  expect(refused.exitCode).toBe(3);
});

test('the matrix and the Indexed Job have one process for each shard', async () => {
  const [workflow, job] = blocks('yaml').map((text) => parse(text));
  const { strategy, env } = workflow.jobs.send;
  expect(env.SHARD).toBe(`\${{ matrix.shard }}/${strategy.matrix.shard.length}`);
  expect(strategy.matrix.shard).toEqual([1, 2, 3, 4]);
  const { completions, template, podFailurePolicy, backoffLimitPerIndex } = job.spec;
  // A shard that is complete with some rejected rows is not retried. Kubernetes requires the other
  // two fields with such rules.
  expect(podFailurePolicy.rules).toEqual([
    { action: 'FailIndex', onExitCodes: { operator: 'In', values: [exitCodes.partial] } },
  ]);
  expect(backoffLimitPerIndex).toBeGreaterThan(0);
  expect(template.spec.restartPolicy).toBe('Never');
  const [{ command, args }] = template.spec.containers;
  const { place } = setUp();
  const bin = join(place.home, 'bin');
  writeFileSync(join(bin, 'mailer'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 });
  for (let index = 0; index < completions; index++) {
    const env = { PATH: `${bin}:${place.env.PATH}`, JOB_COMPLETION_INDEX: String(index) };
    const { stdout } = await execa(command[0], [...command.slice(1), ...args], { env });
    expect(stdout).toContain(` --shard ${index + 1}/${completions} `);
  }
});
