import * as z from 'zod';
import { lenientObject } from '../../../api/lenient.ts';
import type { EmailFinding } from '../../../shared/check/finding.ts';
import { emailParts } from '../../../shared/check/message.ts';
import { severities } from '../../../shared/check/severity.ts';
import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';

/** What `--json` shows of the check of an email. */

export const emailFinding = lenientObject({
  code: z
    .templateLiteral(['support/', z.string()])
    .or(z.string())
    .describe('what it is about, see docs/check.md; `--ignore` takes it'),
  severity: z.enum(severities),
  where: z.enum(emailParts).describe('the part of the email, or the file itself'),
  file: z
    .string()
    .exactOptional()
    .describe('the file to correct; with one file, only if it is another, such as a layout'),
  line: z.number().exactOptional().describe('of the first place, from 1'),
  column: z.number().exactOptional().describe('in characters, from 1'),
  count: z.number().describe('the number of places'),
  emails: z.number().exactOptional().describe('with `--rows`: the number of emails that have it'),
  rows: z.array(z.number()).exactOptional().describe('with `--rows`: the first of their rows'),
  message: z.string().describe('a sentence'),
  share: z
    .number()
    .exactOptional()
    .describe('percent of people whose mail program does not support it'),
  url: z.string().describe('the page that explains it'),
}) satisfies z.ZodType<EmailFinding>;

const outcome = {
  ok: z.boolean().describe('whether no finding has the severity of `--fail-on`'),
  summary: lenientObject({ error: z.number(), warning: z.number(), info: z.number() }).describe(
    'the number of findings of each severity',
  ),
};

const checkedFile = lenientObject({
  file: z.string().nullable().describe('null if flags gave the email'),
  kind: z.enum(['email', 'campaign']),
  ...outcome,
});

const findings = z.array(emailFinding);

export const checkReply = checkedFile.extend({ findings });

const skippedFile = lenientObject({ file: z.string(), why: z.string() });

export const checkedFilesReply = lenientObject({
  files: z.array(checkedFile).describe('the files that were checked'),
  skipped: z.array(skippedFile).describe('files in directories that were not checked'),
  ...outcome,
  findings: findings.describe('of all files; each names its file'),
});

export const checkedRowsReply = checkReply.extend({
  rows: z.number().describe('the number of rows'),
});

export type CheckReply = ReadonlyInfer<typeof checkReply>;
export type SkippedFile = ReadonlyInfer<typeof skippedFile>;
