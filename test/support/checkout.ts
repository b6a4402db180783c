import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { root, temporaryDirectory } from './process.ts';

/** What is needed to build and to pack, and nothing that was built. */
const sources = [
  ...['bin', 'docs', 'man', 'scripts', 'src', 'package.json', 'package-lock.json'],
  ...['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'LICENSE', 'SECURITY.md'],
];

/** A checkout of its own, gone after the test, in which nothing has been built. */
export function copyCheckout(): string {
  const directory = temporaryDirectory();
  for (const name of sources) cpSync(join(root, name), join(directory, name), { recursive: true });
  const packages = realpathSync(join(root, 'node_modules'));
  mkdirSync(join(directory, 'node_modules'));
  // Each by itself, so that a test can put something beside them. Tools keep what they like there.
  for (const name of readdirSync(packages).filter((one) => one !== '.cache')) {
    symlinkSync(join(packages, name), join(directory, 'node_modules', name));
  }
  return directory;
}
