import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { exitCodes } from '../../src/lib/base/errors.ts';
import { expectEachOnce } from '../support/batch.ts';
import { needing, works } from '../support/needs.ts';
import { peopleCsv } from '../support/people.ts';
import { root } from '../support/process.ts';
import { startProxy } from '../support/proxy.ts';
import { createWorld } from '../support/run.ts';
import { serveIn } from '../support/serving.ts';
import { createMachine, type Machine } from './machine.ts';

const path = join(root, 'docs', 'bulk.md');
const page = readFileSync(path, 'utf8');
const fence = /^```(\S+)(?: (\S+))?\n([\s\S]*?)^```$/gm;

/** The blocks of a language, or only the one with this file name. */
function blocks(language: string, name?: string): string[] {
  return [...page.matchAll(fence)]
    .filter((block) => block[1] === language && (name === undefined || block[2] === name))
    .map(([, , , text = '']) => text);
}

/** A machine with the page's files, and with so many people in `many.csv`. */
function setUp(people: number): Machine {
  const machine = createMachine();
  const write = (name: string, text: string) => writeFileSync(join(machine.home, name), text);
  for (const [, , name, text = ''] of page.matchAll(fence)) {
    if (name !== undefined) write(name, text);
  }
  write('many.csv', peopleCsv(people));
  write('news.txt', 'Hello {{ name }}\n');
  return machine;
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
  const machine = setUp(1000);
  const served = await serveIn(createWorld());
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    requests++;
    // Request 1 is for the people, 2 to 4 are for the many.
    const isDown = requests === 5 || requests === 6;
    const body = '{"error":{"code":"INTERNAL_SERVER_ERROR","message":"down for maintenance"}}';
    await answer(isDown ? { status: 503, headers: {}, body } : await forward());
  });
  const plain = withoutChance(machine.home);
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  let current = page;
  let broken = shownRun;
  for (const block of blocks('console')) {
    let now = '';
    for (const command of block.split('\n').filter((line) => line.startsWith('$ '))) {
      const line = command.slice(2).replaceAll(shownRun, broken);
      const { log } = await machine.run(line, { env });
      broken = /(?<=run resume )[0-9a-f]{8}/.exec(log)?.[0] ?? broken;
      now += `${command}\n${plain(log)}`;
    }
    current = current.replace(block, () => now);
  }
  await expect(current).toMatchFileSnapshot(path);
});

const parallel = works('parallel --version', 'parallel');

test('the line for GNU parallel sends each row once', needing(parallel), async () => {
  const machine = setUp(200);
  const { env } = await serveIn(createWorld());
  const [line = ''] = blocks('bash').filter((block) => block.includes('parallel'));
  expect(await machine.run(line, { env: { ...env, CI: '1' } })).toEqual({
    exitCode: 0,
    log: expect.stringMatching(/\n200\n$/),
  });
  await expectEachOnce(machine, { env }, 200);
});

test('the loop continues until all is sent, and stops at errors that a retry does not fix', async () => {
  const machine = setUp(400);
  const served = await serveIn(createWorld());
  let requests = 0;
  const url = await startProxy(served.url, async ({ forward, answer }) => {
    const isDown = ++requests % 4 === 0;
    await answer(isDown ? { status: 503, headers: {}, body: '{}' } : await forward());
  });
  const [loop = ''] = blocks('bash').filter((block) => block.includes('for try'));
  const impatient = loop.replace('sleep 300', 'sleep 0').replace('--quiet', '--quiet --retries 0');
  const env = { ...served.env, MAILER_BASE_URL: `${url}/api` };
  expect(await machine.run(impatient, { env })).toMatchObject({ exitCode: 0 });
  const ids = readFileSync(join(machine.home, 'ids.txt'), 'utf8').trimEnd().split('\n');
  expect(ids).toHaveLength(400);
  expect(requests).toBeGreaterThan(4);
  const wrong = { ...served.env, MAILER_API_KEY: 'us_wrong_123456' };
  expect(await machine.run(impatient, { env: wrong })).toMatchObject({ exitCode: 3 });
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
  const machine = createMachine();
  machine.addProgram('mailer', '#!/bin/sh\necho "$@"\n');
  for (let index = 0; index < completions; index++) {
    const env = { ...machine.env, JOB_COMPLETION_INDEX: String(index) };
    const { stdout } = await execa(command[0], [...command.slice(1), ...args], { env });
    expect(stdout).toContain(` --shard ${index + 1}/${completions} `);
  }
});
