import { parse } from 'yaml';
import * as z from 'zod';
import type { Machine, Ran } from './machine.ts';

const env = z.record(z.string(), z.string()).optional();

/** The only step that cannot run here, and its requirements. */
const action = z.strictObject({
  uses: z.literal('actions/setup-node@v6'),
  // `mailer` needs 22.19; LTS versions are even.
  with: z.strictObject({ 'node-version': z.union([z.literal(24), z.literal(26)]) }),
});

const run = z.strictObject({
  name: z.string().optional(),
  // Expressions in scripts allow command injection.
  run: z.string().refine((text) => !text.includes('${{'), 'no expressions in scripts'),
  env,
});

const workflow = z.strictObject({
  name: z.string(),
  on: z.union([
    z.array(z.enum(['push', 'workflow_dispatch'])).min(1),
    z.strictObject({
      schedule: z.tuple([z.strictObject({ cron: z.string().regex(/^\d+ \d+ \* \* \*$/) })]),
      workflow_dispatch: z.null(),
    }),
  ]),
  permissions: z.strictObject({}),
  jobs: z.record(
    z.string().regex(/^[A-Za-z_][\w-]*$/),
    z.strictObject({
      'runs-on': z.literal('ubuntu-latest'),
      'timeout-minutes': z.int(),
      env,
      steps: z.array(z.union([action, run])).min(1),
    }),
  ),
});

export type Workflow = z.infer<typeof workflow>;

/** The workflow in a file. An error names what these tests do not know. */
export function readWorkflow(text: string): Workflow {
  return workflow.parse(parse(text));
}

export interface GithubSettings {
  readonly vars: Readonly<Record<string, string>>;
  readonly secrets: Readonly<Record<string, string>>;
}

/** Runs a workflow's only job as GitHub's runner does. The log is the last step's. */
export async function runWorkflow(
  { jobs }: Workflow,
  settings: GithubSettings,
  machine: Machine,
): Promise<Ran> {
  const [job, ...others] = Object.values(jobs);
  if (job === undefined || others.length > 0) throw new Error('not one job');
  let last: Ran = { exitCode: 0, log: '' };
  for (const step of job.steps) {
    if (!('run' in step)) continue;
    // Without `shell:`, the runner uses `bash -e`, without pipefail.
    const { exitCode, log } = await machine.run(step.run, {
      shell: ['bash', '-e'],
      env: {
        CI: 'true',
        GITHUB_ACTIONS: 'true',
        ...filled(job.env, settings),
        ...filled(step.env, settings),
      },
    });
    const end = exitCode === 0 ? '' : `Error: Process completed with exit code ${exitCode}.\n`;
    last = { exitCode, log: `Run ${step.run.trimEnd()}\n${log}${end}` };
    if (exitCode !== 0) break;
  }
  return last;
}

function filled(
  env: Readonly<Record<string, string>> = {},
  settings: GithubSettings,
): Record<string, string> {
  const values = Object.entries(env).map(([name, text]) => [name, evaluate(text, settings)]);
  return Object.fromEntries(values);
}

function evaluate(text: string, { vars, secrets }: GithubSettings): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (expression, inner: string) => {
    const [, context, name = ''] = /^ (vars|secrets)\.([A-Z_]+) $/.exec(inner) ?? [];
    const value = (context === 'secrets' ? secrets : vars)[name];
    if (context === undefined || value === undefined) throw new Error(`unknown: ${expression}`);
    return value;
  });
}
