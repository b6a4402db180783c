import type { Context } from './context.ts';
import { shellQuote } from './text/shell-quote.ts';

/**
 * A command line to go on with, for hints: quoted for the shell, since ids come from the service,
 * and on the same account and service as this one.
 */
export function nextCommand(
  { flags, system }: Pick<Context, 'flags' | 'system'>,
  ...words: readonly string[]
): string {
  const account = [
    ...(flags.sandbox === true ? ['--sandbox'] : []),
    ...(flags.profile ? ['--profile', flags.profile] : []),
    ...(flags.baseUrl ? ['--base-url', flags.baseUrl] : []),
  ];
  return shellQuote(['mailer', ...words, ...account], system.platform);
}
