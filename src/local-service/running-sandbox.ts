import type { Context } from '../lib/command-line/command/context.ts';
import { type RunningSandbox, readMark } from './sandbox-mark.ts';

/** The address at which the sandbox of this directory is served; undefined if it does not respond. */
export async function runningSandbox(
  context: Context,
  directory: string,
): Promise<RunningSandbox | undefined> {
  const mark = await readMark(directory);
  if (mark === undefined) return undefined;
  const front = await askSandbox(context, mark.url, 2000);
  // Another program may use the port by now.
  return front?.includes('sandbox of an email delivery service') === true ? mark : undefined;
}

/** Fetches a page of a served sandbox, which first runs due jobs; undefined without a response. */
export async function askSandbox(
  context: Context,
  address: string,
  within: number,
): Promise<string | undefined> {
  const url = URL.parse(address);
  if (url === null) return undefined;
  const { platform, node } = context.system;
  const network = await context.system.network({ env: {}, platform, node });
  try {
    const request = { method: 'GET', url, headers: {} };
    const signal = AbortSignal.any([context.system.signal, AbortSignal.timeout(within)]);
    const { status, body } = await network.send(request, signal);
    return status === 200 ? body : undefined;
  } catch {
    return undefined;
  } finally {
    await network.close();
  }
}
