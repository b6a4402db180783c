import { spawn } from 'node:child_process';
import { homedir, tmpdir, userInfo } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { InternalError, InterruptedError, TerminatedError } from './lib/errors.ts';
import { ClosedPipe, type Sandbox, type System } from './lib/system.ts';

/**
 * The real system: this process, its terminal, the clock, the network. The only place that reads
 * `process` besides `bin/`.
 */
export function realSystem(): System {
  const signal = abortSignal();
  return {
    env: process.env,
    platform: process.platform,
    node: { version: process.versions.node, executable: process.execPath },
    cwd: process.cwd(),
    // An empty HOME would put files below the current directory.
    homeDirectory: process.env.HOME === '' ? userInfo().homedir : homedir(),
    // Looked up only when it is needed: that takes longer than most commands.
    get timeZone() {
      return localTimeZone();
    },
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    now: Date.now,
    sleep,
    random: Math.random,
    // The global one: node:crypto takes longer to load than all the rest here.
    uuid: () => crypto.randomUUID(),
    saveMemory,
    signal,
    runShell: (commandLine, within) =>
      runShell(commandLine, within === undefined ? signal : AbortSignal.any([signal, within])),
    openPage: async (html) => {
      const { openPage } = await import('./lib/open-page.ts');
      return await openPage(html, process, tmpdir());
    },
    openUrl: async (url) => (await import('./lib/open-page.ts')).openUrl(url, process),
    network: async (options) => (await import('./lib/transport.ts')).openNetwork(options),
    dns: async (options) => (await import('./lib/dns.ts')).openDns(options),
    probes: async () => (await import('./lib/probes.ts')).openProbes(),
    sandbox: openSandboxTransport,
  };
}

/**
 * Has V8 collect garbage early. With the room it finds on today's machines it would let some
 * hundred megabytes pile up first; a fifth more time is what it costs. What is in buffers does not
 * count for it, so that programs that fill many of them have to say when.
 */
function saveMemory(): () => void {
  const { setFlagsFromString } = process.getBuiltinModule('node:v8');
  setFlagsFromString('--semi-space-growth-factor=1');
  setFlagsFromString('--heap-growing-percent=50');
  setFlagsFromString('--expose-gc');
  let collect: unknown;
  return () => {
    collect ??= process.getBuiltinModule('node:vm').runInNewContext('gc');
    if (typeof collect === 'function') collect({ type: 'minor' });
  };
}

/** The machine's time zone, or UTC where `TZ` names none that is known. */
function localTimeZone(): string {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  return timeZone === 'Etc/Unknown' ? 'UTC' : timeZone;
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    throw signal.aborted ? signal.reason : error;
  }
}

/** Aborted by the first SIGINT or SIGTERM, and when nobody reads stdout any more. */
function abortSignal(): AbortSignal {
  const controller = new AbortController();
  for (const [name, reason] of [
    ['SIGINT', new InterruptedError('Interrupted.')],
    ['SIGTERM', new TerminatedError('Terminated.')],
  ] as const) {
    // Once only: the second Ctrl-C ends the process as it would have without us. But not taken off
    // at once, as `process.once` does: signal-exit, which ora brings along to restore the cursor,
    // ends the process when it finds that nobody else listens.
    const listener = () => {
      controller.abort(reason);
      setImmediate(() => process.off(name, listener));
    };
    process.on(name, listener);
  }
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    controller.abort(error.code === 'EPIPE' ? new ClosedPipe() : cannotWrite(error));
  });
  // Nobody is left to be told.
  process.stderr.on('error', () => {});
  return controller.signal;
}

/** A full disk, mostly: no defect of the program, and nothing to be tried again. */
function cannotWrite(cause: NodeJS.ErrnoException): InternalError {
  return new InternalError(`stdout cannot be written: ${cause.message}`, { cause });
}

/** Bytes that are read of what a shell command prints. */
const longestOutput = 64 * 1024;

function runShell(
  commandLine: string,
  signal: AbortSignal,
): Promise<{ stdout: string; exitCode: number }> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const child = spawn(commandLine, { shell: true, stdio: ['inherit', 'pipe', 'inherit'] });
    // On a terminal Ctrl-C reaches the command too; a signal to this process alone does not. What
    // the shell has started may live on, and must not keep this process waiting.
    const stop = () => {
      child.kill();
      child.stdout.destroy();
      child.unref();
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    const chunks: Buffer[] = [];
    let size = 0;
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.byteLength;
      // What prints for ever is no command for a key; without a reader it ends.
      if (size > longestOutput) child.stdout.destroy();
    });
    child.on('error', reject);
    child.on('close', (code) => {
      signal.removeEventListener('abort', stop);
      resolve({ stdout: Buffer.concat(chunks).toString('utf8'), exitCode: code ?? 1 });
    });
  });
}

/** The embedded service in this process: requests and replies never touch a socket. */
async function openSandboxTransport(directory: string): Promise<Sandbox> {
  const { openLocalService } = await import('./local-service/data.ts');
  const { inProcess } = await import('./lib/in-process.ts');
  const { readMark } = await import('./lib/sandbox-mark.ts');
  // Links in what is sent lead to the server that shows the same data, when there is one.
  const linkOrigin = (await readMark(directory))?.url;
  const sandbox = openLocalService({ directory, now: Date.now, linkOrigin });
  return {
    apiKey: sandbox.apiKey,
    now: sandbox.now,
    baseUrl: 'http://sandbox.localhost/api',
    transport: inProcess(sandbox),
  };
}
