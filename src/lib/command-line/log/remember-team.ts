import { attempt } from '../../../shared/attempt.ts';
import { type LogReader, withLog } from './find-in-log.ts';

/** How the log tells accounts apart; it keeps only digests of this. */
export function accountName(baseUrl: string, apiKey: string | undefined): string {
  return JSON.stringify([baseUrl, apiKey ?? null]);
}

/** Stores to which team a key belongs, once a command has learnt it. Never throws: nothing depends on it. */
export function rememberTeam(
  { flags, system }: LogReader,
  account: string,
  team: string | number | null | undefined,
): void {
  if (team === undefined || team === null || system.env.MAILER_LOG === 'off') return;
  attempt(
    () => withLog({ flags, system }, (store) => store.rememberTeam(account, String(team))),
    undefined,
  );
}
