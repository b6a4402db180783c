import type { Context } from './context.ts';
import { MailerError } from './errors.ts';
import { shellQuote } from './text/shell-quote.ts';

/**
 * The command line that repeats this one under the same idempotency key, quoted for the shell.
 * `settled` are flags whose values came from elsewhere or had to be made exact, so that the second
 * request has the same body as the first.
 */
export function repeatCommand(
  context: Pick<Context, 'argv' | 'system'>,
  idempotencyKey: string,
  settled: Readonly<Record<string, string>>,
): string {
  const replaced = { ...settled, '--idempotency-key': idempotencyKey };
  const words: string[] = [];
  const { argv } = context;
  for (let index = 0; index < argv.length; index++) {
    const word = argv[index] ?? '';
    if (Object.hasOwn(replaced, word)) index++;
    else if (!Object.keys(replaced).some((flag) => word.startsWith(`${flag}=`))) words.push(word);
  }
  const added = Object.entries(replaced).flat();
  return shellQuote(['mailer', ...words, ...added], context.system.platform);
}

/** Adds the command that repeats a send safely to an error that leaves its outcome unknown. */
export function withRepeatCommand(
  error: unknown,
  context: Pick<Context, 'argv' | 'system'>,
  settled: Readonly<Record<string, string>>,
): unknown {
  if (!(error instanceof MailerError) || !error.outcomeUnknown) return error;
  const { idempotencyKey } = error.details;
  if (idempotencyKey === undefined) return error;
  const again = repeatCommand(context, idempotencyKey, settled);
  const hint = `It may have been accepted all the same. This repeats it without sending it twice, for 24 hours:\n${again}`;
  error.details = { ...error.details, hint };
  return error;
}
