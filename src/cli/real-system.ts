import { InterruptedError, TerminatedError, UsageError } from '../lib/base/errors.ts';
import { cannotBeWritten } from '../lib/base/files/file-errors.ts';
import { ClosedPipe, type EmbeddedService, type System } from '../lib/base/system/system.ts';
import { attempt } from '../shared/attempt.ts';
import { mayBeTerminal, openStdout } from './stdout.ts';

/** This process, its terminal, clock and network. test/structure.test.ts names other users of `process`. */
export function realSystem(): System {
  const { signal, stdout, stderr } = watchProcess();
  // Determined only when needed, because it takes longer than most commands.
  const timeZone = lazily(localTimeZone);
  const tlsReady = lazily(prepareTls);
  const system: System = {
    env: process.env,
    platform: process.platform,
    node: {
      version: process.versions.node,
      bun: process.versions.bun,
      executable: process.execPath,
      arch: process.arch,
    },
    get cwd() {
      return currentDirectory();
    },
    get homeDirectory() {
      return homeDirectory();
    },
    get accountHome() {
      return account()?.homedir;
    },
    user: process.geteuid?.(),
    get userName() {
      return account()?.username;
    },
    get hostName() {
      return process.getBuiltinModule('node:os').hostname();
    },
    get timeZone() {
      return timeZone();
    },
    // Node makes each stream when it is first used, which takes a few milliseconds.
    get stdin() {
      return openStdin();
    },
    stdout,
    get stderr() {
      return stderr();
    },
    get stderrIsTerminal() {
      return mayBeTerminal(2) && stderr().isTTY;
    },
    now: Date.now,
    // libuv's uv_hrtime, which its timers also use. On Linux it stands still while the machine sleeps, so a
    // wait continues afterwards with its remaining time; on macOS and Windows it does not stand still.
    monotonic: () => performance.now(),
    sleep,
    spinnerDelay: 250,
    conversionTime: 30_000,
    random: Math.random,
    // The global `crypto`, because node:crypto takes longer to load than everything else here.
    uuid: () => crypto.randomUUID(),
    watchParent,
    signal,
    runShell: async (commandLine, within) => {
      const { runShell } = await import('../lib/base/terminal/run-shell.ts');
      const either = within === undefined ? signal : AbortSignal.any([signal, within]);
      return await runShell(commandLine, either);
    },
    startNode: async (script) => {
      const { startNode } = await import('../lib/base/terminal/start-node.ts');
      const { node, cwd } = system;
      return startNode(script, { node, cwd, env: process.env, signal });
    },
    openPage: async (pages) => {
      const { openPage } = await import('../lib/base/terminal/open-page.ts');
      return await openPage(pages, process, process.getBuiltinModule('node:os').tmpdir());
    },
    editText: async (kind) => {
      const { editText } = await import('../lib/base/terminal/edit-text.ts');
      const { env, platform } = process;
      return await editText(
        { env, platform, signal },
        kind,
        process.getBuiltinModule('node:os').tmpdir(),
      );
    },
    openUrl: async (url) =>
      (await import('../lib/base/terminal/open-page.ts')).openUrl(url, process),
    network: async (options) =>
      (await import('../lib/service/http/network/transport.ts')).openNetwork(options, tlsReady),
    dns: async (options) =>
      (await import('../lib/service/http/network/dns-resolver.ts')).openDns(options),
    probes: async () => {
      await tlsReady();
      return (await import('../lib/service/http/network/network-probes.ts')).openProbes();
    },
    pages: async () => {
      await tlsReady();
      return (await import('../lib/service/http/network/public-pages.ts')).openPages();
    },
    sandbox: openSandboxTransport,
  };
  return system;
}

function watchParent(): () => boolean {
  const parent = process.ppid;
  return () => {
    // Elsewhere than on Windows, a process whose parent has ended gets another one.
    if (process.ppid !== parent) return false;
    try {
      process.kill(parent, 0);
      return true;
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code !== 'ESRCH';
    }
  };
}

/** A directory as stdin fails when it is read. Node would give an empty stream for it. */
function openStdin(): System['stdin'] {
  const { createReadStream, fstatSync } = process.getBuiltinModule('node:fs');
  try {
    if (fstatSync(0).isDirectory()) return createReadStream('', { fd: 0, autoClose: false });
  } catch {
    // It is closed.
  }
  return process.stdin;
}

/** Read only when needed, because the directory may have been removed and most commands do not use it. */
function currentDirectory(): string {
  try {
    return process.cwd();
  } catch {
    throw new UsageError('The current directory is gone; change to another one.');
  }
}

