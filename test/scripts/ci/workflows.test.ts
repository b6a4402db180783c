import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import { root, temporaryDirectory } from '../../support/process.ts';
import { filesIn, read } from '../../support/sources.ts';

// The workflows cannot run here; these tests check what can be checked without GitHub.

const permissions = z.partialRecord(z.enum(['contents', 'id-token']), z.enum(['read', 'write']));

const step = z.union([
  z.strictObject({
    // Only GitHub's own actions, by commit, because a tag can be moved.
    uses: z
      .string()
      .regex(/^actions\/(checkout|setup-node|(upload|download)-artifact)@[\da-f]{40}$/),
    with: z.record(z.string(), z.union([z.string(), z.boolean()])).optional(),
  }),
  z.strictObject({
    name: z.string().optional(),
    if: z.string().optional(),
    // Expressions in scripts allow command injection.
    run: z.string().refine((text) => !text.includes('${{'), 'no expressions in scripts'),
    env: z.record(z.string(), z.string()).optional(),
  }),
]);

const workflow = z.strictObject({
  name: z.string(),
  on: z.partialRecord(z.enum(['push', 'pull_request', 'schedule']), z.unknown()),
  permissions,
  concurrency: z.strictObject({ group: z.string(), 'cancel-in-progress': z.boolean() }),
  defaults: z.strictObject({ run: z.strictObject({ shell: z.literal('bash') }) }),
  jobs: z.record(
    z.string(),
    z.strictObject({
      name: z.string(),
      needs: z.union([z.string(), z.array(z.string())]).optional(),
      'runs-on': z.string(),
      'timeout-minutes': z.int(),
      'continue-on-error': z.string().optional(),
      environment: z.string().optional(),
      permissions: permissions.optional(),
      strategy: z
        .strictObject({
          'fail-fast': z.literal(false),
          matrix: z.strictObject({
            os: z.array(z.string()).optional(),
            node: z.array(z.string()).optional(),
            include: z.array(z.record(z.string(), z.string())).optional(),
          }),
        })
        .optional(),
      steps: z.array(step),
    }),
  ),
});

const workflows = new Map(
  filesIn('.github/workflows/*').map((path) => [path, workflow.parse(parse(read(path)))]),
);

/** The programs that several jobs install. */
const testPrograms = 'scripts/ci/test-programs.sh';

/** A workflow's scripts, each with its place. */
const steps = [...workflows].flatMap(([path, { jobs }]) =>
  Object.entries(jobs).flatMap(([job, { steps }]) =>
    steps.flatMap((one) => ('run' in one ? [[`${path}, ${job}`, one.run] as const] : [])),
  ),
);
/** The same, and the bash scripts that they call. */
const scripts = [...steps, [testPrograms, read(testPrograms)] as const];

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
    const runsTests = /^ *(MAILER_BIN=\S+ )?npm (test|run vitest)\b/m;
    const jobs = (pattern: RegExp) =>
      new Set(steps.filter(([, script]) => pattern.test(script)).map(([where]) => where));
    expect(jobs(runsTests).size).toBe(3);
    expect(jobs(/^scripts\/ci\/test-programs\.sh$/)).toEqual(jobs(runsTests));
  });

  test.skipIf(process.platform === 'win32')('are installed, and the browser is found', async () => {
    const place = temporaryDirectory();
    // Replacements for the programs of such a machine, which print their arguments.
    for (const name of ['sudo', 'google-chrome']) {
      writeFileSync(join(place, name), `#!/bin/sh\necho "$@"\n`, { mode: 0o755 });
    }
    const { stdout } = await execa(join(root, testPrograms), [], {
      env: { PATH: `${place}:${process.env.PATH}`, GITHUB_ENV: join(place, 'environment') },
    });
    const [update, install = '', ...rest] = stdout.split('\n');
    expect({ update, rest }).toEqual({ update: 'apt-get update', rest: [] });
    const [command, verb, ...words] = install.split(' ');
    expect([command, verb]).toEqual(['apt-get', 'install']);
    expect(words).toEqual(expect.arrayContaining(['--yes', 'fish', 'shellcheck', 'zsh']));
    const environment = readFileSync(join(place, 'environment'), 'utf8');
    expect(environment).toBe(`CHROMIUM=${join(place, 'google-chrome')}\n`);
  });

  test.skipIf(process.platform === 'win32')('end the job if one cannot be installed', async () => {
    const place = temporaryDirectory();
    writeFileSync(join(place, 'sudo'), '#!/bin/sh\n[ "$2" = update ]\n', { mode: 0o755 });
    const { exitCode } = await execa(join(root, testPrograms), [], {
      env: { PATH: `${place}:${process.env.PATH}`, GITHUB_ENV: join(place, 'environment') },
      reject: false,
    });
    expect(exitCode).toBe(1);
  });
});

