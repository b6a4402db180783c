import { copyFileSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { type Need, works } from '../../support/needs.ts';
import { node, temporaryDirectory } from '../../support/process.ts';

const npmFile = 'readlink -f "$(command -v npm)"';
/** Images are kept in a directory of the test, and nothing needs a daemon or a registry. */
const storage = (directory: string) =>
  `--root ${directory}/storage --runroot ${directory}/run --storage-driver vfs`;

/** Builds an image, and runs what is in it. */
export const buildah = works(`buildah ${storage('$(mktemp -d)')} from scratch`, 'buildah');

/** The image gets this machine's npm. */
export const npmBesideNode: Need = {
  ...works(`test -d "$(dirname "$(${npmFile})")/../node_modules"`, 'npm'),
  why: 'npm is not where Node installs it',
};

/** What podman's `inspect` shows, too. */
interface Image {
  readonly Docker: {
    readonly config: {
      readonly User: string;
      readonly Entrypoint: readonly string[];
      readonly Cmd: readonly string[];
      readonly Healthcheck: { readonly Test: readonly string[] };
    };
  };
}

/**
 * Builds an image on one that has this machine's Node and npm in place of Node's own. They are mounted, because to copy
 * them takes longer than all the rest.
 */
export async function buildImage(containerfile: string, flags: readonly string[]) {
  const directory = temporaryDirectory();
  const buildah = (words: readonly string[]) =>
    execa('buildah', [...storage(directory).split(' '), ...words], { cwd: directory });
  const { stdout: npm } = await execa('sh', ['-c', npmFile]);
  const modules = '/usr/local/lib/node_modules/npm';
  const mounted = [
    ...['--volume', `${node}:/usr/local/bin/node:ro`],
    ...['--volume', `${dirname(dirname(npm))}:${modules}:ro`],
  ];
  const isolated = ['--isolation', 'chroot', ...mounted];

  const [, base = ''] = /^FROM (\S+)\n/.exec(containerfile) ?? [];
  const { stdout: container } = await buildah(['from', 'scratch']);
  await buildah(['copy', container, await baseFiles(directory, modules), '/']);
  await buildah(['config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container]);
  await buildah(['commit', '--rm', container, base]);
  writeFileSync(join(directory, 'Containerfile'), containerfile);
  const words = ['bud', '--pull-never', ...isolated, ...flags, '--tag', 'built', directory];
  const { stderr } = await buildah(words);

  const { stdout: inspected } = await buildah(['inspect', '--type', 'image', 'built']);
  const image: Image = JSON.parse(inspected);
  const { stdout: running } = await buildah(['from', '--pull-never', 'built']);
  const run = (words: readonly string[]) => buildah(['run', ...isolated, running, '--', ...words]);
  return { stderr, config: image.Docker.config, run };
}

/** A directory with a shell, what npm needs, and what Node and they load. */
async function baseFiles(directory: string, modules: string): Promise<string> {
  const image = join(directory, 'image');
  const add = (path: string, name: string) => {
    mkdirSync(dirname(join(image, name)), { recursive: true });
    copyFileSync(path, join(image, name));
  };
  const programs = ['/bin/sh', '/usr/bin/install', '/usr/bin/env', '/usr/bin/id'];
  for (const path of programs) add(path, join('usr/bin', path.slice(path.lastIndexOf('/') + 1)));
  const { stdout: loaded } = await execa('ldd', [node, ...programs]);
  for (const [, path = ''] of loaded.matchAll(/\s(\/\S+) \(0x/g)) add(path, path);
  symlinkSync('usr/bin', join(image, 'bin'));
  mkdirSync(join(image, 'usr/local/bin'), { recursive: true });
  symlinkSync(`${modules}/bin/npm-cli.js`, join(image, 'usr/local/bin/npm'));
  mkdirSync(join(image, 'tmp'), { mode: 0o777 });
  mkdirSync(join(image, 'etc'));
  writeFileSync(join(image, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n');
  writeFileSync(join(image, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  return image;
}

/** Where a file can be fetched until the test ends. */
export async function urlOf(path: string): Promise<string> {
  const file = readFileSync(path);
  const server = createServer((_request, response) => response.end(file));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  // The address of a TCP server is always an AddressInfo.
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mailer-cli.tgz`;
}
