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
  const [{ run }, { realSystem }] = await Promise.all([import('./main.ts'), import('./system.ts')]);
  process.exitCode = await run(process.argv.slice(2), realSystem());
}
