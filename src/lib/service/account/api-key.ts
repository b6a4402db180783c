import { AuthError, InterruptedError, UsageError } from '../../base/errors.ts';
import type { System } from '../../base/system/system.ts';

/** Searching a large response for a longer key would take seconds. */
const maxLength = 512;

/** A trimmed API key. Throws a `UsageError`, without the key in it, if a header cannot carry it. */
export function parseApiKey(text: string, source: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`${source}: the API key is empty`);
  if (key.length > maxLength) {
    throw new UsageError(`${source}: an API key has at most ${maxLength} characters`);
  }
  if (!/^[\x21-\x7e]+$/.test(key)) {
    throw new UsageError(
      `${source}: an API key consists of visible ASCII characters without spaces`,
    );
  }
  return key;
}

/**
 * A masked key: `us_…wxyz`; only asterisks if it is shorter than 16 characters, or if stdout is no terminal, because
 * logs keep what is printed there.
 */
export function maskKey(key: string, { stdout }: Pick<System, 'stdout'>): string {
  const showsEnds = stdout.isTTY === true && key.length >= 16;
  return showsEnds ? `${key.slice(0, 3)}…${key.slice(-4)}` : '****';
}

/** Words of a command line that look like keys: they must not end up in messages, which CI logs keep. */
export function keysIn(words: readonly string[]): string[] {
  return words.flatMap((word) => word.match(/(?<![a-z\d])(?:us|msk)_[a-z\d]+_[\w-]{4,}/gi) ?? []);
}

/** The first line that a shell command prints. Throws an `AuthError`, without its output, if it fails. */
export async function keyFromCommand(
  commandLine: string,
  source: string,
  runShell: System['runShell'],
): Promise<string> {
  const hint = 'Run it by itself to see why; store another one with: mailer login --key-command';
  let result: Awaited<ReturnType<System['runShell']>>;
  try {
    result = await runShell(commandLine);
  } catch (cause) {
    if (cause instanceof InterruptedError) throw cause;
    throw new AuthError(`The ${source} could not be run.`, { hint, cause });
  }
  if (result.exitCode !== 0) {
    throw new AuthError(`The ${source} failed with exit code ${result.exitCode}.`, { hint });
  }
  const [line = ''] = result.stdout.trimStart().split(/\r?\n/);
  if (line === '') throw new AuthError(`The ${source} printed no key.`, { hint });
  return parseApiKey(line, source);
}
