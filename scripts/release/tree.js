// What an installation consists of, as folders below a prefix such as /usr.
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { node, root } from '../checkout.js';
import { run } from '../run.js';

/** Where completion scripts are, by their name in the build: where each shell looks below a prefix. */
const completions = {
  'mailer.bash': 'share/bash-completion/completions/mailer',
  _mailer: 'share/zsh/site-functions/_mailer',
  'mailer.fish': 'share/fish/vendor_completions.d/mailer.fish',
};

/** Makes the folders without `bin`: manual pages, completions, licences, changelog. What is built is in the checkout. */
export function layOut(prefix, licences) {
  const copy = (from, to) => cpSync(join(root, from), join(prefix, to), { recursive: true });
  writeManualPages(join(prefix, 'share/man/man1'));
  for (const [name, to] of Object.entries(completions)) copy(`dist/completions/${name}`, to);
  const doc = 'share/doc/mailer';
  for (const name of ['LICENSE', 'CHANGELOG.md']) copy(name, `${doc}/${name}`);
  writeFileSync(join(prefix, doc, 'LICENSES.txt'), licences);
}

function writeManualPages(directory) {
  // It also lists them in a package.json, which must not be that of the checkout.
  const written = mkdtempSync(join(tmpdir(), 'mailer-pages-'));
  cpSync(join(root, 'package.json'), join(written, 'package.json'));
  run(node, ['scripts/docs/write-package-docs.ts', written]);
  cpSync(join(written, 'man'), directory, { recursive: true });
  rmSync(written, { recursive: true, force: true });
}
