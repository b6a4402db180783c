import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { root } from '../../support/process.ts';
import { read } from '../../support/sources.ts';
import { scripts, steps, testPrograms, workflows } from '../../support/workflows.ts';

// What can be checked without GitHub and a shell; test/process/package/workflows.test.ts runs their scripts.

function workflowIn(path: string) {
  const found = workflows.get(path);
  if (found === undefined) throw new Error(`there is no ${path}`);
  return found;
}

describe('the workflows', () => {
  test('exist for changes and for releases', () => {
    expect([...workflows.keys()]).toEqual([
      '.github/workflows/ci.yml',
      '.github/workflows/release.yml',
    ]);
  });

  test.each(['test', 'installed'])(
    '%s: on three systems, each with three Nodes, of which the first is the oldest',
    (job) => {
      const { jobs } = workflowIn('.github/workflows/ci.yml');
      const { os = [], node } = jobs[job]?.strategy?.matrix ?? {};
      expect(os.map((name) => name.split('-')[0])).toEqual(['ubuntu', 'macos', 'windows']);
      expect(node).toEqual(['22.19.0', '24', '26']);
      expect(read('package.json')).toContain('"node": ">=22.19"');
    },
  );

  test("name the version of each action's commit, the same everywhere", () => {
    const used = [...workflows.keys()].flatMap((path) => read(path).match(/uses: .*/g) ?? []);
    expect(used).not.toEqual([]);
    for (const line of used) expect(line).toMatch(/@[\da-f]{40} # v\d+\.\d+\.\d+$/);
    expect(new Set(used).size).toBe(4);
  });

  test('have write permission only in the job that needs it', () => {
    const writing = [...workflows].flatMap(([path, { permissions, jobs }]) => [
      ...(Object.values(permissions).includes('write') ? [path] : []),
      ...Object.entries(jobs)
        .filter(([, job]) => Object.values(job.permissions ?? {}).includes('write'))
        .map(([name, job]) => [name, job.permissions]),
    ]);
    expect(writing).toEqual([
      ['publish', { 'id-token': 'write' }],
      ['release', { contents: 'write' }],
    ]);
  });

  test('keep no token in the checkout, where installed packages could read it', () => {
    for (const [path] of workflows) {
      const checkouts = read(path).match(/uses: actions\/checkout@.*\n.*\n.*/g) ?? [];
      expect(checkouts).not.toEqual([]);
      for (const text of checkouts) expect(text).toMatch(/with:\n +persist-credentials: false$/);
    }
  });

  test('name jobs, npm scripts and files that exist', () => {
    // npm wrote it and checked its shape.
    const known = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const text = scripts.map(([, script]) => script).join('\n');
    const named = [...text.matchAll(/\bnpm (?:run )?(test\S*|run \S+|start)/g)].map(
      ([, name = '']) => name.replace(/^run /, ''),
    );
    expect(named).toContain('test:matrix');
    for (const name of named) expect(Object.keys(known.scripts)).toContain(name);
    const files = [...text.matchAll(/\b(?:scripts|bench|\.ci)\/[\w./-]+/g)].map(([file]) => file);
    expect(files).not.toEqual([]);
    for (const file of files)
      expect({ file, exists: existsSync(join(root, file)) }).toEqual({ file, exists: true });
    for (const [, { jobs }] of workflows) {
      const needed = Object.values(jobs).flatMap(({ needs }) => needs ?? []);
      expect(Object.keys(jobs)).toEqual(expect.arrayContaining(needed));
    }
  });
});

describe('programs of others', () => {
  test('are named in one place, which every job calls that runs the tests', () => {
    const naming = scripts.filter(([, script]) => /\bapt(-get)?\b/.test(script));
    expect(naming.map(([where]) => where)).toEqual([testPrograms]);
    const runsTests =
      /^ *(MAILER_BIN=\S+ |sudo env (\S+ )+)?npm (test|run vitest|run test:release)\b/m;
    const jobs = (pattern: RegExp) =>
      new Set(steps.filter(([, script]) => pattern.test(script)).map(([where]) => where));
    expect(jobs(runsTests).size).toBe(4);
    expect(jobs(/^scripts\/ci\/test-programs\.sh$/)).toEqual(jobs(runsTests));
  });
});

test('updates of packages and actions are requested every week', () => {
  const updates = z
    .strictObject({
      version: z.literal(2),
      updates: z.array(
        z.strictObject({
          'package-ecosystem': z.string(),
          directory: z.literal('/'),
          schedule: z.strictObject({ interval: z.literal('weekly') }),
          groups: z.record(z.string(), z.looseObject({ patterns: z.tuple([z.literal('*')]) })),
          ignore: z.array(z.record(z.string(), z.unknown())).optional(),
        }),
      ),
    })
    .parse(parse(read('.github/dependabot.yml')));
  expect(updates.updates.map((one) => one['package-ecosystem'])).toEqual(['npm', 'github-actions']);
});
