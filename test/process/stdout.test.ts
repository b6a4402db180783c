import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listItem } from '../support/emails.ts';
import { createPlace, root, startOf, temporaryDirectory } from '../support/process.ts';
import { startRecorder } from '../support/recorder.ts';

/** Reads all that is in a pipe, and no more. */
const drain = `
  function drain(reader) {
    const read = [];
    const buffer = Buffer.alloc(65536);
    for (;;) {
      let size = 0;
      try {
        size = readSync(reader, buffer);
      } catch {}
      if (size === 0) return Buffer.concat(read).toString();
      read.push(Buffer.from(buffer.subarray(0, size)));
    }
  }`;

/** Runs a script whose stdout is a pipe that it reads itself, and returns what it says of it. */
async function onOwnPipe(script: string): Promise<unknown> {
  const pipe = join(temporaryDirectory(), 'pipe');
  await execa('mkfifo', [pipe]);
  const writer = openSync(pipe, constants.O_RDWR);
  onTestFinished(() => closeSync(writer));
  const source = `import { openSync, readSync, constants } from 'node:fs';
    import { openStdout } from '${pathToFileURL(join(root, 'src', 'cli', 'stdout.ts'))}';
    const reader = openSync(${JSON.stringify(pipe)}, constants.O_RDONLY | constants.O_NONBLOCK);
    ${drain}
    ${script}`;
  const { stderr } = spawnSync(process.execPath, ['--input-type=module', '--eval', source], {
    stdio: ['ignore', writer, 'pipe'],
    encoding: 'utf8',
    timeout: 30_000,
  });
  return JSON.parse(stderr);
}

describe.skipIf(process.platform !== 'linux')('a pipe that has become full', () => {
  test('gets later text after waiting text, though there is room again', async () => {
    const said = await onOwnPipe(`
      const stdout = openStdout('linux', () => process.stdout);
      let waiting = 2;
      const done = () => { waiting -= 1; };
      stdout.write('a'.repeat(300_000), done);
      let text = drain(reader);
      stdout.write('b', done);
      while (waiting > 0) {
        text += drain(reader);
        await new Promise(setImmediate);
      }
      text += drain(reader);
      process.stderr.write(JSON.stringify({ length: text.length, b: text.indexOf('b') }));
    `);
    expect(said).toEqual({ length: 300_001, b: 300_000 });
  });
});

test('a socket that nobody reads does not delay the end by a signal', async () => {
  const text = 'long '.repeat(10_000);
  const data = Array.from({ length: 50 }, (_, row) => listItem(`email_${row}`, { subject: text }));
  const service = await startRecorder({ body: { data, count: 50 } });
  const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
  const [file, ...words] = startOf();
  // Node makes it a socket, and reads little of it until somebody wants more.
  const started = spawn(file, [...words, 'email', 'list', '--json'], {
    cwd: place.home,
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    started.kill('SIGKILL');
  });
  const ended = once(started, 'exit');
  started.stdout.once('readable', () => {});
  await vi.waitFor(() => expect(started.stdout.readableLength).toBeGreaterThan(0), {
    timeout: 20_000,
  });
  started.kill('SIGINT');
  expect(await ended).toEqual([null, 'SIGINT']);
});