/** Ignores an empty HOME, which would put files below the current directory. */
function homeDirectory(): string | undefined {
  const { homedir, userInfo } = process.getBuiltinModule('node:os');
  // Without HOME, Node looks in the user database, which may not have this user.
  return attempt(() => (process.env.HOME === '' ? userInfo().homedir : homedir()), undefined);
}

/** The entry of the user database. */
function account(): { readonly username: string; readonly homedir: string } | undefined {
  // Bun has them from the environment, which anybody sets.
  if (process.versions.bun !== undefined && process.platform !== 'win32') return accountInFile();
  // The user database may not have this user's number.
  return attempt(() => process.getBuiltinModule('node:os').userInfo(), undefined);
}

/** The same from the file that systems without a directory service have. */
function accountInFile() {
  const { readFileSync } = process.getBuiltinModule('node:fs');
  const lines = attempt(() => readFileSync('/etc/passwd', 'utf8').split('\n'), []);
  const entries = lines.map((line) => line.split(':'));
  const found = entries.find(([, , user]) => user === String(process.geteuid?.()));
  const [username, , , , , homedir] = found ?? [];
  return username && homedir ? { username, homedir } : undefined;
}

/** The machine's time zone, or UTC if `TZ` is unknown. */
function localTimeZone(): string {
  // Node's name for an unknown zone in some versions; newer ones leave the name out.
  const { timeZone = 'Etc/Unknown' }: Partial<Intl.ResolvedDateTimeFormatOptions> =
    Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

/** Call it before the first connection, when Node would warn that certificates are not verified. They are. */
async function prepareTls(): Promise<void> {
  const { env, versions } = process;
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    (await import('../shared/without-warning.ts')).neverWarnOfUnverifiedTls();
  }
  if (env.SSL_CERT_FILE) {
    const { trustCertificateFile } = await import(
      '../lib/service/http/network/certificate-file.ts'
    );
    trustCertificateFile(env.SSL_CERT_FILE, versions);
  }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  const { setTimeout } = process.getBuiltinModule('node:timers/promises');
  try {
    await setTimeout(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Output streams, and a signal that aborts at the first SIGINT or SIGTERM, or when nobody reads stdout. */
function watchProcess() {
  const controller = new AbortController();
  for (const [name, reason] of [
    ['SIGINT', new InterruptedError('Interrupted.')],
    ['SIGTERM', new TerminatedError('Terminated.')],
  ] as const) {
    // The listener runs once, so a second Ctrl-C ends the process. It is removed later than by
    // `process.once`: signal-exit, which ora needs to restore the cursor, ends the process when there are no
    // other listeners.
    const listener = () => {
      controller.abort(reason);
      setImmediate(() => process.off(name, listener));
    };
    process.on(name, listener);
  }
  const onOutputError = (error: NodeJS.ErrnoException) => {
    controller.abort(error.code === 'EPIPE' ? new ClosedPipe() : cannotBeWritten('stdout', error));
  };
  return {
    signal: controller.signal,
    stdout: openStdout(process.platform, () => process.stdout.on('error', onOutputError)),
    // stderr itself failed, so nobody can be told.
    stderr: lazily(() => process.stderr.on('error', () => {})),
  };
}

/** A function that calls `make` at its first call and keeps the result. */
function lazily<Value>(make: () => Value): () => Value {
  let value: { readonly made: Value } | undefined;
  return () => {
    value ??= { made: make() };
    return value.made;
  };
}

/** Opens the embedded service in this process: requests and responses never touch a socket. */
async function openSandboxTransport(
  directory: string,
  key: string | undefined,
): Promise<EmbeddedService> {
  const { openLocalAccount } = await import('../local-service/data.ts');
  const { inProcess } = await import('../lib/service/http/network/in-process.ts');
  const { languageIn } = await import('../local-service/start-flags.ts');
  const { readMark } = await import('../local-service/sandbox-mark.ts');
  // Links in emails lead to the server of the same data, if one is running.
  const linkOrigin = (await readMark(directory))?.url;
  const language = languageIn(process.env.MAILER_SANDBOX_LANGUAGE);
  const options = { directory, now: Date.now, linkOrigin, language };
  const { sandbox, account } = await openLocalAccount(options, key);
  return {
    apiKey: account.apiKey,
    now: account.now,
    dns: { lookUp: async (...question) => account.lookUp(...question) },
    sentCall: account.sentCall,
    sentCalls: account.sentCalls,
    baseUrl: 'http://sandbox.localhost/api',
    transport: inProcess(sandbox),
  };
}
