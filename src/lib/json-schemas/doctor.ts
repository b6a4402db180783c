import * as z from 'zod';
import { type Check, doctorChecks } from '../doctor/check.ts';
import { errorCode } from './account.ts';

/** What `--json` shows of the checks of `doctor`. */

export const check = z.looseObject({
  check: z.enum(doctorChecks),
  state: z.enum(['OK', 'WARNING', 'FAILED', 'SKIPPED']),
  detail: z.string().describe('the result'),
  remedy: z.string().nullable().describe('the fix'),
  code: errorCode.nullable().describe('the error code of other commands in this case'),
}) satisfies z.ZodType<Check>;

export const doctorReply = z.looseObject({
  ok: z.boolean().describe('whether all checks passed'),
  checks: z.array(check),
});
