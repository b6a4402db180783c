import {
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, onTestFinished, test } from 'vitest';
import { createPlace, isAnother, node, root, temporaryDirectory } from '../../support/process.ts';
import { works } from '../../support/programs.ts';
import { firstLine } from '../../support/served.ts';
import { read } from '../../support/sources.ts';

const npmFile = 'readlink -f "$(command -v npm)"';
/** Images are kept in a directory of the test, and nothing needs a daemon or a registry. */
const storage = (directory: string) =>
  `--root ${directory}/storage --runroot ${directory}/run --storage-driver vfs`;
const canBuild =
  process.platform === 'linux' &&
  works(`test -d "$(dirname "$(${npmFile})")/../node_modules"`) &&
  works(`d=$(mktemp -d); buildah ${storage('$d')} from scratch; s=$?; rm -r "$d"; exit $s`);

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

test.skipIf(isAnother || !canBuild)(
  'the Containerfile of docs/sandbox.md is built, and its image serves the sandbox without root',
  async () => {
    const directory = temporaryDirectory();
    const buildah = (words: readonly string[]) =>
      execa('buildah', [...storage(directory).split(' '), ...words], { cwd: directory });
    const blocks = [...read('docs/sandbox.md').matchAll(/```\w+ ?(\w*)\n(.*?)```/gs)];
    const containerfile = blocks.find(([, , text = '']) => text.startsWith('FROM '))?.[2] ?? '';
    const [, base = ''] = /^FROM (\S+)\n/.exec(containerfile) ?? [];
    writeFileSync(join(directory, 'Containerfile'), containerfile);
    const command = blocks
      .map(([, , text = '']) => text)
      .find((text) => text.includes('podman build'));
    const [, flags = ''] = /podman build (.*) --build-arg/.exec(command ?? '') ?? [];

    const { stdout: container } = await buildah(['from', 'scratch']);
    await buildah(['copy', container, await nodeImage(directory), '/']);
    await buildah(['config', '--env', 'PATH=/usr/local/bin:/usr/bin:/bin', container]);
    await buildah(['commit', '--rm', container, base]);
    const isolation = ['--isolation', 'chroot'];
    const given = ['--build-arg', `MAILER_PACKAGE=${await packageUrl(directory)}`];
    const words = ['bud', '--pull-never', ...isolation, ...flags.split(' '), ...given];
    const built = await buildah([...words, '--tag', 'sandbox', directory]);
    // Such as a health check that the format of the image has no place for.
    expect(built.stderr).not.toContain('level=warning');

    const { stdout: inspected } = await buildah(['inspect', '--type', 'image', 'sandbox']);
    const image: Image = JSON.parse(inspected);
    const { User, Entrypoint, Cmd, Healthcheck } = image.Docker.config;
    expect(User).toBe('node');
    const { stdout: running } = await buildah(['from', '--pull-never', 'sandbox']);
    const run = (words: readonly string[]) =>
      buildah(['run', ...isolation, running, '--', ...words]);
    expect((await run(['id', '-un'])).stdout).toBe('node');
    // Containers of chroot isolation have the network of the machine, where these ports may be taken.
    const free = [...Entrypoint.map((word) => (word === '1025' ? '0' : word)), '--port', '0'];
    const serving = run([...free, ...Cmd, '--json']);
    onTestFinished(async () => {
      // SIGKILL would not reach the program, which is not a child of this process.
      serving.kill('SIGTERM');
      await serving.catch(() => {});
    });
    const { url, port } = JSON.parse(await firstLine(serving));
    const [kind, ...check] = Healthcheck.Test;
    expect(kind).toBe('CMD');
    await run(check.map((word) => word.replace('4100', String(port))));
    await expect(run(check.map((word) => word.replace('4100', '1')))).rejects.toThrow();
    // As another container calls it.
    const host = Cmd[Cmd.indexOf('--allow-host') + 1];
    const called = await execa('curl', ['-s', '-H', `Host: ${host}`, `${url}/healthz`]);
    expect(JSON.parse(called.stdout)).toEqual({ status: 'ok' });
  },
);

/** A directory with this machine's Node, npm and shell, and what they load: in place of Node's image. */
async function nodeImage(directory: string): Promise<string> {
  const image = join(directory, 'image');
  const { stdout: npm } = await execa('sh', ['-c', npmFile]);
  const programs = {
    sh: '/bin/sh',
    install: '/usr/bin/install',
    env: '/usr/bin/env',
    id: '/usr/bin/id',
  };
  const { stdout: loaded } = await execa('ldd', [node, ...Object.values(programs)]);
  const libraries = new Set([...loaded.matchAll(/\s(\/\S+) \(0x/g)].map(([, path = '']) => path));
  const add = (path: string, name: string) => {
    mkdirSync(dirname(join(image, name)), { recursive: true });
    copyFileSync(path, join(image, name));
  };
  for (const path of libraries) add(path, path);
  for (const [name, path] of Object.entries(programs)) add(path, `usr/bin/${name}`);
  add(node, 'usr/local/bin/node');
  symlinkSync('usr/bin', join(image, 'bin'));
  const modules = join(image, 'usr/local/lib/node_modules/npm');
  cpSync(dirname(dirname(npm)), modules, { recursive: true });
  symlinkSync('../lib/node_modules/npm/bin/npm-cli.js', join(image, 'usr/local/bin/npm'));
  mkdirSync(join(image, 'tmp'), { mode: 0o777 });
  mkdirSync(join(image, 'etc'));
  writeFileSync(join(image, 'etc/passwd'), 'root:x:0:0::/:/bin/sh\nnode:x:1000:1000::/:/bin/sh\n');
  writeFileSync(join(image, 'etc/group'), 'root:x:0:\nnode:x:1000:\n');
  return image;
}

/** Serves the program as a package, and returns where it can be fetched. */
async function packageUrl(directory: string): Promise<string> {
  const staged = join(directory, 'staged');
  for (const name of ['bin', 'dist', 'package.json']) {
    cpSync(join(root, name), join(staged, name), { recursive: true });
  }
  const words = ['pack', '--ignore-scripts', '--pack-destination', directory];
  const { stdout } = await execa('npm', words, { cwd: staged, env: createPlace().env });
  const file = readFileSync(join(directory, basename(stdout.trim())));
  rmSync(staged, { recursive: true });
  const server = createServer((_request, response) => response.end(file));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mailer-cli.tgz`;
}
