import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './process.ts';

/** What is needed to build and to pack, without anything built. */
const sources = [
  ...['bin', 'docs', 'scripts', 'src', 'package.json', 'package-lock.json'],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md'],
];

/** Makes a directory a separate checkout without a build. */
export function copyCheckout(directory: string): void {
  for (const name of sources) cpSync(join(root, name), join(directory, name), { recursive: true });
  const packages = realpathSync(join(root, 'node_modules'));
  mkdirSync(join(directory, 'node_modules'));
  // One link per package, so that a test can add others. Tools keep their caches in .cache.
  for (const name of readdirSync(packages).filter((one) => one !== '.cache')) {
    symlinkSync(join(packages, name), join(directory, 'node_modules', name));
  }
}
