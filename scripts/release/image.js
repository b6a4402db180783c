// Images as OCI archives: the executable and the C library of this machine, and nothing else: no shell, no package manager.
// No daemon and no registry is needed.
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from '../run.js';
import { Missing, need } from './needed.js';

/** The user in the image, by number, because Kubernetes wants to see that it is not root. */
const user = '65532:65532';

/** What the program and the sandbox differ in. */
const kinds = {
  mailer: { entrypoint: ['/usr/bin/mailer'], command: [], env: { HOME: '/data' } },
  // In the network of containers each has a name; --allow-host adds those with dots.
  'mailer-sandbox': {
    entrypoint: ['/usr/bin/mailer', 'sandbox', 'start', '--host', '0.0.0.0'],
    command: ['--port', '4100', '--smtp-port', '1025'],
    env: { HOME: '/data', MAILER_SANDBOX_DIR: '/data' },
    ports: ['4100/tcp', '1025/tcp'],
  },
};

/** Makes an image of `tree`, an installation below a prefix, for this machine's processor. `kind` is one of `kinds`. */
export function makeImage(file, kind, tree, { version, commit, epoch }, work) {
  need({ buildah: 'buildah', ldd: 'libc-bin' });
  rmSync(work, { recursive: true, force: true });
  const root = join(work, 'root');
  const system = writeRoot(root, tree);
  const { entrypoint, command, env, ports = [] } = kinds[kind];
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run')];
  const buildah = (words) => run('buildah', [...storage, '--storage-driver', 'vfs', ...words]);
  const container = buildah(['from', 'scratch']).trim();
  buildah(['copy', container, root, '/']);
  buildah(['copy', '--chown', user, container, join(work, 'data'), '/data']);
  const labels = {
    'org.opencontainers.image.title': kind,
    'org.opencontainers.image.version': version,
    'org.opencontainers.image.revision': commit,
    'org.opencontainers.image.licenses': 'MIT',
    'org.opencontainers.image.description': `The executable, with the C library of ${system}`,
  };
  buildah([
    'config',
    ...['--user', user, '--workingdir', '/data', '--volume', '/data'],
    ...['--entrypoint', JSON.stringify(entrypoint), '--cmd', command.join(' ')],
    ...Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`]),
    ...ports.flatMap((port) => ['--port', port]),
    ...Object.entries(labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    container,
  ]);
  buildah(['commit', '--rm', '--timestamp', String(epoch), container, kind]);
  rmSync(file, { force: true });
  buildah(['push', kind, `oci-archive:${file}:${kind}:${version}`]);
  rmSync(work, { recursive: true, force: true });
}

/** Writes the files of an image. Returns the name of the system whose C library it has. */
function writeRoot(root, tree) {
  const add = (path, to) => {
    mkdirSync(dirname(join(root, to)), { recursive: true });
    copyFileSync(path, join(root, to));
  };
  cpSync(tree, join(root, 'usr'), { recursive: true });
  const libraries = [...run('ldd', [join(tree, 'bin/mailer')]).matchAll(/\s(\/\S+) \(0x/g)];
  if (libraries.length === 0) throw new Missing('needs a machine with glibc');
  for (const [, path] of libraries) add(path, path);
  const licence = '/usr/share/doc/libc6/copyright';
  if (existsSync(licence)) add(licence, licence);
  mkdirSync(join(root, 'etc'));
  writeFileSync(
    join(root, 'etc/passwd'),
    'root:x:0:0::/:/sbin/nologin\nmailer:x:65532:65532::/data:/sbin/nologin\n',
  );
  writeFileSync(join(root, 'etc/group'), 'root:x:0:\nmailer:x:65532:\n');
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  for (const [path, mode] of [
    ['tmp', 0o1777],
    ['../data', 0o700],
  ]) {
    mkdirSync(join(root, path));
    chmodSync(join(root, path), mode);
  }
  return run('sh', ['-c', '. /etc/os-release && echo "$PRETTY_NAME"']).trim();
}
