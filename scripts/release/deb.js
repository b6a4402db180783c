// The Debian package: the executable, manual pages, completions, changelog and licences. Nothing runs when it is
// installed or removed.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { run } from '../run.js';
import { need } from './needed.js';

const maintainer = 'The mailer authors <maintainers@mailer.invalid>';

/** Faults of lintian that are the nature of an executable made by Bun, each with its reason. */
const overrides = `# The program is data behind the runtime: whoever strips the file removes it.
mailer: unstripped-binary-or-object [usr/bin/mailer]
# The runtime is distributed as one file, with its libraries in it.
mailer: embedded-library *
`;

/** Makes a package of `tree`, an installation below a prefix, for a processor as Debian calls it. */
export function makeDeb(file, tree, { version, architecture, epoch }, work) {
  need({ 'dpkg-deb': 'dpkg', gzip: 'gzip' });
  rmSync(work, { recursive: true, force: true });
  const usr = join(work, 'usr');
  const doc = join(usr, 'share/doc/mailer');
  cpSync(tree, usr, { recursive: true });
  const completions = 'share/zsh/vendor-completions';
  renameSync(join(usr, 'share/zsh/site-functions'), join(usr, completions));
  writeDocuments(doc, version, epoch);
  mkdirSync(join(usr, 'share/lintian/overrides'), { recursive: true });
  writeFileSync(join(usr, 'share/lintian/overrides/mailer'), overrides);
  const pages = readdirSync(join(usr, 'share/man/man1')).map((name) => `share/man/man1/${name}`);
  const zipped = ['CHANGELOG.md', 'LICENSES.txt', 'changelog'].map((name) => join(doc, name));
  run('gzip', ['-9n', ...pages.map((path) => join(usr, path)), ...zipped]);
  writeControl(work, version, architecture);
  setModes(work);
  // At a higher level it takes minutes and saves little; several threads make other bytes than one.
  const packing = ['-Zxz', '-z1', '--threads-max=1'];
  run('dpkg-deb', ['--root-owner-group', ...packing, '--build', work, file], {
    env: { SOURCE_DATE_EPOCH: String(epoch) },
  });
}

function writeDocuments(doc, version, epoch) {
  const licence = readFileSync(join(doc, 'LICENSE'), 'utf8');
  rmSync(join(doc, 'LICENSE'));
  writeFileSync(
    join(doc, 'copyright'),
    `${licence}
The executable also has packages of npm and Bun, with JavaScriptCore, under licences of their own: see
LICENSES.txt.gz beside this file. The text of the LGPL is in /usr/share/common-licenses/LGPL-2.1, too.
`,
  );
  const date = new Date(epoch * 1000).toUTCString().replace('GMT', '+0000');
  writeFileSync(
    join(doc, 'changelog'),
    `mailer (${version}) unstable; urgency=medium

  * What is new is in CHANGELOG.md.gz, beside this file.

 -- ${maintainer}  ${date}
`,
  );
}

function writeControl(work, version, architecture) {
  const files = readdirSync(work, { recursive: true })
    .filter((path) => statSync(join(work, path)).isFile())
    .sort();
  const size = files.reduce((sum, path) => sum + statSync(join(work, path)).size, 0);
  const sums = files.map((path) => {
    const sum = createHash('md5')
      .update(readFileSync(join(work, path)))
      .digest('hex');
    return `${sum}  ${path}\n`;
  });
  mkdirSync(join(work, 'DEBIAN'));
  writeFileSync(join(work, 'DEBIAN/md5sums'), sums.join(''));
  writeFileSync(
    join(work, 'DEBIAN/control'),
    `Package: mailer
Version: ${version}
Architecture: ${architecture}
Maintainer: ${maintainer}
Installed-Size: ${Math.ceil(size / 1024)}
Depends: libc6 (>= 2.17)
Section: mail
Priority: optional
Description: send emails and campaigns through a delivery service
 Operates an account on an email delivery service from a terminal, a script or
 a CI job: sends emails and follows their delivery, checks drafts and domains,
 and keeps contacts, templates and campaigns. A sandbox is a local copy of the
 service, for tests.
`,
  );
}

function setModes(work) {
  chmodSync(work, 0o755);
  for (const path of readdirSync(work, { recursive: true })) {
    const isOpen = statSync(join(work, path)).isDirectory() || path === 'usr/bin/mailer';
    chmodSync(join(work, path), isOpen ? 0o755 : 0o644);
  }
}
