import { UsageError } from '../lib/base/errors.ts';
import { type ServeOptions, serve } from '../sandbox/http/serve.ts';
import type { ReceiveOptions } from '../sandbox/mail/receive/smtp-server.ts';
import type { Sandbox } from '../sandbox/open.ts';
import type { OnRequest } from './account-jobs.ts';
import type { RunningSandbox } from './sandbox-mark.ts';

type Place = Omit<ServeOptions, 'fetch' | 'refused'> & {
  readonly host: string;
  /** Where to take mail over SMTP, if anywhere. */
  readonly smtp?: Pick<ReceiveOptions, 'port' | 'tls'> | undefined;
  /** The port for DNS, if DNS is served. */
  readonly dnsPort?: number | undefined;
};

/**
 * Loads everything that later requests would load, because an update may delete these files meanwhile. It takes as long as
 * starting does, so call it once the server is ready.
 */
export async function loadAll(): Promise<void> {
  // First what every request needs.
  await import('@hono/node-server');
  await Promise.all([
    import('@hono/node-server/utils/response'),
    import('../sandbox/arrivals/message-read.ts'),
    import('../sandbox/inbox/inbox.ts'),
    import('../sandbox/unsubscribe/unsubscribe-routes.ts'),
    import('chrono-node'),
    import('nodemailer/lib/mail-composer'),
    import('nodemailer/lib/mime-funcs'),
  ]);
}

/**
 * Serves the sandbox that `open` opens. Takes the ports first, so that a second server cannot delete the data
 * or move the clock of the one that has them. Rejects with a `UsageError` if a port is taken, or with the
 * error of `open`. Calls `heard` for each message received over SMTP.
 */
export async function serveSandbox(place: Place, open: () => Promise<Sandbox>, heard: OnRequest) {
  const { host, port, smtp, dnsPort } = place;
  let opening: Promise<Sandbox> | undefined;
  const opened = () => {
    opening ??= open();
    return opening;
  };
  const servers: { close(): Promise<void> }[] = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.close()));
  };
  async function start<Server extends { close(): Promise<void> }>(
    starting: Promise<Server>,
    wanted: { readonly flag: string; readonly port: number },
  ): Promise<Server> {
    const server = await starting.catch((error: unknown) => {
      throw cannotListen(error, { host, ...wanted });
    });
    servers.push(server);
    return server;
  }
  try {
    const fetch = async (request: Request) => (await opened()).fetch(request);
    const refused: ServeOptions['refused'] = async (request) => (await opened()).refused(request);
    const served = await start(serve({ ...place, fetch, refused }), { flag: '--port', port });
    const receiver =
      smtp && (await start(receive(host, smtp), { flag: '--smtp-port', port: smtp.port }));
    const dns =
      dnsPort === undefined
        ? undefined
        : await start(resolve(host, dnsPort), { flag: '--dns-port', port: dnsPort });
    return {
      reached: {
        url: served.origin,
        baseUrl: served.url,
        smtpPort: receiver?.port,
        dnsPort: dns?.port,
      } satisfies RunningSandbox,
      port: served.port,
      sandbox: await opened(),
      /** Stops all servers after they finish their current work. */
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }

  async function receive(host: string, smtp: Pick<ReceiveOptions, 'port' | 'tls'>) {
    const { receiveMail } = await import('../sandbox/mail/receive/smtp-server.ts');
    return await receiveMail({
      host,
      ...smtp,
      store: async (email, key) => {
        const started = performance.now();
        const sandbox = await opened();
        const account = (await sandbox.account(key)) ?? sandbox;
        const id = account.receive(email);
        const path = `${id} from ${email.from}`;
        const milliseconds = performance.now() - started;
        const request = { at: account.now(), method: 'SMTP', path, status: 250, milliseconds };
        heard({ ...request, reason: null }, account.name);
        return id;
      },
      failure: async (command, key) => {
        const sandbox = await opened();
        return await ((await sandbox.account(key)) ?? sandbox).smtpFailure(command);
      },
    });
  }

  async function resolve(host: string, port: number) {
    const { serveDns } = await import('../sandbox/dns/dns-server.ts');
    const lookUp = async (name: string, type: string) => (await opened()).lookUp(name, type);
    return await serveDns({ host, port, lookUp });
  }
}

function cannotListen(
  error: unknown,
  { host, flag, port }: { readonly host: string; readonly flag: string; readonly port: number },
): UsageError {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') {
    return new UsageError(`Cannot listen on ${host}:${port}: the port is in use`, {
      hint: `Another program is listening there, perhaps another sandbox. ${flag} 0 takes any free port.`,
      cause: error,
    });
  }
  const why = error instanceof Error ? error.message : String(error);
  const hint =
    code === 'EACCES'
      ? `Ports below 1024 need administrator rights; ${flag} 0 takes any free port.`
      : '--host is an address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.';
  return new UsageError(`Cannot listen on ${host}: ${why}`, { hint, cause: error });
}
