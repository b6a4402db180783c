import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test } from 'vitest';
import { installed, linux, needing, works } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';
import {
  type Answering,
  createRelease,
  filesOfArchive,
  serveFiles,
  writeSum,
} from '../../support/release-files.ts';
import { mounting, mountSmallDisk } from '../../support/small-disk.ts';

// install.sh, which runs before there is a mailer, from a server on this machine.

const script = join(root, 'install.sh');
const shells = [['dash'], ['bash', '--posix'], ['bash'], ['busybox', 'sh']] as const;

/** What install.sh runs, besides what downloads. */
const tools =
  'sh cat sed awk tr sort grep find tar gzip cp mv rm mkdir chmod xargs tail sha256sum'.split(' ');

interface Running {
  readonly shell?: readonly [string, ...string[]];
  readonly env?: Readonly<Record<string, string>>;
  /** The script, if not that of the repository. */
  readonly file?: string;
}

/** A computer that has only some programs. `fakes` are shell scripts. */
async function createComputer(
  has: readonly string[] = [...tools, 'curl'],
  fakes: Readonly<Record<string, string>> = {},
) {
  const home = temporaryDirectory();
  const bin = temporaryDirectory();
  const prefix = join(home, '.local');
  const link = async (name: string) => {
    const { stdout } = await execa('sh', ['-c', `command -v ${name}`]);
    symlinkSync(stdout, join(bin, name));
  };
  for (const name of has) await link(name);
  const all = {
    uname: 'case $1 in -s) echo Linux ;; -m) echo x86_64 ;; esac',
    ldd: 'echo "ldd (Debian GLIBC 2.36) 2.36"',
    ...fakes,
  };
  for (const [name, text] of Object.entries(all)) {
    writeFileSync(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  const start = (
    download: string,
    words: readonly string[] = [],
    { shell: [shell, ...flags] = ['sh'], env = {}, file = script }: Running = {},
  ) =>
    execa(join(bin, shell), [...flags, file, ...words], {
      cwd: home,
      env: { PATH: bin, HOME: home, MAILER_DOWNLOAD: download, ...env },
      extendEnv: false,
      reject: false,
      // Ctrl-C in a terminal is a signal to all of its processes.
      detached: true,
    });
  return {
    bin,
    prefix,
    link,
    start,
    async install(...given: Parameters<typeof start>) {
      const { exitCode, stdout, stderr } = await start(...given);
      return { exitCode, stdout, stderr };
    },
    /** Every file below the prefix. */
    files: () =>
      existsSync(prefix)
        ? readdirSync(prefix, { recursive: true, encoding: 'utf8' })
            .filter((path) => !lstatSync(join(prefix, path)).isDirectory())
            .sort()
        : [],
  };
}

const list = 'share/doc/mailer/installed-files.txt';
const allFiles = [...Object.keys(filesOfArchive('1.2.3')), list].sort();
const archive = 'mailer-1.2.3-linux-x64.tar.gz';
const unchanged = 'Nothing was installed or changed.';

/** A release that is served, and a computer. */
async function createScene(answering?: Answering, ...given: Parameters<typeof createComputer>) {
  const release = await createRelease('1.2.3');
  const server = await serveFiles(release.directory, '127.0.0.1', answering);
  return { release, ...server, ...(await createComputer(...given)) };
}

/** Expects that the script fails with a sentence and leaves nothing behind. */
async function expectFailure(
  { install, files, url }: Awaited<ReturnType<typeof createComputer>> & { readonly url: string },
  sentence: string,
  ...rest: [words?: readonly string[], running?: Running]
) {
  const { exitCode, stderr } = await install(url, ...rest);
  expect(stderr).toContain(sentence);
  expect(stderr).toContain(unchanged);
  expect(exitCode).toBe(1);
  expect(files()).toEqual([]);
}

/** As if it came from elsewhere. */
function redirecting(path: string, location: string): Answering {
  return (request, response) => {
    if (request.url !== path) return false;
    response.writeHead(302, { location }).end();
    return true;
  };
}

const certificate = (name: string) => join(root, 'test', 'lib', 'fixtures', 'tls', name);

/** Serves a directory over https, with a certificate that this machine does not trust. Returns the URL. */
async function serveSafely(directory: string): Promise<string> {
  const keys = {
    key: readFileSync(certificate('key.pem')),
    cert: readFileSync(certificate('cert.pem')),
  };
  const server = createServer(keys, ({ url = '' }, response) => {
    response.end(readFileSync(join(directory, url)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // of a server on a port
  return `https://localhost:${port}`;
}

describe('install.sh', needing(linux), () => {
  for (const shell of shells) {
    test(`in ${shell.join(' ')}`, needing(installed(shell[0])), async () => {
      const { install, link, url, files, prefix, bin } = await createScene();
      await link(shell[0]);
      const { exitCode, stdout, stderr } = await install(`${url}/`, [], { shell });
      expect([exitCode, stderr]).toEqual([0, '']);
      expect(files()).toEqual(allFiles);
      expect(stdout).toContain(`Installed mailer 1.2.3 (linux-x64) as ${prefix}/bin/mailer.`);
      expect(stdout).toContain(`export PATH=${prefix}/bin:$PATH`);
      const run = await execa(join(prefix, 'bin', 'mailer'), ['--version'], { env: { PATH: bin } });
      expect(run.stdout).toBe('1.2.3');
      expect(statSync(join(prefix, 'share/man/man1/mailer.1')).mode & 0o777).toBe(0o644);
      // What it says removes everything.
      const undo = stdout.slice(stdout.indexOf('To undo this:\n')).split('\n')[1] ?? '';
      await execa('sh', ['-c', undo]);
      expect(files()).toEqual([]);
    });
  }

  test('has no complaint of shellcheck', needing(installed('shellcheck')), async () => {
    const { stdout } = await execa('shellcheck', ['--shell=sh', script], { reject: false });
    expect(stdout).toBe('');
  });

  test('does nothing if it was cut on its way', async () => {
    const { home, bin, url, requested } = { home: temporaryDirectory(), ...(await createScene()) };
    const lines = readFileSync(script, 'utf8').trimEnd().split('\n');
    const env = { PATH: bin, HOME: home, MAILER_DOWNLOAD: url };
    const cuts = lines.flatMap((_, index) => (index % 9 === 0 ? index : []));
    for (const cut of [...cuts, lines.length - 1]) {
      const input = `${lines.slice(0, cut).join('\n')}\n`;
      const { stdout } = await execa('sh', { input, env, extendEnv: false, reject: false });
      expect(stdout, `cut at line ${cut}`).toBe('');
    }
    expect(requested).toEqual([]);
    expect(readdirSync(home)).toEqual([]);
  });

  test('installs with wget, too', needing(installed('wget')), async () => {
    const { install, url, files } = await createScene(undefined, [...tools, 'wget']);
    expect(await install(url)).toMatchObject({ exitCode: 0 });
    expect(files()).toEqual(allFiles);
  });

  test('installs with the tools of busybox alone', needing(installed('busybox')), async () => {
    const { stdout } = await execa('busybox', ['--list']);
    const applets = new Set(stdout.split('\n'));
    const names = [...tools, 'wget'].filter((name) => applets.has(name));
    const fakes = Object.fromEntries(names.map((name) => [name, `exec busybox ${name} "$@"`]));
    const { install, bin, url, files } = await createScene(undefined, ['busybox'], {
      ...fakes,
      ldd: 'echo "musl libc (x86_64)" >&2; exit 1',
    });
    // Scripts need a shell that is no script.
    await execa('rm', [join(bin, 'sh')]);
    const { stderr } = await install(url, [], { shell: ['busybox', 'sh'] });
    expect(stderr).toContain('SHA256SUMS does not have exactly one SHA-256 checksum');
    expect(stderr).toContain('mailer-1.2.3-linux-x64-musl.tar.gz');
    writeFileSync(join(bin, 'ldd'), '#!/bin/sh\necho GLIBC\n');
    expect(await install(url, [], { shell: ['busybox', 'sh'] })).toMatchObject({ exitCode: 0 });
    expect(files()).toEqual(allFiles);
  });

  test('leaves nothing behind if nobody reads what it says', async () => {
    const { start, url, files, prefix } = await createScene();
    for (const words of [['--dir', prefix], ['--uninstall']]) {
      const started = start(url, words);
      // As head does, which has read enough.
      started.stdout.once('data', () => started.stdout.destroy());
      await started;
      expect(files().filter((path) => !allFiles.includes(path))).toEqual([]);
    }
  });

  test('removes what an installation left that was killed', async () => {
    const { install, url, prefix } = await createScene();
    await install(url);
    mkdirSync(join(prefix, 'bin', '.mailer-install-1'));
    await install(url, ['--uninstall']);
    expect(readdirSync(join(prefix, 'bin'))).toEqual([]);
  });

  test('removes nothing of another installation, and no files of others', async () => {
    const { install, url, prefix } = await createScene();
    await install(url);
    const notes = join(prefix, 'share/doc/mailer/NOTES');
    writeFileSync(notes, 'mine');
    const program = join(prefix, 'bin', 'mailer');
    renameSync(program, `${program}-other`);
    symlinkSync(`${program}-other`, program);
    const refused = await install(url, ['--uninstall']);
    expect(refused).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('is a link') });
    expect(lstatSync(program).isSymbolicLink()).toBe(true);
    renameSync(`${program}-other`, program);
    expect(await install(url, ['--uninstall'])).toMatchObject({ exitCode: 0 });
    expect([existsSync(program), readFileSync(notes, 'utf8')]).toEqual([false, 'mine']);
  });

  test('says what it could not remove, and can be run again', async () => {
    const { install, url, prefix } = await createScene();
    await install(url);
    const page = join(prefix, 'share/man/man1/mailer.1');
    renameSync(page, `${page}-away`);
    mkdirSync(page);
    const others = join(prefix, 'bin', '.mailer-install-5-notes');
    mkdirSync(others);
    const { exitCode, stderr } = await install(url, ['--uninstall']);
    expect(stderr).toContain('and run this again: share/man/man1/mailer.1');
    expect(exitCode).toBe(1);
    rmdirSync(page);
    expect(await install(url, ['--uninstall'])).toMatchObject({ exitCode: 0 });
    expect(existsSync(others)).toBe(true);
  });

  test.each(['', '0', 'A'.repeat(64), `${'0'.repeat(63)}g`])(
    'downloads nothing for the checksum "%s"',
    async (sum) => {
      const { install, url } = await createScene();
      const { exitCode, stderr } = await install(url, [], { env: { MAILER_SHA256: sum } });
      expect(stderr).toContain('MAILER_SHA256 is not a SHA-256 checksum');
      expect(exitCode).toBe(1);
    },
  );

  test('chooses a version and a directory', async () => {
    const { release, install, url, prefix, files } = await createScene();
    release.sums((text) => text + text.replaceAll('1.2.3', '1.3.0-rc.1'));
    const { stderr } = await install(url);
    expect(stderr).toContain('Choose one with --version: 1.2.3 1.3.0-rc.1');
    const words = ['--version', 'v1.2.3', '--dir', "it's here"];
    const { exitCode, stdout } = await install(url, words);
    expect(exitCode).toBe(0);
    const place = join(dirname(prefix), "it's here");
    expect(stdout).toContain(`Installed mailer 1.2.3 (linux-x64) as ${place}/bin/mailer.`);
    expect(files()).toEqual([]);
    const again = await install(url, [`--dir=${place}`, '--uninstall']);
    expect(again.stdout).toContain('Removed mailer');
    expect(existsSync(join(place, 'bin', 'mailer'))).toBe(false);
    expect(await install(url, ['--version', '../1'])).toMatchObject({ exitCode: 1 });
  });

  test('needs to be told where the files are', async () => {
    const { install } = await createScene();
    const { exitCode, stderr } = await install('');
    expect(stderr).toContain('MAILER_DOWNLOAD=https://… sh install.sh');
    expect(exitCode).toBe(1);
  });

  test('knows both itself, once a release has written them into it', async () => {
    const { release, install, files } = await createScene();
    const server = await serveFiles(release.directory, '127.0.0.1', ({ url = '' }, response) => {
      const path = url.replace('/ana/mailer/releases/download/v1.2.3/', '');
      response.end(path === url ? '' : readFileSync(join(release.directory, path)));
      return true;
    });
    // Other versions beside it do not matter.
    release.sums((text) => text + text.replaceAll('1.2.3', '1.3.0'));
    const released = readFileSync(script, 'utf8')
      .replace(/^released_version=''$/m, "released_version='1.2.3'")
      .replace(/^repository=''$/m, `repository='${server.url}/ana/mailer'`);
    const file = join(release.directory, 'install.sh');
    writeFileSync(file, released);
    const { exitCode, stdout } = await install('', [], { file });
    expect(stdout).toContain('Installed mailer 1.2.3');
    expect(exitCode).toBe(0);
    expect(files()).toEqual(allFiles);
  });

  test('replaces an older version, and removes what that had besides', async () => {
    const { release, install, url, files, prefix, bin } = await createScene();
    const more = { ...filesOfArchive('1.2.3'), 'share/man/man1/mailer-old.1': 'old' };
    await release.pack('linux-x64', more);
    await install(url);
    expect(files()).toContain('share/man/man1/mailer-old.1');
    writeFileSync(join(prefix, 'bin', 'mailer'), 'old');
    writeFileSync(join(prefix, 'share/man/man1/other.1'), 'of somebody else');
    await release.pack('linux-x64', filesOfArchive('1.2.3'));
    const path = `${bin}:${prefix}/bin`;
    const { stdout } = await install(url, [], { env: { PATH: path } });
    expect(stdout).toContain('in place of the one that was there');
    expect(stdout).not.toContain('PATH');
    expect(files()).toEqual([...allFiles, 'share/man/man1/other.1'].sort());
    expect(readFileSync(join(prefix, 'bin', 'mailer'), 'utf8')).toContain('1.2.3');
  });

  test('leaves the link of another installer alone', async () => {
    const { install, url, prefix } = await createScene();
    mkdirSync(join(prefix, 'bin'), { recursive: true });
    symlinkSync('../lib/mailer.js', join(prefix, 'bin', 'mailer'));
    const { exitCode, stderr } = await install(url);
    expect(stderr).toContain('of another installation');
    expect(exitCode).toBe(1);
  });

  describe('installs nothing', () => {
    test('with a wrong checksum', async () => {
      const scene = await createScene();
      const path = join(scene.release.directory, archive);
      writeFileSync(path, Buffer.concat([readFileSync(path), Buffer.from('more')]));
      await expectFailure(scene, `the checksum of ${archive} is not the one in SHA256SUMS`);
    });

    test('with another checksum than the one that is asked for', async () => {
      const scene = await createScene();
      const env = { MAILER_SHA256: '0'.repeat(64) };
      const sentence = `the checksum of ${archive} is not the one in MAILER_SHA256`;
      await expectFailure(scene, sentence, [], { env });
    });

    for (const [what, change] of [
      ['no line', (text: string) => text.replace(archive, 'other.tar.gz')],
      ['two lines', (text: string) => text + text.replace(/^./, '0')],
      ['an empty sum', (text: string) => text.replace(/^\S+/, '')],
    ] as const) {
      test(`with ${what} in SHA256SUMS`, async () => {
        const scene = await createScene();
        scene.release.sums(change);
        await expectFailure(scene, 'SHA256SUMS does not have exactly one SHA-256 checksum', [
          '--version',
          '1.2.3',
        ]);
        expect(scene.requested).toEqual(['/SHA256SUMS']);
      });
    }

    test('without a program for checksums', async () => {
      const fewer = tools.filter((name) => name !== 'sha256sum');
      const scene = await createScene(undefined, [...fewer, 'curl']);
      await expectFailure(scene, 'so no checksum can be checked');
      expect(scene.requested).toEqual([]);
    });

    for (const client of ['curl', 'wget']) {
      describe(`with ${client}`, needing(installed(client)), () => {
        const has = [...tools, client];

        test('if the download is cut', async () => {
          const cut: Answering = (request, response) => {
            if (request.url !== `/${archive}`) return false;
            response.writeHead(200, { 'content-length': 1000 });
            response.write('a', () => request.socket.destroy());
            return true;
          };
          await expectFailure(await createScene(cut, has), `${archive} could not be downloaded`);
        });

        test('if there is no such file', async () => {
          const missing: Answering = (_request, response) => {
            response.writeHead(404).end('a page');
            return true;
          };
          await expectFailure(
            await createScene(missing, has),
            'SHA256SUMS could not be downloaded',
          );
        });

        test('if SHA256SUMS has no end', async () => {
          const endless: Answering = (_request, response) => {
            const more = (error?: Error | null) => {
              if (!error && !response.destroyed) response.write('0'.repeat(64 * 1024), more);
            };
            more();
            return true;
          };
          await expectFailure(await createScene(endless, has), 'SHA256SUMS is too large');
        });

        test('if the archive is far larger than one is', async () => {
          const scene = await createScene(undefined, has);
          const file = join(temporaryDirectory(), 'install.sh');
          const text = readFileSync(script, 'utf8');
          // Half a kilobyte in place of 500 MB.
          writeFileSync(file, text.replace(/(fetch "\$name\.tar\.gz") 1000000/, '$1 1'));
          writeFileSync(join(scene.release.directory, archive), 'a'.repeat(2000));
          await expectFailure(scene, `${archive} is too large`, [], { file });
        });

        test('over a redirect to http elsewhere', async () => {
          const elsewhere = await serveFiles((await createRelease('1.2.3')).directory, '127.0.0.2');
          const answering = redirecting(`/${archive}`, `${elsewhere.url}/${archive}`);
          const scene = await createScene(answering, has);
          await expectFailure(scene, `${elsewhere.url}/${archive} is not https`);
        });

        test('over a redirect to another scheme', async () => {
          const answering = redirecting('/SHA256SUMS', 'ftp://127.0.0.1/SHA256SUMS');
          const scene = await createScene(answering, has);
          await expectFailure(scene, client === 'curl' ? 'ftp://' : 'could not be downloaded');
        });
      });
    }

    test('over http, unless that is asked for', async () => {
      const scene = { ...(await createScene()), url: 'http://example.invalid' };
      await expectFailure(scene, 'is not https');
      const env = { MAILER_DOWNLOAD_HTTP: '1' };
      await expectFailure(scene, 'SHA256SUMS could not be downloaded', [], { env });
    });

    test('from a URL with a password or control characters', async () => {
      const scene = await createScene();
      await expectFailure({ ...scene, url: 'https://ana:secret@example.invalid' }, '~/.netrc');
      await expectFailure({ ...scene, url: 'https://example.invalid/\u001b[2J' }, 'characters');
      await expectFailure({ ...scene, url: 'http://127.0.0.1\\.example.invalid' }, 'characters');
    });

    for (const [name, fakes, sentence] of [
      [
        'processor',
        { uname: '[ $1 = -s ] && echo Linux || echo riscv64' },
        'the processor riscv64',
      ],
      ['system', { uname: '[ $1 = -s ] && echo FreeBSD || echo amd64' }, 'FreeBSD'],
      ['C library', { ldd: 'echo "ldd (uClibc) 1.0"' }, 'the C library that ldd names'],
    ] as const) {
      test(`on an unknown ${name}, but says for which there is a file`, async () => {
        const scene = await createScene(undefined, undefined, fakes);
        await expectFailure(scene, `${sentence}. There is one for: linux-x64.`);
      });
    }

    test('if the program does not run here, or is another version', async () => {
      const scene = await createScene();
      const files = filesOfArchive('1.2.3');
      await scene.release.pack('linux-x64', { ...files, 'bin/mailer': '#!/nowhere\n' });
      await expectFailure(scene, 'does not run on this machine');
      await scene.release.pack('linux-x64', { ...files, 'bin/mailer': '#!/bin/sh\necho 1.2.2\n' });
      await expectFailure(scene, 'is not version 1.2.3');
    });

    for (const [what, change, flags] of [
      ['a path outside', 'true', ['-P', '--transform=s,[^/]*/bin/mailer$,../evil,']],
      ['an absolute path', 'true', ['-P', '--transform=s,[^/]*/bin/mailer$,/tmp/mailer-evil,']],
      ['a symbolic link', 'ln -s /etc share/link', []],
      ['two names of one file', 'ln bin/mailer share/other', []],
      ['a pipe', 'mkfifo share/pipe', []],
      ['a name with a space', 'touch "share/a b"', []],
    ] as const) {
      test(
        `from an archive with ${what}`,
        needing(works('tar --version | grep GNU', 'tar')),
        async () => {
          const scene = await createScene();
          const place = temporaryDirectory();
          const name = 'mailer-1.2.3-linux-x64';
          const file = join(scene.release.directory, archive);
          await execa('tar', ['-xzf', file, '-C', place]);
          await execa('sh', ['-c', change], { cwd: join(place, name) });
          await execa('tar', ['-czf', file, ...flags, name], { cwd: place });
          writeSum(scene.release.directory, archive);
          await expectFailure(scene, 'has files that an archive of mailer does not have');
          expect(existsSync('/tmp/mailer-evil')).toBe(false);
        },
      );
    }

    test('if Ctrl-C stops it', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { start, url, files } = await createScene((request, response) => {
        if (request.url !== `/${archive}`) return false;
        response.writeHead(200, { 'content-length': 1000 });
        response.write('a', () => resolve());
        return true;
      });
      const started = start(url);
      await promise;
      if (started.pid === undefined) throw new Error('it did not start');
      process.kill(-started.pid, 'SIGINT');
      expect(await started).toMatchObject({ exitCode: 130 });
      expect(files()).toEqual([]);
    });

    test('on a full disk, where the older version stays', needing(mounting), async () => {
      const scene = await createScene();
      mkdirSync(scene.prefix);
      const disk = await mountSmallDisk(join(scene.prefix, 'small'), 256);
      const words = ['--dir', disk.path];
      expect(await scene.install(scene.url, words)).toMatchObject({ exitCode: 0 });
      const before = scene.files();
      // It can be downloaded, but not unpacked.
      const large = `${filesOfArchive('1.2.3')['bin/mailer']}${' '.repeat(300_000)}`;
      await scene.release.pack('linux-x64', { ...filesOfArchive('1.2.3'), 'bin/mailer': large });
      const unpacked = await scene.install(scene.url, words);
      expect(unpacked.stderr).toContain('could not be unpacked');
      expect(unpacked.stderr).toContain(unchanged);
      expect(scene.files()).toEqual(before);
      // Nor can it be downloaded.
      disk.fill();
      const downloaded = await scene.install(scene.url, words);
      expect(downloaded.stderr).toContain(unchanged);
      expect(downloaded.exitCode).toBe(1);
      disk.empty();
      expect(scene.files()).toEqual(before);
      const { stdout } = await execa(join(disk.path, 'bin', 'mailer'), ['--version']);
      expect(stdout).toBe('1.2.3');
    });
  });

  for (const client of ['curl', 'wget']) {
    test(
      `uses the proxy of the environment, with ${client}`,
      needing(installed(client)),
      async () => {
        const { directory } = await createRelease('1.2.3');
        const asked: string[] = [];
        // A request through a proxy has the whole URL.
        const proxy = await serveFiles(directory, '127.0.0.1', ({ url = '' }, response) => {
          asked.push(url);
          response.end(readFileSync(join(directory, new URL(url).pathname)));
          return true;
        });
        const { install, files } = await createComputer([...tools, client]);
        const env = { MAILER_DOWNLOAD_HTTP: '1', http_proxy: proxy.url };
        expect(await install('http://files.example.invalid', [], { env })).toMatchObject({
          exitCode: 0,
        });
        expect(asked).toEqual(
          ['SHA256SUMS', archive].map((name) => `http://files.example.invalid/${name}`),
        );
        expect(files()).toEqual(allFiles);
      },
    );

    test(
      `checks the certificate of the server, with ${client}`,
      needing(installed(client)),
      async () => {
        const { directory } = await createRelease('1.2.3');
        const url = await serveSafely(directory);
        const computer = await createComputer([...tools, client]);
        await expectFailure({ ...computer, url }, 'SHA256SUMS could not be downloaded');
        // Which variable wget reads depends on its TLS.
        if (client === 'wget') return;
        const env = { CURL_CA_BUNDLE: certificate('cert.pem') };
        expect(await computer.install(url, [], { env })).toMatchObject({ exitCode: 0 });
        expect(computer.files()).toEqual(allFiles);
      },
    );
  }

  test('uses no wget that checks no certificates', needing(installed('busybox')), async () => {
    const url = await serveSafely((await createRelease('1.2.3')).directory);
    const fakes = { wget: 'exec busybox wget "$@"' };
    const computer = await createComputer([...tools, 'busybox'], fakes);
    // Some versions of busybox do check them.
    const { exitCode, stderr } = await computer.install(url);
    expect(stderr).toMatch(/this wget checks no certificates|could not be downloaded/);
    expect(exitCode).toBe(1);
    expect(computer.files()).toEqual([]);
  });

  test('follows redirects on this machine', async () => {
    const { install, url, files } = await createScene();
    const elsewhere = await createScene((request, response) =>
      redirecting(request.url ?? '', `${url}${request.url}`)(request, response),
    );
    const { exitCode, stderr } = await install(elsewhere.url);
    expect([exitCode, stderr]).toEqual([0, '']);
    expect(files()).toEqual(allFiles);
  });
});