describe('the scripts in them', () => {
  test.each(scripts)('%s is bash: %s', async (_, input) => {
    const { exitCode, stderr } = await execa('bash', ['-n'], { input, reject: false });
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  });
});

const shellcheck = await execa('shellcheck', ['--version'], { reject: false });

describe.skipIf(shellcheck.failed)('shellcheck', () => {
  test.each(scripts)('has no complaint about %s: %s', async (_, script) => {
    const words = ['--shell=bash', '--enable=quote-safe-variables', '-'];
    // Set by the runner.
    const input = `set -eo pipefail\n${script}`;
    const { exitCode, stdout } = await execa('shellcheck', words, { input, reject: false });
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '' });
  });
});

describe('a release', () => {
  const script = scripts.find(([, text]) => text.includes('release-notes.js'))?.[1] ?? '';

  /** Runs the step that checks tag, version and change log, as GitHub's runner does. */
  async function check(tag: string, version: string, changelog: string, performance = '') {
    const checkout = temporaryDirectory();
    for (const name of ['scripts/release', 'docs']) {
      mkdirSync(join(checkout, name), { recursive: true });
    }
    writeFileSync(join(checkout, 'docs', 'performance.md'), performance);
    writeFileSync(join(checkout, 'package.json'), JSON.stringify({ version, type: 'module' }));
    writeFileSync(join(checkout, 'CHANGELOG.md'), changelog);
    const notes = 'scripts/release/release-notes.js';
    writeFileSync(join(checkout, notes), readFileSync(join(root, notes)));
    const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script];
    const { exitCode } = await execa('bash', words, {
      cwd: checkout,
      env: { GITHUB_REF_NAME: tag },
      reject: false,
    });
    return {
      exitCode,
      notes:
        exitCode === 0
          ? readFileSync(join(checkout, 'notes', 'release-notes.md'), 'utf8')
          : undefined,
    };
  }

  test('takes its notes from the change log', async () => {
    const outcome = await check(
      'v1.2.3',
      '1.2.3',
      '# Changelog\n\n## 1.2.3 (2026-11-21)\n\n- one\n',
    );
    expect(outcome).toEqual({ exitCode: 0, notes: '- one\n' });
  });

  test.each([
    ['the tag of another version', 'v1.2.4', '1.2.3', '## 1.2.4\n\n- one\n'],
    ['a version that is not released yet', 'v1.2.3', '1.2.3', '## 1.2.3 (unreleased)\n\n- one\n'],
    ['a version that the change log does not know', 'v1.2.3', '1.2.3', '## 1.2.2\n\n- one\n'],
  ])('is not made with %s', async (_, tag, version, changelog) => {
    expect((await check(tag, version, `# Changelog\n\n${changelog}`)).exitCode).toBe(1);
  });

  test('is not made while benches have no figures', async () => {
    const changelog = '# Changelog\n\n## 1.2.3 (2026-11-21)\n\n- one\n';
    const page = '## Bulk: `npm run bench -- bulk`\n\n```text\nNot measured yet.\n```\n';
    expect((await check('v1.2.3', '1.2.3', changelog, page)).exitCode).toBe(1);
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
