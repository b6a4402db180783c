import { UsageError, usageErrorOf } from '../../base/errors.ts';
import { keyFromCommand, parseApiKey } from '../../service/account/api-key.ts';
import type { Profile } from '../../service/account/config/config-types.ts';
import { assertPrivate } from '../../service/account/resolve-account.ts';
import { normalizeBaseUrl, originOf } from '../../service/http/network/base-url.ts';
import type { Context } from '../command/context.ts';

/** What a login stores. */
export interface Credentials {
  /** Without trailing slash and version. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** The command that printed the key, to be stored instead of the key. */
  readonly keyCommand: string | undefined;
  /** Whether the key may go over plain http. */
  readonly allowHttp: boolean;
}

interface KeyOptions {
  /** Whether the key is on stdin. */
  readonly withToken?: boolean | undefined;
  readonly keyCommand?: string | undefined;
}

/**
 * Base URL and key from flags, environment and stdin, else from answers to questions; `existing` is the
 * stored profile. If it may not ask, throws a `UsageError` with every missing flag. Throws an `AuthError` if
 * a key command fails or the key would go over plain http.
 */
export async function askCredentials(
  context: Context,
  { withToken = false, keyCommand: command }: KeyOptions,
  existing: Profile | undefined,
): Promise<Credentials> {
  const keyCommand = command?.trim() || undefined;
  if (withToken && keyCommand !== undefined) {
    throw new UsageError('--with-token and --key-command cannot be used together');
  }
  // Nobody can answer if stdin has the key.
  const asks = context.prompts.possible && !withToken;
  const url = givenUrl(context) ?? (asks ? undefined : existing?.baseUrl);
  const missing = [
    ...(url ? [] : ['--base-url']),
    ...(withToken || keyCommand ? [] : ['either --with-token or --key-command']),
  ];
  if (!asks && missing.length > 0) throw new UsageError(`Missing ${missing.join(', and ')}`);

  const baseUrl = url
    ? normalizeBaseUrl(url, 'base URL')
    : await askUrl(context, existing?.baseUrl);
  const isSameService = originOf(existing?.baseUrl) === originOf(baseUrl);
  const allowHttp =
    context.flags.allowHttp === true || (isSameService && existing?.allowHttp === true);
  assertPrivate(baseUrl, allowHttp);
  const apiKey = await readKey(context, withToken, keyCommand);
  return { baseUrl, apiKey, keyCommand, allowHttp };
}

function givenUrl({ flags, system }: Context): string | undefined {
  return flags.baseUrl || system.env.MAILER_BASE_URL || undefined;
}

async function askUrl({ prompts }: Context, existing: string | undefined): Promise<string> {
  const initial = existing === undefined ? {} : { initial: existing };
  return normalizeBaseUrl(
    await prompts.text('Base URL, such as https://mail.example.com or http://127.0.0.1:4100', {
      ...initial,
      check: (answer) => usageErrorOf(() => normalizeBaseUrl(answer, 'base URL'))?.message,
    }),
    'base URL',
  );
}

async function readKey(
  { system, prompts, files }: Context,
  withToken: boolean,
  keyCommand: string | undefined,
): Promise<string> {
  if (keyCommand !== undefined) {
    return await keyFromCommand(keyCommand, 'key command', (line) => system.runShell(line));
  }
  return withToken
    ? parseApiKey(await files.readText('-', '--with-token'), '--with-token')
    : parseApiKey(await prompts.secret('API key'), 'API key');
}
