import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Context } from '../../command/context.ts';
import type { CommonFlags } from '../../command/flags/common-flags.ts';
import type { SendingFlags } from '../flags.ts';

/**
 * How a run is sent, as the command line said that last sent it: what `mailer run resume` repeats. No
 * key is in it, and nothing that was decided once, such as `--yes`, `--again` or `--resend-unknown`.
 */
export interface RecordedLine {
  /** Flags that every command has; the profile also where no flag named it and the key was its key. */
  readonly common: CommonFlags;
  /** Flags about sending; the path of `--results` is absolute. */
  readonly sending: SendingFlags;
}

/** What to write down of a command line, beside the base URL that its account has. */
export async function lineToRecord(
  { flags, system, account }: Pick<Context, 'flags' | 'system' | 'account'>,
  { keepGoing, results, concurrency, rate, wait, waitTimeout }: SendingFlags,
): Promise<RecordedLine> {
  const { baseUrl, allowHttp, timeout, retries, csvSafe } = flags;
  const { profile, keySource, ...known } = await account();
  const isOfProfile = profile !== undefined && keySource !== 'MAILER_API_KEY';
  const path = results === undefined ? undefined : resolve(system.cwd, results);
  return {
    common: present({
      ...{ allowHttp, timeout, retries, csvSafe },
      profile: isOfProfile ? profile : flags.profile,
      // As the account has it, without what else a URL may hold.
      baseUrl: baseUrl ? known.baseUrl : undefined,
    }),
    sending: present({
      ...{ keepGoing, concurrency, rate, wait, waitTimeout },
      results: path !== undefined && isKept(path) ? path : undefined,
    }),
  };
}

/** Whether a path means the same later on: a pipe is gone by then. */
function isKept(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}

type Present<Values> = { [Name in keyof Values]?: Exclude<Values[Name], undefined> };

function present<Values extends object>(values: Values): Present<Values> {
  // What is undefined is left out.
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Present<Values>;
}
