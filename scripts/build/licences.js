// The licences of what is bundled: they ask to be passed on with the code.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../checkout.js';

/** Data of others among the program's own sources. */
const supportData = join(root, 'src', 'shared', 'check', 'support-data.json');

/**
 * One text with the licence of every package that any of these modules is of, by name and version.
 * Throws where a package has none.
 */
export function licencesOf(modules) {
  const packages = new Map();
  for (const id of modules) {
    const directory = packageDirectory(id);
    if (directory !== undefined) packages.set(directory, describe(directory));
    if (id === supportData) packages.set(id, describeSupportData());
  }
  return [...packages.values()].sort().join(`\n${'-'.repeat(80)}\n\n`);
}

/** The package that a module is of; undefined for the program's own. */
function packageDirectory(id) {
  if (id.startsWith('\0') || !/[\\/]node_modules[\\/]/.test(id)) return undefined;
  for (let directory = dirname(id); ; directory = dirname(directory)) {
    // Those without a version, within packages, only say how files are to be read.
    const file = join(directory, 'package.json');
    if (existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).version) return directory;
  }
}

function describe(directory) {
  const { name, version, license } = JSON.parse(
    readFileSync(join(directory, 'package.json'), 'utf8'),
  );
  const texts = readdirSync(directory)
    .filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
    .map((file) => readFileSync(join(directory, file), 'utf8').trim());
  // What is compiled into a package has licences of its own, which it does not name; and one only names its own.
  if (existsSync(within(name))) texts.push(readFileSync(within(name), 'utf8').trim());
  if (texts.length === 0) throw new Error(`${name} ${version} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${texts.join('\n\n')}\n`;
}

function describeSupportData() {
  const { updated } = JSON.parse(readFileSync(supportData, 'utf8'));
  return `caniemail ${updated} (MIT)\n\n${readFileSync(within('caniemail'), 'utf8')}`;
}

function within(name) {
  return join(import.meta.dirname, 'within', `${name}.txt`);
}
