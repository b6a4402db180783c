import type { RunningSandbox } from './sandbox-mark.ts';
import type { System } from './system.ts';

/** Where the sandbox in `directory` is served, if the server that its note names answers. */
export async function servedSandbox(
  system: Pick<System, 'network'>,
  directory: string,
): Promise<RunningSandbox | undefined> {
  const { readMark } = await import('./sandbox-mark.ts');
  const mark = await readMark(directory);
  const url = mark === undefined ? null : URL.parse(mark.url);
  if (mark === undefined || url === null) return undefined;
  const network = await system.network({ env: {} });
  try {
    const request = { method: 'GET', url, headers: {} };
    const { status, body } = await network.send(request, AbortSignal.timeout(2000));
    // Another program may have the port by now.
    return status === 200 && body.includes('sandbox of an email delivery service')
      ? mark
      : undefined;
  } catch {
    return undefined;
  } finally {
    await network.close();
  }
}
