// The licences of bundled packages, which must be distributed with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../checkout.js';
import { bunVersion } from './bun.js';

/** Third-party data among the program's own sources. */
const supportData = join(root, 'src', 'shared', 'check', 'support-data.json');

/** What is between two licences. */
const rule = `\n${'-'.repeat(80)}\n\n`;

/**
 * One text with the licence of every package that these modules belong to, by name and version. Throws if a
 * package has none.
 */
export function licencesOf(modules) {
  const texts = packagesOf(modules).map(describe);
  const data = dataOf(modules).map(
    ({ name, version, license }) =>
      `${name} ${version} (${license})\n\n${readFileSync(within(name), 'utf8')}`,
  );
  // A package may be there several times, in the same version.
  return [...new Set([...texts, ...data])].sort().join(rule);
}

/** The same for an executable, which has Bun, too. */
export function licencesWithBun(modules) {
  const ofBun = readFileSync(within('bun'), 'utf8').replaceAll('VERSION', bunVersion);
  const lgpl = readFileSync(within('LGPL-2.1'), 'utf8');
  const bun = `Bun ${bunVersion} (MIT), with JavaScriptCore (LGPL-2.0-or-later) and other libraries in it\n\n${ofBun}`;
  return [bun, lgpl, licencesOf(modules)].join(rule);
}

/** The packages that these modules belong to: the directory of each, and what its package.json says. */
export function packagesOf(modules) {
  const directories = new Set(modules.map(packageDirectory).filter((one) => one !== undefined));
  return [...directories].map((directory) => ({
    ...JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
    directory,
  }));
}

/** Data of others among these modules, which are no packages. */
export function dataOf(modules) {
  if (!modules.includes(supportData)) return [];
  const { updated } = JSON.parse(readFileSync(supportData, 'utf8'));
  return [{ name: 'caniemail', version: updated, license: 'MIT' }];
}

/** The package that a module belongs to; undefined for the program's own modules. */
function packageDirectory(id) {
  if (id.startsWith('\0') || !/[\\/]node_modules[\\/]/.test(id)) return undefined;
  for (let directory = dirname(id); ; directory = dirname(directory)) {
    // A package.json without a version, inside a package, only sets the module type.
    const file = join(directory, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version) return directory;
  }
}

function describe({ directory, name, version, license }) {
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8').trim());
  // Some packages contain compiled code with other licences, or only name their licence without its text.
  if (existsSync(within(name))) texts.push(readFileSync(within(name), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name} ${version} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

function within(name) {
  return join(import.meta.dirname, 'within', `${name}.txt`);
}
