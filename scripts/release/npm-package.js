// The npm package, which has its manual pages, completions and schemas built on the way.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.js';
import { run } from '../run.js';

/**
 * Packs it into a directory. The registry compares the repository that it names, such as https://github.com/a/b, with the
 * one of its provenance; the checkout names none.
 */
export function packForNpm(outdir, repository) {
  const file = join(root, 'package.json');
  const text = readFileSync(file, 'utf8');
  try {
    if (repository !== undefined) {
      const url = { type: 'git', url: `git+${repository}.git` };
      writeFileSync(file, JSON.stringify({ ...JSON.parse(text), repository: url }, null, 2));
    }
    run('npm', ['pack', '--pack-destination', outdir]);
  } finally {
    writeFileSync(file, text);
  }
}
