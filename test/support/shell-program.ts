import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { ClosedPipe } from '../../src/lib/base/system/system.ts';
import { temporaryDirectory } from './process.ts';
import type { World } from './run.ts';

/**
 * A `mailer` for shells that costs no process of Node: a script of bash that hands its words, its directory and its
 * environment over to the test's own process, and carries out the lines that it gets back.
 */
export interface ShellProgram {
  /** The path of the script. */
  readonly path: string;
  /** Await it before the script is started. */
  readonly ready: Promise<void>;
}

/** Offers the program in a world to shells until the test ends. */
export function shellProgram(world: World): ShellProgram {
  const directory = temporaryDirectory();
  const path = join(directory, 'mailer');
  let runs = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    world.clock.now = Math.max(world.clock.now, Date.now());
    void run(world, socket, join(directory, `stdin-${++runs}`));
  });
  onTestFinished(() => {
    server.close();
  });
  const ready = new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      // It listens on a TCP port.
      const { port } = server.address() as AddressInfo;
      writeFileSync(path, script(port), { mode: 0o755 });
      resolve();
    });
  });
  return { path, ready };
}

// Its own variables have names that scripts do not export.
const script = (port: number) => `#!/usr/bin/env bash
exec 9<>/dev/tcp/127.0.0.1/${port}
mailer_names=($(compgen -e))
{
  printf '%s\\0' "$#" "$@" "$PWD" "\${#mailer_names[@]}"
  for mailer_name in "\${mailer_names[@]}"; do printf '%s=%s\\0' "$mailer_name" "\${!mailer_name}"; done
} >&9
while IFS= read -r mailer_line <&9; do eval "$mailer_line"; done
exit 1
`;

async function run(world: World, socket: Socket, stdinPath: string): Promise<void> {
  const { words, cwd, env } = await requestOn(socket);
  const gone = new AbortController();
  socket.once('close', () => gone.abort(new ClosedPipe()));
  const { exitCode } = await world.run(words, {
    cwd,
    env,
    stdin: stdinOn(socket, stdinPath),
    signal: gone.signal,
    // Other runs take place at the same time.
    uuid: randomUUID,
    written: (piece, stream) => {
      const to = stream === 'stdout' ? '' : ' >&2';
      socket.write(`printf ${quoted(piece)}${to}\n`);
    },
  });
  socket.end(`exit ${exitCode}\n`);
}

interface Request {
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

/** What the script sends first. */
async function requestOn(socket: Socket): Promise<Request> {
  const received: Buffer[] = [];
  return await new Promise((resolve) => {
    const hear = (chunk: Buffer) => {
      received.push(chunk);
      const request = requestIn(Buffer.concat(received).toString('utf8'));
      if (request === undefined) return;
      socket.off('data', hear);
      resolve(request);
    };
    socket.on('data', hear);
  });
}

/** Undefined if the text is not complete. */
function requestIn(text: string): Request | undefined {
  const fields = text.split('\0').slice(0, -1);
  const end = 1 + Number(fields[0]);
  const [cwd, count, ...variables] = fields.slice(end);
  if (cwd === undefined || count === undefined || variables.length < Number(count)) return;
  const pairs = variables.map((variable) => variable.split(/=(.*)/s));
  return { words: fields.slice(1, end), cwd, env: Object.fromEntries(pairs) };
}

/** The script's stdin, which it reads only if the program does: in a shell's loop, it is that of the loop. */
function stdinOn(socket: Socket, path: string): Readable {
  let isAsked = false;
  return new Readable({
    read() {
      if (isAsked) return;
      isAsked = true;
      socket.once('data', () => {
        this.push(readFileSync(path));
        this.push(null);
      });
      socket.write(`cat >'${path}'; echo >&9\n`);
    },
  });
}

/** A format of `printf` on one line that writes these bytes. */
function quoted(bytes: Buffer): string {
  const text = bytes.toString('latin1').replace(/[^ -~]|['\\%]/g, (character) => {
    if (character === '%') return '%%';
    return `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
  });
  return `'${text}'`;
}
