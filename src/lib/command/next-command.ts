import { shellQuote } from '../text/shell-quote.ts';
import { visible } from '../text/visible.ts';
import type { Context } from './context.ts';

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
  // One line, whatever the service has put into an id.
  return visible(shellQuote(['mailer', ...words, ...account], system));
}
