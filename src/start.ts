import { enableCompileCache } from 'node:module';
import { join } from 'node:path';

/**
 * Runs this process's command line. The compile cache is the user's own: the default one lies in a
 * directory that others may write to.
 */
export async function start(): Promise<void> {
  const cache = process.env.XDG_CACHE_HOME || join(process.env.HOME ?? '', '.cache');
  if (cache.startsWith('/') || process.platform === 'win32') {
    enableCompileCache(join(cache, 'mailer', 'compiled'));
  }
  const [{ run }, { realSystem }] = await Promise.all([import('./run.ts'), import('./system.ts')]);
  const system = realSystem();
  process.exitCode = await run(process.argv.slice(2), system);
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
