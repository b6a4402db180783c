import { realSystem } from './real-system.ts';
import { run } from './run.ts';

/** As what other programs may call this one: a link of this name is `mailer sendmail`. */
const asSendmail = /(^|[\\/])sendmail(\.\w+)?$/;

/**
 * Runs the words after the program's name, which is the path that it was called by, and sets the exit
 * code. The process ends by itself.
 */
export async function runHere(
  words: readonly string[],
  calledAs: string | undefined = process.argv[1],
): Promise<void> {
  const argv = asSendmail.test(calledAs ?? '') ? ['sendmail', ...words] : words;
  const system = realSystem();
  // A wait that nothing ends would end the process here, with nothing shown: not with 0.
  process.exitCode = 1;
  process.exitCode = await run(argv, system);
  if (system.signal.aborted) leaveSoon(process.exitCode);
}

/** Some work cannot be cancelled, such as reading a pipe without a writer: the signal again ends it. */
function leaveSoon(exitCode: number): void {
  const name = exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined;
  if (name !== undefined) setTimeout(() => process.kill(process.pid, name), 500).unref();
}
