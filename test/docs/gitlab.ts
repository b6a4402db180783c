import { parse } from 'yaml';
import * as z from 'zod';
import type { Machine, Ran } from './machine.ts';

const pipeline = z.record(
  z.string().regex(/^[a-z][\w-]*$/),
  z.strictObject({
    image: z.enum(['node:24', 'node:26']),
    timeout: z.string().regex(/^\d+ minutes$/),
    rules: z
      .tuple([z.strictObject({ if: z.literal('$CI_PIPELINE_SOURCE == "schedule"') })])
      .optional(),
    variables: z.record(z.string(), z.string()).optional(),
    script: z.array(z.string()).min(1),
  }),
);

export type Pipeline = z.infer<typeof pipeline>;

/** The jobs in a file. An error names what these tests do not know. */
export function readPipeline(text: string): Pipeline {
  return pipeline.parse(parse(text));
}

/** Runs a pipeline's only job as GitLab's runner does. The log starts with the last command line. */
export async function runPipeline(
  jobs: Pipeline,
  variables: Readonly<Record<string, string>>,
  machine: Machine,
): Promise<Ran> {
  const [job, ...others] = Object.values(jobs);
  if (job === undefined || others.length > 0) throw new Error('not one job');
  const env: Record<string, string> = {
    ...{ CI: 'true', GITLAB_CI: 'true' },
    ...variables,
    ...job.variables,
  };
  const lines = job.script.map((line) => `echo ${quote(`$ ${line}`)}\n${line}\n`);
  // One script for all lines, with an empty stdin. With a plain `eval`, the exit code is 1 whatever
  // the code of the line that fails.
  const all = `eval ${quote(lines.join(''))}`;
  const whole = env.FF_USE_NEW_BASH_EVAL_STRATEGY === 'true' ? `(${all})` : all;
  const script = `set -o pipefail\nset -o errexit\nset +o noclobber\n: | ${whole}\nexit 0\n`;
  const { exitCode, log } = await machine.run(script, { env });
  const end = exitCode === 0 ? '' : `ERROR: Job failed: exit code ${exitCode}\n`;
  return { exitCode, log: log.slice(log.lastIndexOf('$ ')) + end };
}

function quote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
