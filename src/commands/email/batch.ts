import type { SendBody } from '../../api/email.ts';
import { limits } from '../../api/limits.ts';
import type { Reply } from '../../api/operations.ts';
import { senderSettings } from '../../lib/address-flags.ts';
import { defineCommand } from '../../lib/command.ts';
import type { Context } from '../../lib/context.ts';
import { addressees } from '../../lib/email/recipients.ts';
import { idempotencyKeyFlag } from '../../lib/email/send-flags.ts';
import { waitFlags, waitOptions } from '../../lib/email/wait-flags.ts';
import { BadReplyError, UsageError } from '../../lib/errors.ts';
import { readJson } from '../../lib/json-input.ts';
import { isObject } from '../../lib/output/fields.ts';
import { done, list, type Result } from '../../lib/output/result.ts';
import { type Settled, withRepeatCommand } from '../../lib/repeat-command.ts';
import { scheduledTime } from '../../lib/scheduled-time.ts';

export const command = defineCommand({
  writes: true,
  lists: true,
  examples: [
    ['mailer email batch emails.json', 'Send up to 100 emails, all or none'],
    [
      'make-emails | mailer email batch - --quiet',
      'Send what a program prints; print only the ids',
    ],
    [
      'mailer email batch emails.json --wait --csv',
      'Follow each to its delivery; as a spreadsheet',
    ],
  ],
  flags: (command) =>
    command
      .argument('<file>', 'JSON array of requests as for email send --file, - for stdin')
      .option('--allow-past', 'let scheduledAt be in the past, which sends at once')
      .option(...idempotencyKeyFlag)
      .option(...waitFlags.wait)
      .option(...waitFlags.waitTimeout),
  async run(context, options, path) {
    const wait = await waitOptions(options);
    const rows = await readRows(context, path);
    const sender = await senderSettings(context);
    const body = await Promise.all(
      rows.map((row, index) => settle(row, index, sender, context, options.allowPast === true)),
    );
    // Made here and not by the client, to be known when the reply turns out not to fit.
    const { idempotencyKey = context.system.uuid() } = options;
    try {
      const keyIsNew = options.idempotencyKey === undefined;
      const reply = await context.call('email.batch', { body }, { idempotencyKey, keyIsNew });
      const ids = reply.data.map(({ emailId }) => emailId);
      if (ids.length !== body.length) throw wrongNumber(ids.length, body.length, idempotencyKey);
      if (wait !== undefined) {
        const { waitForAll } = await import('../../lib/email/wait-all.ts');
        const sent = body.map((email, index) => ({
          id: ids[index] ?? '',
          sentTo: addressees(email),
        }));
        return { ...(await waitForAll(context, sent, wait)), done: ids };
      }
      const message = `Accepted ${ids.length} of ${body.length} emails.`;
      const { jsonl, csv } = context.flags;
      if (jsonl === true || csv === true) return listAccepted(reply, message);
      return done({ reply, ids, message });
    } catch (error) {
      const condition = `${settingsUsed(rows, sender)}${timesToWrite(rows, body)}`;
      const settled = await settledTimes(rows, context);
      throw withRepeatCommand(error, context, settled, condition);
    }
  },
});

/** The accepted emails, for the formats that are lists. */
function listAccepted(reply: Reply<'email.batch'>, message: string): Result {
  return list<{ emailId: string }>({
    pages: [{ reply, rows: reply.data }],
    rowsIn: 'data',
    columns: [{ field: 'emailId', header: 'Id', cell: ({ emailId }) => emailId }],
    id: ({ emailId }) => emailId,
    done: reply.data.map(({ emailId }) => emailId),
    empty: message,
    note: () => message,
  });
}

type Sender = Awaited<ReturnType<typeof senderSettings>>;

/** A reply that does not say which emails were accepted. */
function wrongNumber(ids: number, emails: number, idempotencyKey: string): BadReplyError {
  const message = `The answer does not hold one id for each email: ${ids} for ${emails}.`;
  const error = new BadReplyError(message, { idempotencyKey });
  error.outcomeUnknown = true;
  return error;
}

/** Flags under which the times in the file mean the same moments again. */
async function settledTimes(rows: readonly unknown[], context: Context): Promise<Settled> {
  if (!rows.some((row) => isObject(row) && typeof row.scheduledAt === 'string')) return {};
  return { '--timezone': await context.timeZone(), '--allow-past': true };
}

/** Which settings gave rows a field, as there are no flags for it. */
function settingsUsed(rows: readonly unknown[], sender: Sender): string {
  const used = Object.entries(sender)
    .filter(([field]) => rows.some((row) => isObject(row) && !Object.hasOwn(row, field)))
    .map(
      ([field, value]) =>
        `${field === 'replyTo' ? 'reply-to' : field}=${[value].flat().join(', ')}`,
    );
  return used.length === 0 ? '' : `, with the settings ${used.join(' and ')}`;
}

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

/** A row with the sender of the settings where it names none, and with an exact time. */
async function settle(
  row: unknown,
  index: number,
  sender: Sender,
  context: Context,
  allowPast: boolean,
): Promise<SendBody> {
  const name = `row ${index + 1}: scheduledAt`;
  const settled = !isObject(row)
    ? row
    : {
        ...sender,
        ...row,
        ...(typeof row.scheduledAt === 'string'
          ? { scheduledAt: await scheduledTime(row.scheduledAt, context, name, allowPast) }
          : {}),
      };
  // The client checks every row against the contract before anything is sent.
  return settled as SendBody;
}
