// npm run build:binary [TARGET]: builds an executable that needs no Node, in binary/: the program with
// Bun, which runs it. TARGET names another platform in Bun's terms, such as bun-darwin-arm64. Bun is
// installed below node_modules on first use, in the version pinned in scripts/build/bun, because it is
// larger than all other tools together. See docs/release.md.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root, runOrExit } from '../checkout.js';
import { bundle } from './bundle.js';
import { licencesOf } from './licences.js';

const [target] = process.argv.slice(2);
const outdir = join(root, 'binary');
const isWindows = target === undefined ? process.platform === 'win32' : target.includes('windows');
// Replaces the previous one once it is complete.
const unfinished = join(root, 'binary-new');
const executable = join(unfinished, isWindows ? 'mailer.exe' : 'mailer');
const work = mkdtempSync(join(tmpdir(), 'mailer-binary-'));
const bunVersion = versionOfBun();
process.on('exit', () => {
  for (const one of [work, unfinished]) rmSync(one, { recursive: true, force: true });
});
// Without a listener, a signal would end the process before it cleans up.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1));

const files = await bundle('src/cli/executable.ts', work);
rmSync(unfinished, { recursive: true, force: true });
mkdirSync(unfinished);
runOrExit(
  installedBun(),
  [
    'build',
    '--compile',
    ...(target === undefined ? [] : [`--target=${target}`]),
    '--bytecode',
    '--format=cjs',
    // Not the identifiers, which stack traces show.
    '--minify-syntax',
    '--minify-whitespace',
    // Files in the user's working directory must not configure the program, above all not set keys. Bun
    // would also read every folder above it, which takes longer than everything else.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--outfile=${executable}`,
    join(work, 'executable.cjs'),
  ],
  { quiet: true },
);
const modules = files.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(
  join(unfinished, 'LICENSES.txt'),
  `${ofBun()}\n${'-'.repeat(80)}\n\n${licencesOf(modules)}`,
);
cpSync(join(root, 'LICENSE'), join(unfinished, 'LICENSE'));
rmSync(outdir, { recursive: true, force: true });
renameSync(unfinished, outdir);
const file = join(outdir, basename(executable));
const size = Math.round(statSync(file).size / 1024 ** 2);
process.stdout.write(`Wrote ${file} (${size} MiB). Pass its licences on with it, from ${outdir}\n`);

/** The notice about Bun, with links to its licences and sources. */
function ofBun() {
  return `Bun ${bunVersion} (MIT), with JavaScriptCore (LGPL-2) and other libraries in it

Bun runs the program and is part of the executable. Its licence, those of its libraries, and how to
link it with a JavaScriptCore of your own:

  https://github.com/oven-sh/bun/blob/bun-v${bunVersion}/LICENSE.md

The executable is made anew, with the bun that scripts/build/bun pins, by "npm run build:binary" in
the source of mailer-cli.
`;
}

/** The pinned version, the same for all platforms. */
function versionOfBun() {
  const text = readFileSync(join(root, 'scripts', 'build', 'bun', 'package.json'), 'utf8');
  return Object.values(JSON.parse(text).optionalDependencies)[0];
}

/** The path of Bun, as locked. Ends the process if it cannot be installed. */
function installedBun() {
  const name = `@oven/bun-${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch === 'arm64' ? 'aarch64' : process.arch}`;
  const cache = join(root, 'node_modules', '.cache', `bun-${bunVersion}`);
  const bin = join(cache, 'node_modules', name, 'bin');
  const bun = join(bin, process.platform === 'win32' ? 'bun.exe' : 'bun');
  if (existsSync(bun)) return bun;
  process.stderr.write('Installing Bun (once)\n');
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(root, 'scripts', 'build', 'bun', file), join(cache, file));
  }
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  // npm rejects the lockfile if the path goes through a link.
  runOrExit('npm', ['ci', '--prefix', realpathSync(cache), ...flags], { quiet: true });
  return bun;
}
