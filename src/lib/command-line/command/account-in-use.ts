import { attempt } from '../../../shared/attempt.ts';
import { acceptedValue } from '../../service/http/outcome.ts';
import type { Context } from './context.ts';

/** The account in use, in the terms in which runs tell accounts apart. */
export type AccountInUse = Awaited<ReturnType<typeof accountInUse>>;

/** Throws like `Account`, and the error of a sandbox that does not respond. */
export async function accountInUse(context: Context) {
  const account = await context.account();
  const key = await account.key();
  const baseUrl = account.service();
  const data = isSandboxKey(key) ? await dataOfSandbox(context, baseUrl, key) : undefined;
  return {
    baseUrl,
    /** The base URL; of a sandbox its data, which is served at another port each time. */
    service: data ?? baseUrl,
    /** The key; of a sandbox with its data, because all sandboxes have the same keys. */
    secret: data === undefined ? key : `${key} ${data}`,
    /** The profile that the key is of; undefined if it is in the environment. */
    profile: account.keySource === 'MAILER_API_KEY' ? undefined : account.profile,
  };
}

/** Begins the name of a sandbox's data, which is no URL. */
const sandbox = 'sandbox ';

/** Whether a service is the data of a sandbox. */
export function isSandbox(service: string): boolean {
  return service.startsWith(sandbox);
}

/** The name of the data of the sandbox's account with this key; undefined if another service has its key. */
async function dataOfSandbox(
  context: Context,
  baseUrl: string,
  apiKey: string,
): Promise<string | undefined> {
  // Each test account of a sandbox has data of its own.
  const outside = { baseUrl: baseUrl.replace(/\/api$/, ''), apiKey };
  // A dry run, too, has to know whose records it may read.
  const client = await context.clientFor(outside, { dryRun: false });
  const request = { method: 'GET', path: '/control' } as const;
  const exchanged = await client.send(request, ({ body }) => dataIn(body));
  if (exchanged.outcome === 'refused' && exchanged.problem.status === 404) return undefined;
  return acceptedValue(exchanged);
}

function dataIn(body: string): string | undefined {
  const data: unknown = attempt(() => JSON.parse(body).data, undefined);
  return typeof data === 'string' ? `${sandbox}${data}` : undefined;
}

/** Whether an API key is one of a sandbox: all sandboxes have the same keys. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith('us_sandbox_');
}
