// The files of a release: how each is made, and who tries it.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { platforms, thisPlatform } from '../build/bun.js';
import { bundleForBun, compile, nameFor } from '../build/executable.js';
import { licencesWithBun } from '../build/licences.js';
import { node, root } from '../checkout.js';
import { run } from '../run.js';
import { archive } from './archive.js';
import { makeDeb } from './deb.js';
import { formula } from './formula.js';
import { makeImage } from './image.js';
import { Missing } from './needed.js';
import { packForNpm } from './npm-package.js';
import { sbom } from './sbom.js';
import { layOut } from './tree.js';

const testSet = 'npm run test:release';
/** Who tries the executables of other systems. */
const workflow = 'the release workflow, which has not run yet';

/**
 * The files in the order in which they are made: each with its name, `make`, which writes it into `outdir`, and for the
 * table who tests it (`tested`) and what nobody does (`untested`). `work` is a folder for what is made on the way.
 */
export async function products({ source, repository, outdir, work }) {
  const { version, epoch } = source;
  const into = (name) => join(outdir, name);
  const { entry, modules } = await bundleForBun(join(work, 'bundle'));
  const licences = licencesWithBun(modules);

  /** An installation for a platform, made once. Returns its folder. */
  const treeFor = (platform) => {
    const tree = join(work, `mailer-${version}-${platform}`);
    if (existsSync(tree)) return tree;
    mkdirSync(join(tree, 'bin'), { recursive: true });
    const executable = join(tree, 'bin', nameFor(platform));
    compile(entry, platform, executable);
    layOut(tree, licences);
    if (platform === thisPlatform) run(node, ['scripts/release/smoke.js', executable]);
    return tree;
  };

  const archiveOf = (platform) => {
    const suffix = platform.startsWith('windows') ? 'zip' : 'tar.gz';
    const name = `mailer-${version}-${platform}.${suffix}`;
    return {
      name,
      make: () => {
        treeFor(platform);
        archive(into(name), work, `mailer-${version}-${platform}`, epoch);
      },
      ...triedOn(platform),
    };
  };

  const debOf = (architecture, platform) => {
    const name = `mailer_${version}_${architecture}.deb`;
    const make = () =>
      makeDeb(into(name), treeFor(platform), { ...source, architecture }, join(work, 'deb'));
    if (platform === thisPlatform) return { name, make, tested: testSet, untested: '' };
    return { name, make, tested: '', untested: 'installed: nobody has run it' };
  };

  const imageOf = (kind) => {
    const name = `${kind}-${version}-oci.tar`;
    const make = () =>
      makeImage(into(name), kind, treeFor(thisPlatform), source, join(work, 'image'));
    return { name, make, tested: testSet, untested: 'with podman, Docker or Kubernetes' };
  };

  const text = (name, textOf, about) => ({
    name,
    make: () => writeFileSync(into(name), textOf()),
    ...about,
  });
  const download = `${repository ?? 'https://github.com/OWNER/REPOSITORY'}/releases/download/v${version}`;
  const sumOf = (platform) => sha256(into(`mailer-${version}-${platform}.tar.gz`));

  return [
    {
      name: `mailer-cli-${version}.tgz`,
      make: () => packForNpm(outdir, repository),
      tested: testSet,
      untested: 'in the registry',
    },
    ...platforms.map(archiveOf),
    debOf('amd64', 'linux-x64'),
    debOf('arm64', 'linux-arm64'),
    ...['mailer', 'mailer-sandbox'].map(imageOf),
    text('mailer.rb', () => formula({ version, download, sumOf }), {
      tested: 'its checksums, when it is made',
      untested: `with brew${repository ? '' : '; its URL is a placeholder, without --repository'}`,
    }),
    text('install.sh', () => installer({ version, repository: repository ?? '' }), {
      tested: `npm run test:all; ${testSet}`,
      untested: 'with a published release',
    }),
    text(
      `mailer-${version}.cdx.json`,
      () => `${JSON.stringify(sbom(modules, source), null, 2)}\n`,
      { tested: testSet, untested: 'by a scanner' },
    ),
    text('RELEASE-NOTES.md', () => releaseNotes(version), { tested: 'npm test', untested: '' }),
  ];
}

/** The script that installs this version, from where it will be published if that is known. */
function installer(known) {
  const script = readFileSync(join(root, 'install.sh'), 'utf8');
  return script
    .replace(/^released_version=''$/m, () => `released_version='${known.version}'`)
    .replace(/^repository=''$/m, () => `repository='${known.repository}'`);
}

/** Who tries the executable of a platform, and who does not. */
function triedOn(platform) {
  if (platform === thisPlatform) return { tested: `smoke.js, now; ${testSet}`, untested: '' };
  const emulated = platform === 'linux-arm64' ? `${testSet}, emulated` : '';
  const isNowhere = platform.endsWith('-musl') || platform === 'windows-arm64';
  return { tested: emulated, untested: isNowhere ? 'nobody has run it' : `until ${workflow}` };
}

function releaseNotes(version) {
  try {
    return run(node, ['scripts/release/release-notes.js', version]);
  } catch (error) {
    throw new Missing(error.message);
  }
}

/** The checksum of a file; Missing if it has not been made. */
export function sha256(path) {
  if (!existsSync(path)) throw new Missing(`needs ${path.split('/').at(-1)}`);
  return createHash('sha256').update(readFileSync(path)).digest('hex');
}
