import { AuthError, InterruptedError, UsageError } from '../errors.ts';
import type { System } from '../system/system.ts';

/** Searching a large response for a longer key would take seconds. */
const maxLength = 512;

/** A trimmed API key. A `UsageError`, without the key, when a header cannot carry it. */
export function parseApiKey(text: string, source: string): string {
  const key = text.trim();
  if (key === '') throw new UsageError(`${source}: no API key there`);
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

/** A key as it may be shown: `us_…wxyz`, and nothing of a key shorter than 16 characters. */
export function maskKey(key: string): string {
  return key.length < 16 ? '****' : `${key.slice(0, 3)}…${key.slice(-4)}`;
}

/** What looks like a key in words of a command line: none belongs there, and CI logs keep what is shown. */
export function keysIn(words: readonly string[]): string[] {
  return words.flatMap((word) => word.match(/(?<![a-z\d])us_[a-z\d]+_[\w-]{4,}/gi) ?? []);
}

/** The first line that a shell command prints. An `AuthError`, without its output, when it fails. */
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
