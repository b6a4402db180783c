import { InternalError, MailerError } from '../../base/errors.ts';
import { escapeJson, visible } from '../../base/text/visible.ts';

/**
 * Any thrown value as a typed error. A value without a class of its own is a defect of this
 * program.
 */
export function toMailerError(error: unknown): MailerError {
  if (error instanceof MailerError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new InternalError(`Bug in mailer: ${message}`, {
    cause: error,
    hint: 'Run the command again with --debug and report the output.',
  });
}

/**
 * An error for people. Later lines of the message are indented, so that none looks like our hint.
 */
export function errorText(error: MailerError, color: boolean): string {
  const { hint, requestId, idempotencyKey } = error.details;
  const lines = [`Error: ${error.message.replace(/\n(?! )/g, '\n  ')}`];
  if (idempotencyKey !== undefined) lines.push(`Idempotency-Key: ${idempotencyKey}`);
  if (requestId !== undefined) lines.push(`Request id: ${requestId}`);
  if (hint !== undefined) lines.push(`Hint: ${hint}`);
  const text = lines
    .flatMap((line) => line.split('\n'))
    .map(visible)
    .join('\n');
  const start = color ? '\x1b[31mError:\x1b[39m' : 'Error:';
  return `${text.replace('Error:', start)}\n`;
}

/**
 * An error for scripts: one JSON object, on one line unless a person reads it. `next` is a command that is safe to run,
 * word by word.
 */
export function errorJson(
  error: MailerError,
  { indent, next }: { readonly indent: boolean; readonly next?: readonly string[] | undefined },
): string {
  const { status, apiCode, issues, refusal, hint, requestId, idempotencyKey, ids, run } =
    error.details;
  const { unreachableSince, last, outbox } = error.details;
  const known = { status, apiCode, issues, ...refusal, unreachableSince, last, hint, next };
  const more = { requestId, idempotencyKey, ids, run, outbox };
  const document = { error: { code: error.code, message: error.message, ...known, ...more } };
  return `${escapeJson(JSON.stringify(document, null, indent ? 2 : 0))}\n`;
}
