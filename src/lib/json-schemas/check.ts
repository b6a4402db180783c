import * as z from 'zod';
import { severities } from '../../shared/check/codes.ts';
import type { EmailFinding } from '../../shared/check/finding.ts';
import type { CheckReply } from '../check/show-check.ts';

/** What `--json` shows of the check of an email. */

export const emailFinding = z.looseObject({
  code: z
    .templateLiteral(['support/', z.string()])
    .or(z.string())
    .describe('what it is about, see docs/check.md; `--ignore` takes it') as z.ZodType<
    // Later versions may have more codes of the program's own.
    EmailFinding['code']
  >,
  severity: z.enum(severities),
  where: z
    .enum(['html', 'text', 'subject', 'preview', 'headers', 'attachments'])
    .describe('the part of the email'),
  line: z.number().exactOptional().describe('of the first place, from 1'),
  column: z.number().exactOptional().describe('in characters, from 1'),
  count: z.number().describe('the number of places'),
  message: z.string().describe('a sentence'),
  share: z
    .number()
    .exactOptional()
    .describe('percent of people whose mail program does not support it'),
  url: z.string().describe('the page that explains it'),
}) satisfies z.ZodType<EmailFinding>;

export const checkReply = z.looseObject({
  file: z.string().nullable().describe('null if flags gave the email'),
  kind: z.enum(['email', 'campaign']),
  ok: z.boolean().describe('whether no finding has the severity of `--fail-on`'),
  summary: z
    .looseObject({ error: z.number(), warning: z.number(), info: z.number() })
    .describe('the number of findings of each severity'),
  findings: z.array(emailFinding),
}) satisfies z.ZodType<CheckReply>;
