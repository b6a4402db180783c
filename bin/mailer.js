#!/usr/bin/env node
// Runs on an old Node too, so that it gets a sentence instead of a stack trace: no syntax or module
// name here that is newer than Node 14. CommonJS, as package.json beside it says: Node loads it,
// and the program, in less time than ES modules.
const [major, minor] = process.versions.node.split('.').map(Number);

if (major > 22 || (major === 22 && minor >= 19)) {
  start();
} else {
  handOver();
}

function start() {
  const dist = require('path').join(__dirname, '..', 'dist');
  if (!require('fs').existsSync(`${dist}/process.cjs`)) {
    process.stderr.write('mailer is not built yet: npm run build\n');
    process.exitCode = 2;
    return;
  }
  require(`${dist}/compile-cache.cjs`).keepCompiledCode();
  require(`${dist}/process.cjs`).runHere(process.argv.slice(2));
}

/** In a checkout the toolchain has brought a Node that is new enough; elsewhere there is none. */
function handOver() {
  const name = process.platform === 'win32' ? 'node.exe' : 'node';
  const node = require('path').join(__dirname, '..', 'node_modules', 'node', 'bin', name);
  if (!require('fs').existsSync(node)) {
    refuse('');
    return;
  }
  let child;
  // Listened for before the child starts, so that no signal ends this process alone. Ctrl-C on a terminal reaches the
  // child by itself. Sent on as well it would be a second one, which kills.
  const onTerminal = [0, 1, 2].some((stream) => require('tty').isatty(stream));
  process.on('SIGINT', () => onTerminal || child.kill('SIGINT'));
  for (const name of ['SIGTERM', 'SIGHUP']) process.on(name, () => child.kill(name));
  child = require('child_process').spawn(node, process.argv.slice(1), { stdio: 'inherit' });
  child.on('error', (error) => refuse(`, and the one of this checkout fails: ${error.message}`));
  child.on('exit', (code, signal) => {
    process.exitCode = code === null ? 128 + require('os').constants.signals[signal] : code;
  });
}

function refuse(more) {
  const { node } = process.versions;
  const page = require('path').join(__dirname, '..', 'docs', 'release.md');
  process.stderr.write(
    `mailer needs Node 22.19 or newer; this is Node ${node}${more}.\n` +
      `Its executable needs no Node: ${page}\n`,
  );
  process.exitCode = 2;
}
