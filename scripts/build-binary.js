// npm run build:binary [TARGET]: one file that needs no Node, in binary/: the program and Bun, which
// runs it. TARGET is another platform than this one, as Bun names it, such as bun-darwin-arm64.
// docs/release.md says more.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { bundle, root } from './bundle.js';
import { runOrExit } from './checkout.js';
import { licencesOf } from './licences.js';

const [target] = process.argv.slice(2);
const outdir = join(root, 'binary');
const isWindows = target === undefined ? process.platform === 'win32' : target.includes('windows');
const executable = join(outdir, isWindows ? 'mailer.exe' : 'mailer');
const work = mkdtempSync(join(tmpdir(), 'mailer-binary-'));
// npm run has the first of these already.
const env = { PATH: [join(root, 'node_modules', '.bin'), process.env.PATH].join(delimiter) };
process.on('exit', () => rmSync(work, { recursive: true, force: true }));

const files = await bundle('src/executable.ts', { dir: work });
rmSync(outdir, { recursive: true, force: true });
mkdirSync(outdir);
runOrExit(
  'bun',
  [
    'build',
    '--compile',
    ...(target === undefined ? [] : [`--target=${target}`]),
    '--bytecode',
    '--format=cjs',
    // Not the names: a stack trace has them.
    '--minify-syntax',
    '--minify-whitespace',
    // What is in the folder where somebody runs it is not for it, above all no keys. Bun would also
    // read every folder above that one, which takes longer than all the rest.
    '--no-compile-autoload-dotenv',
    '--no-compile-autoload-bunfig',
    `--outfile=${executable}`,
    join(work, 'executable.cjs'),
  ],
  {
    quiet: true,
    env,
  },
);
const modules = files.flatMap(({ moduleIds }) => moduleIds);
writeFileSync(
  join(outdir, 'LICENSES.txt'),
  `${ofBun()}\n${'-'.repeat(80)}\n\n${licencesOf(modules)}`,
);
cpSync(join(root, 'LICENSE'), join(outdir, 'LICENSE'));

/** What is to be said of what runs the program, with the places where the rest is. */
function ofBun() {
  const version = spawnSync('bun', ['--version'], { env, encoding: 'utf8' }).stdout.trim();
  return `Bun ${version} (MIT), with JavaScriptCore (LGPL-2) and other libraries in it

Bun runs the program and is part of the executable. Its licence, those of its libraries, and how to
link it with a JavaScriptCore of your own:

  https://github.com/oven-sh/bun/blob/bun-v${version}/LICENSE.md

The executable is made anew, with whichever bun is on the PATH, by "npm run build:binary" in the
source of mailer-cli.
`;
}
