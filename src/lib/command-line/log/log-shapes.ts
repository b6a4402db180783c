import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** What `--json` shows of the log. */
export const logEntry = lenientObject({
  entry: z.int(),
  at: z.iso.datetime().describe('when it began, by the clock of the service if that is known'),
  state: z
    .enum(['done', 'failed', 'stopped', 'unfinished'])
    .describe(
      '`stopped`: it ended with an error before a request left; `unfinished`: it still runs, or was killed',
    ),
  exitCode: z.int().nullable(),
  command: z.string(),
  line: z.string().describe('the command line, without texts, secrets and addresses'),
  effect: z.enum(['mails', 'changes', 'deletes']).describe('the strongest of its requests'),
  requests: z.int().describe('requests that left and did more than read'),
  recipients: z
    .int()
    .nullable()
    .describe('addresses in these requests; contacts of a campaign; null if nobody counted them'),
  digest: z
    .string()
    .nullable()
    .describe(
      'of what left, as `--dry-run --json` prints it; of several requests, of their digests',
    ),
  ids: z.array(z.string()).describe('what it created or changed, at most 100'),
  run: z.string().nullable().describe('the bulk run'),
  profile: z.string().nullable(),
  team: z.string().nullable().describe('of the key, if `login` or `whoami` has shown it'),
  baseUrl: z.string(),
  user: z.string().nullable(),
  host: z.string(),
  directory: z.string(),
});

export type LogEntry = ReadonlyInfer<typeof logEntry>;
