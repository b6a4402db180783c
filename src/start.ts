import { isAbsolute, join } from 'node:path';
import { fixedText } from './fixed-text.ts';
import { createLoader } from './loader.ts';
import { writeAtOnce } from './stdout.ts';

/** The name of the program's first file; the build puts it here. */
declare const programFile: string;

/** Runs this process's command line. Node loads this file, and this file the rest of the program. */
export async function start(): Promise<void> {
  const argv = process.argv.slice(2);
  const text = fixedText(argv);
  if (text !== undefined && writeAtOnce(text, process.platform)) return;
  const loader = createLoader({
    directory: cacheDirectory(),
    user: process.getuid?.(),
    processId: process.pid,
  });
  process.once('exit', () => loader.keep());
  // The build makes it of cli.ts.
  const program = loader.load(join(import.meta.dirname, programFile)) as typeof import('./cli.ts');
  await program.runHere(argv);
}

/**
 * Where compiled code is kept: in the user's own cache, if anywhere. The default place of Node's
 * compile cache, which the same variable turns off, lies where others may write.
 */
function cacheDirectory(): string | undefined {
  const { env, platform, version, arch } = process;
  const cache = env.XDG_CACHE_HOME || usualCache(env, platform);
  // Code is never taken from somewhere below the working directory.
  if (!cache || !isAbsolute(cache)) return undefined;
  if (env.NODE_DISABLE_COMPILE_CACHE === '1') return undefined;
  return join(cache, 'mailer', 'compiled', `${version}-${arch}`);
}

/** As `cacheDirectory` in src/lib has it, which would be more to load. */
function usualCache(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): string | undefined {
  const home = env.HOME ?? '';
  if (platform === 'win32') return env.LOCALAPPDATA;
  return platform === 'darwin' ? join(home, 'Library', 'Caches') : join(home, '.cache');
}
