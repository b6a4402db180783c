import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { defined } from '../../../base/json/defined.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { CommonFlags } from '../../../command-line/command/flags/common-flags.ts';
import type { BulkFlags, SendingFlags } from '../flags.ts';

/**
 * How a run is sent, from the command line that last sent it: what `mailer run resume` repeats. It has no
 * key, and nothing that was decided once, such as `--yes`, `--again` or `--resend-unknown`.
 */
export interface RecordedLine {
  /** Flags that every command has; also the profile, if its key was used without a flag that named it. */
  readonly common: CommonFlags;
  /** Flags about sending; the path of `--results` is absolute. */
  readonly sending: SendingFlags;
  /** What made its emails; undefined for a run of a version that did not record it. */
  readonly content?: RecordedContent | undefined;
}

/** What the emails of a run were made from besides its input: what `mailer run retry` repeats. */
export interface RecordedContent {
  /** Flags that change an email, or which rows become one. */
  readonly flags: BulkFlags;
  /** Where relative paths in them start. */
  readonly directory: string;
  readonly timezone: string | undefined;
  readonly encoding?: string | undefined;
}

/** Flags that change no email: they were decided once, or are about sending. */
const notContent: readonly (keyof BulkFlags)[] = [
  ...(['again', 'allowEmpty', 'check', 'expect', 'expectRows', 'open', 'preview', 'row'] as const),
  ...(['shard', 'keepGoing', 'results', 'concurrency', 'rate', 'sameAccount'] as const),
  ...(['resendUnknown', 'wait', 'waitTimeout', 'heartbeat'] as const),
];

/** What to record of the content of a run. */
export function contentToRecord(
  { flags, system }: Pick<Context, 'flags' | 'system'>,
  given: BulkFlags,
): RecordedContent {
  const isContent = ([name]: [string, unknown]) => !notContent.some((one) => one === name);
  const kept = Object.fromEntries(Object.entries(given).filter(isContent));
  const { timezone, encoding } = flags;
  return { flags: kept, directory: system.cwd, timezone, encoding };
}

/** What to record of a command line, in addition to its account's base URL. */
export async function lineToRecord(
  { flags, system, account }: Pick<Context, 'flags' | 'system' | 'account'>,
  { keepGoing, results, concurrency, rate, wait, waitTimeout }: SendingFlags,
): Promise<RecordedLine> {
  const { baseUrl, allowHttp, timeout, retries, csvSafe } = flags;
  const { profile, keySource, ...known } = await account();
  const isOfProfile = profile !== undefined && keySource !== 'MAILER_API_KEY';
  const path = results === undefined ? undefined : resolve(system.cwd, results);
  return {
    common: defined({
      ...{ allowHttp, timeout, retries, csvSafe },
      profile: isOfProfile ? profile : flags.profile,
      // As the account uses it, without other parts that a URL may have.
      baseUrl: baseUrl ? known.baseUrl : undefined,
    }),
    sending: defined({
      ...{ keepGoing, concurrency, rate, wait, waitTimeout },
      results: path !== undefined && isKept(path) ? path : undefined,
    }),
  };
}

/** The flags of every command with which a run goes on. */
export function recordedCommon(
  { flags, system }: Pick<Context, 'flags' | 'system'>,
  { common: { profile, ...common } }: RecordedLine,
): CommonFlags {
  // A key in the environment is for the URL that is given with it; the profile would replace that key.
  if (profile === undefined || (flags.baseUrl && system.env.MAILER_API_KEY)) return common;
  return { ...common, profile };
}

/** Whether a path will mean the same later: a pipe will be gone. */
function isKept(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() !== false;
}
