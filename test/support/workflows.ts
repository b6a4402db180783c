import { parse } from 'yaml';
import * as z from 'zod';
import { filesIn, read } from './sources.ts';

// The workflows of GitHub in this repository, which cannot run here.

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

/** The workflows, by their paths. */
export const workflows = new Map(
  filesIn('.github/workflows/*').map((path) => [path, workflow.parse(parse(read(path)))]),
);

/** The programs that several jobs install. */
export const testPrograms = 'scripts/ci/test-programs.sh';

/** A workflow's scripts, each with its place. */
export const steps = [...workflows].flatMap(([path, { jobs }]) =>
  Object.entries(jobs).flatMap(([job, { steps }]) =>
    steps.flatMap((one) => ('run' in one ? [[`${path}, ${job}`, one.run] as const] : [])),
  ),
);
/** The same, and the bash scripts that they call. */
export const scripts = [...steps, [testPrograms, read(testPrograms)] as const];
