import { UsageError } from '../lib/errors.ts';
import { type Served, type ServeOptions, serve } from '../sandbox/http/serve.ts';
import type { Sandbox } from '../sandbox/open.ts';

type Place = Omit<ServeOptions, 'fetch' | 'refused'> & { readonly host: string };

/** Loads what is usually loaded by a first request: an update may delete these files meanwhile. */
async function loadAll(): Promise<void> {
  await Promise.all([
    import('../sandbox/inbox/inbox.ts'),
    import('../sandbox/unsubscribe/routes.ts'),
    import('../sandbox/http/openapi.ts'),
    import('chrono-node'),
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
}

/**
 * Serves the sandbox that `open` opens. The port comes first: a second server must not delete the data,
 * or move the clock, of the one that has it. A `UsageError` without the port, or an error of `open`.
 */
export async function serveSandbox(
  place: Place,
  open: () => Promise<Sandbox>,
): Promise<{ readonly served: Served; readonly sandbox: Sandbox }> {
  let opening: Promise<Sandbox> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  const fetch = async (request: Request) => (await opened()).fetch(request);
  const refused: ServeOptions['refused'] = async (request) => (await opened()).refused(request);
  await loadAll();
  const served = await serve({ ...place, fetch, refused }).catch((error: unknown) => {
    throw cannotListen(error, place);
  });
  try {
    return { served, sandbox: await opened() };
  } catch (error) {
    await served.close();
    throw error;
  }
}

function cannotListen(error: unknown, { host, port }: Place): UsageError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new UsageError(`Cannot listen on ${host}:${port}: the port is in use`, {
      hint: 'Something else listens there, perhaps another sandbox. --port 0 takes any free port.',
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  const hint =
    code === 'EACCES'
      ? 'Ports below 1024 are for administrators; --port 0 takes any free port.'
      : '--host is an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.';
  return new UsageError(`Cannot listen on ${host}: ${why}`, { hint, cause: error });
}
