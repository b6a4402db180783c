// The executable: the program with Bun, which runs it, as one file that needs no Node.
import { join } from 'node:path';
import { run } from '../run.js';
import { installedBun, thisPlatform } from './bun.js';
import { bundle } from './bundle.js';

/** Bundles the program for Bun into a directory. Returns its entry file, and the names of the modules in it. */
export async function bundleForBun(directory) {
  const files = await bundle('src/cli/executable.ts', directory);
  return {
    entry: join(directory, 'executable.cjs'),
    modules: files.flatMap(({ moduleIds }) => moduleIds),
  };
}

/** The name of the executable's file on a platform. */
export function nameFor(platform) {
  return platform.startsWith('windows') ? 'mailer.exe' : 'mailer';
}

/** Compiles the bundle into an executable for a platform of bun.js. Throws on failure. */
export function compile(entry, platform, outfile) {
  run(installedBun(thisPlatform), [
    'build',
    '--compile',
    `--target=bun-${platform}`,
    // Otherwise Bun downloads its runtime for other platforms, and checks no checksum.
    `--compile-executable-path=${installedBun(platform)}`,
    '--bytecode',
    '--format=cjs',
    // Not the identifiers, which stack traces show.
    '--minify-syntax',
    '--minify-whitespace',
    // Files in the user's working directory must not configure the program, above all not set keys. Bun
    // would also read every folder above it, which takes longer than everything else.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    // Bun would write where the bundle lies on this machine, and two builds would differ.
    '--define=__filename="executable.cjs"',
    `--outfile=${outfile}`,
    entry,
  ]);
}
