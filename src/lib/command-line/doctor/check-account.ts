import { MailerError, when } from '../../base/errors.ts';
import type { ConfigInspection } from '../../service/account/config/inspect.ts';
import { resolveAccount } from '../../service/account/resolve-account.ts';
import type { Context } from '../command/context.ts';

/** The account, as far as it could be found. */
export type FoundAccount = ReturnType<typeof findAccount>;

/** Finds URL and key as every command does; a key command may take `timeout` milliseconds. */
export function findAccount(
  { system, flags }: Context,
  { config }: ConfigInspection,
  timeout: number,
) {
  /** Sentences about what was ignored. */
  const ignored: string[] = [];
  const account = resolveAccount({
    flags,
    env: system.env,
    config,
    runShell: (commandLine) => system.runShell(commandLine, AbortSignal.timeout(timeout)),
    warn: (text) => ignored.push(text),
  });
  const url = errorOr(() => account.service());
  /** Not read while there is no URL to send it to. */
  const key = async () => (url instanceof MailerError ? undefined : await account.key());
  return { account, url, key: key().catch(expected), ignored };
}

function errorOr<Value>(work: () => Value): Value | MailerError {
  try {
    return work();
  } catch (error) {
    return expected(error);
  }
}

const expected = when(MailerError, (error) => error);
