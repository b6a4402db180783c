// Bun, which runs the program in the executable: one package of the npm registry per platform, pinned with its checksum
// in scripts/build/bun. It is installed below node_modules on first use, because it is larger than all other tools together.
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.js';
import { run } from '../run.js';

const pinned = join(root, 'scripts', 'build', 'bun');

/** The version, the same for all platforms. */
export const bunVersion = Object.values(
  JSON.parse(readFileSync(join(pinned, 'package.json'), 'utf8')).optionalDependencies,
)[0];

/** The platforms that an executable can be built for, by the names that files of a release have. */
export const platforms = [
  'linux-x64',
  'linux-arm64',
  'linux-x64-musl',
  'linux-arm64-musl',
  'darwin-arm64',
  'darwin-x64',
  'windows-x64',
  'windows-arm64',
];

/** The platform that this runs on, as far as it is one of these. */
export const thisPlatform = [
  process.platform === 'win32' ? 'windows' : process.platform,
  process.arch,
  ...(isMusl() ? ['musl'] : []),
].join('-');

/** The path of Bun for a platform, as locked. Throws if it cannot be installed. */
export function installedBun(platform) {
  const [system, processor, libc] = platform.split('-');
  const name = ['bun', system, processor.replace('arm64', 'aarch64'), libc].filter(Boolean);
  const cache = join(root, 'node_modules', '.cache', `bun-${bunVersion}`, platform);
  const bin = join(cache, 'node_modules', '@oven', name.join('-'), 'bin');
  const bun = join(bin, system === 'windows' ? 'bun.exe' : 'bun');
  if (existsSync(bun)) return bun;
  process.stderr.write(`Installing Bun for ${platform} (once)\n`);
  mkdirSync(cache, { recursive: true });
  for (const file of ['package.json', 'package-lock.json']) {
    cpSync(join(pinned, file), join(cache, file));
  }
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const of = [
    `--os=${system === 'windows' ? 'win32' : system}`,
    `--cpu=${processor}`,
    ...(system === 'linux' ? [`--libc=${libc ?? 'glibc'}`] : []),
  ];
  // npm rejects the lockfile if the path goes through a link.
  run('npm', ['ci', '--prefix', realpathSync(cache), ...flags, ...of]);
  return bun;
}

function isMusl() {
  if (process.platform !== 'linux') return false;
  return process.report.getReport().header.glibcVersionRuntime === undefined;
}
