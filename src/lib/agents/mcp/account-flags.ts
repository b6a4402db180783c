import type { CommandModel } from '../../command-line/command/command-model.ts';
import type { CommonFlags } from '../../command-line/command/flags/common-flags.ts';

/** The flags of the server that choose an account and reach it, as far as a command has them. */
export function flagsOfAccount(flags: CommonFlags, model: CommandModel): readonly string[] {
  const { sandbox, profile, baseUrl, allowHttp, timeout, retries } = flags;
  const given = {
    '--sandbox': sandbox,
    '--profile': profile,
    '--base-url': baseUrl,
    '--allow-http': allowHttp,
    '--timeout': timeout === undefined ? undefined : `${timeout}ms`,
    '--retries': retries,
  };
  const known = new Set(model.flags.map(({ name }) => name));
  return Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || !known.has(name)) return [];
    return value === true ? [name] : [`${name}=${value}`];
  });
}
