import { realSystem } from './real-system.ts';
import { run } from './run.ts';

/**
 * Runs this process's command line: `argv` are the words after the program's name. Sets the exit
 * code; the process ends when nothing is left to do.
 */
export async function runHere(argv: readonly string[]): Promise<void> {
  const system = realSystem();
  process.exitCode = await run(argv, system);
  if (system.signal.aborted) leaveSoon(process.exitCode);
}

/**
 * Some work cannot be called off, such as reading a named pipe that nobody writes to. It must not
 * keep a process alive that was told to end: the same signal again does what it does by itself.
 */
function leaveSoon(exitCode: number): void {
  const name = exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined;
  if (name !== undefined) setTimeout(() => process.kill(process.pid, name), 500).unref();
}
