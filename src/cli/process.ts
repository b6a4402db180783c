import { realSystem } from './real-system.ts';
import { run } from './run.ts';

/** Matches the name under which other programs call this one: a link of this name runs `mailer sendmail`. */
const asSendmail = /(^|[\\/])sendmail(\.\w+)?$/;

/** A flag with which stderr has one JSON object or nothing. */
const asJson = /^--(?:jsonl?$|jq(?:=|$))/;

/**
 * Runs the words after the program's name, which is the path it was called by, and sets the exit code. The
 * process ends by itself.
 */
export async function runHere(
  words: readonly string[],
  calledAs: string | undefined = process.argv[1],
): Promise<void> {
  const argv = asSendmail.test(calledAs ?? '') ? ['sendmail', ...words] : words;
  if (words.some((word) => asJson.test(word))) {
    // stderr then has nothing but the error.
    process.removeAllListeners('warning');
    if (process.env.NODE_EXTRA_CA_CERTS) {
      const { runWithoutUnusable } = await import('./extra-certificates.ts');
      const exitCode = await runWithoutUnusable(words, calledAs);
      if (exitCode !== undefined) {
        process.exitCode = exitCode;
        return;
      }
    }
  }
  const system = realSystem();
  // If nothing is left to wait for, the process ends here without output: its exit code must not be 0.
  process.exitCode = 1;
  process.exitCode = await run(argv, system);
  if (system.signal.aborted) leaveSoon(process.exitCode);
  if (argv[0] === '__complete') leaveAtOnce();
}

/**
 * After TAB, a look-up in DNS that cannot be cancelled would keep the shell waiting for many seconds, even after
 * `process.exit`. Everything is written, and the completion scripts ignore how the process ended.
 */
function leaveAtOnce(): void {
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 20).unref();
}

/**
 * Some work cannot be cancelled, such as reading a pipe without a writer. Raising the signal again ends it.
 */
function leaveSoon(exitCode: number): void {
  const name = exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined;
  if (name !== undefined) setTimeout(() => process.kill(process.pid, name), 500).unref();
}
