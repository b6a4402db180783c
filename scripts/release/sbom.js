// The list of what is in a release, as CycloneDX 1.6: from the bundler's own list of modules, and Bun.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { bunVersion } from '../build/bun.js';
import { dataOf, packagesOf } from '../build/licences.js';
import { root } from '../checkout.js';

/** The document for a release of these modules. Throws if a package is not in the lockfile. */
export function sbom(modules, { version, commit, epoch }) {
  const program = {
    type: 'application',
    'bom-ref': purlOf('mailer-cli', version),
    name: 'mailer-cli',
    version,
    licenses: licences('MIT'),
    purl: purlOf('mailer-cli', version),
    properties: [{ name: 'mailer:commit', value: commit }],
  };
  const components = [...packages(modules), ...dataOf(modules).map(data), bun()];
  const refs = components.map((one) => one['bom-ref']);
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      timestamp: new Date(epoch * 1000).toISOString().replace('.000', ''),
      component: program,
    },
    components,
    // Who imports whom is not told apart: the bundle has all of them.
    dependencies: [
      { ref: program['bom-ref'], dependsOn: refs },
      ...refs.map((ref) => ({ ref, dependsOn: [] })),
    ],
  };
}

function packages(modules) {
  const { packages: locked } = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8'));
  const described = packagesOf(modules).map(({ directory, name, version, license }) => {
    const { integrity } = locked[relative(root, directory).split(sep).join('/')];
    const purl = purlOf(name, version);
    return [
      purl,
      {
        type: 'library',
        'bom-ref': purl,
        name,
        version,
        scope: 'required',
        hashes: [{ alg: 'SHA-512', content: hexOf(integrity) }],
        licenses: licences(license),
        purl,
      },
    ];
  });
  // A package may be there several times, in the same version.
  const byPurl = Object.fromEntries(described);
  return Object.keys(byPurl)
    .sort()
    .map((purl) => byPurl[purl]);
}

function data({ name, version, license }) {
  const ref = `data:${name}@${version}`;
  return { type: 'data', 'bom-ref': ref, name, version, licenses: licences(license) };
}

/** In the executables only. */
function bun() {
  const purl = `pkg:github/oven-sh/bun@bun-v${bunVersion}`;
  return {
    type: 'platform',
    'bom-ref': purl,
    name: 'bun',
    version: bunVersion,
    description: 'Runs the program in the executables, and is no part of the npm package',
    scope: 'optional',
    licenses: licences('MIT AND LGPL-2.0-or-later'),
    purl,
  };
}

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

/** The checksum of a lockfile, which is of the package's archive, in hexadecimal. */
function hexOf(integrity) {
  return Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex');
}

function licences(spdx) {
  return /[ (]/.test(spdx) ? [{ expression: spdx }] : [{ license: { id: spdx } }];
}
