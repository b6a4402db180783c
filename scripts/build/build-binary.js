// npm run build:binary [PLATFORM]: builds an executable that needs no Node, in binary/, with its licences. PLATFORM is one
// of bun.js, such as darwin-arm64; without it, the one that this runs on. See docs/release.md.
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { root } from '../checkout.js';
import { platforms, thisPlatform } from './bun.js';
import { bundleForBun, compile, nameFor } from './executable.js';
import { licencesWithBun } from './licences.js';

const [platform = thisPlatform] = process.argv.slice(2);
if (!platforms.includes(platform)) {
  process.stderr.write(`There is no Bun for ${platform}. Platforms: ${platforms.join(', ')}\n`);
  process.exit(2);
}
const outdir = join(root, 'binary');
// Replaces the previous one once it is complete.
const unfinished = join(root, 'binary-new');
const executable = join(unfinished, nameFor(platform));
const work = realpathSync(mkdtempSync(join(tmpdir(), 'mailer-binary-')));
process.on('exit', () => {
  for (const one of [work, unfinished]) rmSync(one, { recursive: true, force: true });
});
// Without a listener, a signal would end the process before it cleans up.
for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => process.exit(1));

const { entry, modules } = await bundleForBun(work);
rmSync(unfinished, { recursive: true, force: true });
mkdirSync(unfinished);
try {
  compile(entry, platform, executable);
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
}
writeFileSync(join(unfinished, 'LICENSES.txt'), licencesWithBun(modules));
cpSync(join(root, 'LICENSE'), join(unfinished, 'LICENSE'));
rmSync(outdir, { recursive: true, force: true });
renameSync(unfinished, outdir);
const file = join(outdir, basename(executable));
const size = Math.round(statSync(file).size / 1024 ** 2);
process.stdout.write(`Wrote ${file} (${size} MiB). Pass its licences on with it, from ${outdir}\n`);
