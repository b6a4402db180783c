import * as z from 'zod';
import type { Check } from '../doctor/check.ts';
import { errorCode } from './account.ts';

/** What `--json` shows of the checks of `doctor`. */

export const check = z.looseObject({
  check: z.enum([
    'node',
    'config',
    'key',
    'url',
    'dns',
    'tls',
    'proxy',
    'clock',
    'directory',
    'sqlite',
    'service',
  ]),
  state: z.enum(['OK', 'WARNING', 'FAILED', 'SKIPPED']),
  detail: z.string().describe('what was found'),
  remedy: z.string().nullable().describe('what to do about it'),
  code: errorCode.nullable().describe('the code with which other commands fail for this'),
}) satisfies z.ZodType<Check>;

export const doctorReply = z.looseObject({
  ok: z.boolean().describe('whether no check has failed'),
  checks: z.array(check),
});
