import { copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { works } from '../support/needs.ts';
import { root, temporaryDirectory } from '../support/process.ts';

// A bare Debian with the shells of its users and man, and without Node.

const release = 'bookworm';
// Node, for the npm package, needs libatomic1; install.sh downloads with wget.
const packages = ['man-db', 'bash-completion', 'zsh', 'fish', 'wget', 'libatomic1'];

export const debootstrap = works('debootstrap --version', 'debootstrap');

/** A copy of it for a test. */
export interface Debian {
  readonly directory: string;
  /** Copies a file into `/mnt` there. */
  add(path: string): void;
  /** Runs a shell command there, as root, with HOME=/tmp. A failure does not reject the promise. */
  run(command: string): Promise<{
    readonly exitCode?: number | undefined;
    readonly stdout: string;
    readonly stderr: string;
  }>;
}

/** Installs it on first use, which takes a minute. */
export async function createDebian(): Promise<Debian> {
  const cache = join(root, 'node_modules', '.cache', `debian-${[release, ...packages].join('-')}`);
  if (!existsSync(cache)) {
    const words = ['--variant=minbase', `--include=${packages.join(',')}`, release];
    rmSync(`${cache}-new`, { recursive: true, force: true });
    await execa('debootstrap', [...words, `${cache}-new`]);
    renameSync(`${cache}-new`, cache);
  }
  const directory = join(temporaryDirectory(), 'debian');
  await execa('cp', ['-a', cache, directory]);
  // The program needs /proc; what is mounted is gone with the process.
  const enter =
    'mount -t proc proc "$0/proc" && mount --bind /dev "$0/dev" && exec chroot "$0" "$@"';
  const inside = ['unshare', '--mount', '--pid', '--fork', '--kill-child', 'sh', '-c', enter];
  return {
    directory,
    add: (path) => copyFileSync(path, join(directory, 'mnt', path.split('/').at(-1) ?? '')),
    run: (command) =>
      execa('unshare', [...inside.slice(1), directory, 'sh', '-c', command], {
        reject: false,
        extendEnv: false,
        env: {
          HOME: '/tmp',
          PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
          LANG: 'C.UTF-8',
          DEBIAN_FRONTEND: 'noninteractive',
        },
      }),
  };
}
