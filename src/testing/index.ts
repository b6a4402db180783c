import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Account, accountAt } from './account.ts';

export type { Account, Webhook, WebhookCall } from './account.ts';
export type { Filter, Link, Mailbox, Message } from './mailbox.ts';

export interface SandboxOptions {
  /** By default any free one. */
  port?: number;
  /** Whether to accept mail over SMTP, too; or on which port. */
  smtp?: boolean | number;
  /** Whether it begins without the example data. */
  empty?: boolean;
  /** A file of seeds to begin with. */
  seed?: string;
  /** The initial time of its clock, such as `2026-01-01T00:00:00Z`. */
  clock?: string;
  /** Other flags of `mailer sandbox start`. */
  flags?: string[];
}

/** A sandbox: its own account, and others beside it. */
export interface Sandbox extends Account {
  /** The port for mail over SMTP, with `smtp`. */
  readonly smtpPort: number | undefined;
  /** An account of its own, for example for a worker. Its name has letters, digits, `_` and `-`. */
  account(name: string): Account;
}

/** A sandbox that this process started. */
export interface StartedSandbox extends Sandbox {
  /** What programs under test need: `MAILER_BASE_URL` and `MAILER_API_KEY`. */
  readonly env: { readonly MAILER_BASE_URL: string; readonly MAILER_API_KEY: string };
  /** Stops it and deletes its data. Without this, that happens when this process ends, however it ends. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/**
 * Starts a sandbox with data of its own, and resolves once it accepts requests. Rejects with what it wrote to stderr if it
 * cannot start.
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<StartedSandbox> {
  // Room for new objects from the beginning: V8 would collect garbage all through the start, for a tenth of its time.
  const room = ['--min-semi-space-size=16', '--max-semi-space-size=16'];
  const child = spawn(process.execPath, [...room, program, ...words(options)], {
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const errors: Buffer[] = [];
  child.stderr.on('data', (chunk) => errors.push(chunk));
  const first = new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).once('line', resolve);
    child.once('error', reject);
    void ended.then(() => {
      reject(new Error(`The sandbox did not start.\n${Buffer.concat(errors).toString('utf8')}`));
    });
  });
  const { url, smtpPort, apiKey } = JSON.parse(await first);
  errors.length = 0;
  child.stderr.removeAllListeners('data').resume();
  // Whoever forgets to stop it can end all the same; then it ends, too.
  child.unref();
  for (const stream of [child.stdout, child.stderr]) Reflect.get(stream, 'unref')?.call(stream);
  const stop = async () => {
    child.ref();
    child.kill();
    await ended;
  };
  const sandbox = connectSandbox(url, { apiKey, smtpPort });
  return {
    ...sandbox,
    env: { MAILER_BASE_URL: sandbox.baseUrl, MAILER_API_KEY: apiKey },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

/** A sandbox that another process started, for example the global set-up of the tests. */
export function connectSandbox(
  url: string,
  options: { apiKey?: string | undefined; smtpPort?: number | undefined } = {},
): Sandbox {
  const { apiKey = 'us_sandbox_local', smtpPort } = options;
  return {
    ...accountAt(url, apiKey),
    smtpPort,
    account(name) {
      if (/^[\w-]{1,64}$/.test(name)) return accountAt(url, `us_sandbox_test_${name}`);
      throw new Error(
        `${JSON.stringify(name)} is not a name of up to 64 letters, digits, _ and -.`,
      );
    },
  };
}

const program: string = fileURLToPath(new URL('../../bin/mailer.js', import.meta.url));

function words({ port, smtp, empty, seed, clock, flags }: SandboxOptions): string[] {
  const own = ['sandbox', 'start', '--json', '--temporary', '--exit-with-parent'];
  const smtpPort = smtp === true ? 0 : smtp;
  return [
    ...own,
    ...['--port', String(port ?? 0)],
    ...(smtpPort === undefined || smtpPort === false ? [] : ['--smtp-port', String(smtpPort)]),
    ...(empty === true ? ['--empty'] : []),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...(clock === undefined ? [] : ['--clock', clock]),
    ...(flags ?? []),
  ];
}

/** Without settings of this shell, which could make it deliver mail, and without those for the tests' own Node. */
function environment(): NodeJS.ProcessEnv {
  const others = Object.entries(process.env).filter(
    ([name]) => !/^(MAILER_|NODE_OPTIONS$|NODE_V8_COVERAGE$)/.test(name),
  );
  return Object.fromEntries(others);
}
