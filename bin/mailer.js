#!/usr/bin/env node
// Runs on any Node that knows ES modules, so that an old one gets a sentence instead of a stack
// trace: no syntax or import here that is newer than Node 14.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import { fileURLToPath } from 'node:url';

const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  const { start } = await import('../dist/start.js');
  await start();
} else {
  await handOver();
}

/** In a checkout the toolchain has brought a Node that is new enough; elsewhere there is none. */
async function handOver() {
  const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
  if (!existsSync(node)) {
    process.stderr.write(
      `mailer needs Node 22.19 or newer; this is Node ${process.versions.node}.\n`,
    );
    process.exitCode = 2;
    return;
  }
  const { spawn } = createRequire(import.meta.url)('node:child_process');
  const child = spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  // Ctrl-C on a terminal reaches the child by itself. Sent on as well it would be a second one,
  // which kills.
  const onTerminal = [0, 1, 2].some((stream) => isatty(stream));
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  child.on('close', (code, signal) => {
    process.exitCode = code === null ? 128 + constants.signals[signal] : code;
  });
}
