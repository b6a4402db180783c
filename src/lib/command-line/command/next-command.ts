import { type ShellSystem, shellQuote } from '../../base/text/shell-quote.ts';
import { visible } from '../../base/text/visible.ts';
import type { CommonFlags } from './flags/common-flags.ts';

/** A command line for hints about what this machine has stored: it needs neither the profile nor the base URL. */
export function localCommand(
  { flags: { sandbox = false }, system }: Parameters<typeof nextCommand>[0],
  ...words: readonly string[]
): string {
  return nextCommand({ flags: { sandbox }, system }, ...words);
}

/**
 * A command line for hints, for the same account. Quoted for the shell, because ids may be hostile.
 */
export function nextCommand(
  { flags, system }: { readonly flags: CommonFlags; readonly system: ShellSystem },
  ...words: readonly string[]
): string {
  const account = [
    ...(flags.sandbox === true ? ['--sandbox'] : []),
    ...(flags.profile ? ['--profile', flags.profile] : []),
    ...(flags.baseUrl ? ['--base-url', flags.baseUrl] : []),
  ];
  // One line, whatever the service puts into an id.
  return visible(shellQuote(['mailer', ...words, ...account], system));
}
