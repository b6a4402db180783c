import { isAbsolute, join } from 'node:path';
import { baseDirectory, cache } from '../lib/files/base-directories.ts';
import { type CompiledCode, openCompiledCode } from './compiled-code.ts';
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
  const loader = createLoader(import.meta.dirname, openCache());
  process.once('exit', () => loader.keep());
  // The build makes it of process.ts.
  const program = loader.load(programFile) as typeof import('./process.ts');
  await program.runHere(argv);
}

/**
 * Where compiled code is kept: in the user's own cache, if anywhere. The default place of Node's
 * compile cache, which the same variable turns off, lies where others may write.
 */
function openCache(): CompiledCode | undefined {
  const { env, platform, version, arch, pid } = process;
  const directory = baseDirectory({ env, platform }, cache, () => env.HOME ?? '');
  // Code is never taken from somewhere below the working directory.
  if (env.NODE_DISABLE_COMPILE_CACHE === '1' || !isAbsolute(directory)) return undefined;
  return openCompiledCode({
    directory: join(directory, 'compiled'),
    versions: `${version}-${arch}`,
    user: process.geteuid?.(),
    processId: pid,
  });
}
