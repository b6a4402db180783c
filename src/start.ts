import { writeSync } from 'node:fs';
import { enableCompileCache } from 'node:module';
import { join } from 'node:path';
import { fixedText } from './fixed-text.ts';

/**
 * Runs this process's command line. The compile cache is the user's own: the default one lies in a
 * directory that others may write to.
 */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const cache = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? '', '.cache');
  if (cache.startsWith('/') || process.platform === 'win32') {
    enableCompileCache(join(cache, 'mailer', 'compiled'));
  }
  const text = await fixedText(argv);
  if (text !== undefined && writeAtOnce(text)) return;
  const [{ run }, { realSystem }] = await Promise.all([import('./run.ts'), import('./system.ts')]);
  const system = realSystem();
  process.exitCode = await run(argv, system);
  if (system.signal.aborted) leaveSoon(process.exitCode);
}

/**
 * Writes to stdout without the stream for it, which takes a few milliseconds to make; false when
 * that cannot be done, and the stream has to wait, or to say why. A pipe takes so short a text as a
 * whole or not at all (POSIX, PIPE_BUF).
 */
function writeAtOnce(text: string): boolean {
  if (Buffer.byteLength(text) > 512) return false;
  try {
    writeSync(1, text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Some work cannot be called off, such as reading a named pipe that nobody writes to. It must not
 * keep a process alive that was told to end: the same signal again does what it does by itself.
 */
function leaveSoon(exitCode: number): void {
  const name = exitCode === 130 ? 'SIGINT' : exitCode === 143 ? 'SIGTERM' : undefined;
  if (name !== undefined) setTimeout(() => process.kill(process.pid, name), 500).unref();
}
