import { spawn } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';

const variable = 'NODE_EXTRA_CA_CERTS';

/**
 * Runs the program once more without NODE_EXTRA_CA_CERTS if the file cannot be used, and returns its exit code;
 * undefined if the file can be used. The runtime ignores such a file, and says so on stderr when TLS is loaded: no code
 * in the process can prevent that, nor change what the runtime has read of the environment.
 */
export async function runWithoutUnusable(
  words: readonly string[],
  calledAs: string | undefined,
): Promise<number | undefined> {
  const { [variable]: path = '', ...env } = process.env;
  if (isUsable(path)) return undefined;
  const { bun } = process.versions;
  const file = bun === undefined ? [...process.execArgv, String(process.argv[1])] : [];
  const argv0 = bun === undefined ? undefined : calledAs;
  const child = spawn(process.execPath, [...file, ...words], { env, stdio: 'inherit', argv0 });
  // As in bin/mailer.js: Ctrl-C on a terminal reaches the child by itself, and a second one kills.
  const onTerminal = [0, 1, 2].some((stream) => isatty(stream));
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  for (const name of ['SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name));
  // The arguments of this event; one of them is null.
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
}

const begin = '-----BEGIN CERTIFICATE-----';

function isUsable(path: string): boolean {
  try {
    const [, ...certificates] = readFileSync(path, 'latin1').split(begin);
    // The constructor reads up to the end of the first certificate.
    for (const rest of certificates) new X509Certificate(`${begin}${rest}`);
    return true;
  } catch {
    return false;
  }
}
