// What an installation consists of, as folders below a prefix such as /usr.
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../checkout.js';

/** Where completion scripts are, by their name in the build: where each shell looks below a prefix. */
const completions = {
  'mailer.bash': 'share/bash-completion/completions/mailer',
  _mailer: 'share/zsh/site-functions/_mailer',
  'mailer.fish': 'share/fish/vendor_completions.d/mailer.fish',
};

/** Makes the folders without `bin`: manual pages, completions, licences, changelog. `npm pack` has built what they have. */
export function layOut(prefix, licences) {
  const copy = (from, to) => cpSync(join(root, from), join(prefix, to), { recursive: true });
  mkdirSync(join(prefix, 'share/man/man1'), { recursive: true });
  for (const name of readdirSync(join(root, 'man'))) copy(`man/${name}`, `share/man/man1/${name}`);
  for (const [name, to] of Object.entries(completions)) copy(`dist/completions/${name}`, to);
  const doc = 'share/doc/mailer';
  for (const name of ['LICENSE', 'CHANGELOG.md']) copy(name, `${doc}/${name}`);
  writeFileSync(join(prefix, doc, 'LICENSES.txt'), licences);
}
