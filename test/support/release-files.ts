import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from './process.ts';

/** A directory with the files of a release, of which the program is a shell script that only knows its version. */
export interface ReleaseFiles {
  readonly directory: string;
  /** Packs an archive again, with other files, and writes its checksum. */
  pack(platform: string, files: Readonly<Record<string, string>>): Promise<void>;
  /** Changes SHA256SUMS. */
  sums(change: (text: string) => string): void;
}

/** What an archive has below its folder, by path. */
export function filesOfArchive(version: string): Readonly<Record<string, string>> {
  return {
    'bin/mailer': `#!/bin/sh\necho ${version}\n`,
    'share/man/man1/mailer.1': '.TH MAILER 1\n',
    'share/bash-completion/completions/mailer': '# bash\n',
    'share/zsh/site-functions/_mailer': '#compdef mailer\n',
    'share/fish/vendor_completions.d/mailer.fish': '# fish\n',
    'share/doc/mailer/LICENSE': 'MIT\n',
  };
}

/** Makes a release of `version` for Linux on x64, with glibc. */
export async function createRelease(version: string): Promise<ReleaseFiles> {
  const directory = temporaryDirectory();
  const sums = join(directory, 'SHA256SUMS');
  writeFileSync(sums, '');
  const release: ReleaseFiles = {
    directory,
    async pack(platform, files) {
      const name = `mailer-${version}-${platform}`;
      const place = temporaryDirectory();
      for (const [path, text] of Object.entries(files)) {
        mkdirSync(dirname(join(place, name, path)), { recursive: true });
        writeFileSync(join(place, name, path), text, { mode: 0o755 });
      }
      await execa('tar', ['-czf', join(directory, `${name}.tar.gz`), name], { cwd: place });
      writeSum(directory, `${name}.tar.gz`);
    },
    sums(change) {
      writeFileSync(sums, change(readFileSync(sums, 'utf8')));
    },
  };
  await release.pack('linux-x64', filesOfArchive(version));
  return release;
}

/** Writes the checksum of a file of a release, in place of an earlier one. */
export function writeSum(directory: string, name: string): void {
  const sums = join(directory, 'SHA256SUMS');
  const lines = readFileSync(sums, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.endsWith(` ${name}`));
  const sum = createHash('sha256')
    .update(readFileSync(join(directory, name)))
    .digest('hex');
  writeFileSync(sums, [...lines, `${sum}  ${name}`, ''].join('\n'));
}

/** Answers a request itself, or returns false. */
export type Answering = (request: IncomingMessage, response: ServerResponse) => boolean;

/** Serves a directory at an address of this machine; `answering` comes first. Returns its URL and the paths that were requested. */
export async function serveFiles(
  directory: string,
  host = '127.0.0.1',
  answering: Answering = () => false,
) {
  const requested: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requested.push(path);
    if (answering(request, response)) return;
    try {
      response.end(readFileSync(join(directory, path)));
    } catch {
      response.writeHead(404).end('Not here');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo; // of a server on a port
  return { url: `http://${host}:${port}`, requested };
}
