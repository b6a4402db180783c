import type { SendBody } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { UsageError } from '../../lib/errors.ts';
import { readJson } from '../../lib/json-input.ts';
import { isObject } from '../../lib/output/fields.ts';
import { done } from '../../lib/output/result.ts';
import { withRepeatCommand } from '../../lib/repeat-command.ts';
import { scheduledTime } from '../../lib/scheduled-time.ts';

export const command = defineCommand({
  writes: true,
  examples: [
    ['mailer email batch emails.json', 'Send up to 100 emails, all or none'],
    [
      'make-emails | mailer email batch - --quiet',
      'Send what a program prints; print only the ids',
    ],
  ],
  flags: (command) =>
    command
      .argument('<file>', 'JSON array of requests as for email send --file, - for stdin')
      .option('--allow-past', 'let scheduledAt be in the past, which sends at once')
      .option(
        '--idempotency-key <key>',
        'send once under this key, however often it is repeated within 24 hours',
      ),
  async run(context, options, path) {
    const rows = await readRows(context, path);
    const body = await Promise.all(
      rows.map((row, index) => settleTime(row, index, context, options.allowPast === true)),
    );
    const { idempotencyKey } = options;
    try {
      const reply = await context.call('email.batch', { body }, { idempotencyKey });
      const ids = reply.data.map(({ emailId }) => emailId);
      return done({ reply, ids, message: `Accepted ${ids.length} of ${body.length} emails.` });
    } catch (error) {
      throw withRepeatCommand(error, context, {}, timesToWrite(rows, body));
    }
  },
});

/** What to change in the file before it is sent again: times that would mean another moment then. */
function timesToWrite(rows: readonly unknown[], body: readonly SendBody[]): string {
  const lines = rows.flatMap((row, index) => {
    const written = isObject(row) ? row.scheduledAt : undefined;
    const isExact = typeof written !== 'string' || /^\d{4}-\d\d-\d\d/.test(written.trim());
    return isExact ? [] : [`row ${index + 1}: scheduledAt ${body[index]?.scheduledAt}`];
  });
  return lines.length === 0 ? '' : `, once these times stand in FILE\n${lines.join('\n')}`;
}

async function readRows(context: Context, path: string): Promise<unknown[]> {
  const value = await readJson(path, context.files, 'FILE');
  const name = path === '-' ? 'stdin' : path;
  if (!Array.isArray(value)) throw new UsageError(`${name} does not hold a JSON array`);
  if (value.length === 0) throw new UsageError(`${name} holds no emails`);
  if (value.length > limits.emailsPerBatch) {
    throw new UsageError(
      `${name} holds ${value.length} emails; a batch has at most ${limits.emailsPerBatch}`,
    );
  }
  return value;
}

async function settleTime(
  row: unknown,
  index: number,
  context: Context,
  allowPast: boolean,
): Promise<SendBody> {
  const settled =
    isObject(row) && typeof row.scheduledAt === 'string'
      ? {
          ...row,
          scheduledAt: await scheduledTime(
            row.scheduledAt,
            context,
            `row ${index + 1}: scheduledAt`,
            allowPast,
          ),
        }
      : row;
  // The client checks every row against the contract before anything is sent.
  return settled as SendBody;
}
