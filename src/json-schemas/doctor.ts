import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';
import { type Check, doctorChecks } from '../lib/command-line/doctor/check.ts';
import { errorCode } from './account.ts';

/** What `--json` shows of the checks of `doctor`. */

export const check = lenientObject({
  check: z.enum(doctorChecks),
  state: z.enum(['OK', 'WARNING', 'FAILED', 'SKIPPED']),
  detail: z.string().describe('the result'),
  remedy: z.string().nullable().describe('the fix'),
  code: errorCode.nullable().describe('the error code of other commands in this case'),
}) satisfies z.ZodType<Check>;

export const doctorReply = lenientObject({
  ok: z.boolean().describe('whether all checks passed'),
  checks: z.array(check),
});
