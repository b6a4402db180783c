import { UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';
import { isQuoted } from '../../base/text/is-quoted.ts';

/**
 * Throws a `UsageError` if the value of a variable of the program has quotes around it: `docker run --env-file` and
 * systemd's `Environment=` keep them, where a shell would remove them. No value begins and ends with a quote.
 */
export function refuseQuotedVariables(env: System['env']): void {
  const quoted = Object.keys(env).find(
    (name) => name.startsWith('MAILER_') && isQuoted(env[name] ?? ''),
  );
  if (quoted === undefined) return;
  throw new UsageError(`${quoted}: its value begins and ends with quotes`, {
    hint: 'Remove them where the variable is set. A file for docker --env-file has none around values.',
  });
}
