import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, constants, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { execa } from 'execa';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listItem } from '../../support/emails.ts';
import { linux, needing } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, root, startOf, temporaryDirectory } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

/** Reads what is in a pipe without waiting for more. */
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

/** Runs a script whose stdout is a pipe that it reads itself, and returns its report. */
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
    timeout: patience,
  });
  return JSON.parse(stderr);
}

describe('a pipe that has become full', needing(linux), () => {
  test('gets later text after waiting text, even if there is room again', async () => {
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

describe('with and without a stream, the same arrives', needing(linux), () => {
  /** Writes the texts, waiting for some of them, and reports on stderr which failed. */
  const script = `import { readFileSync } from 'node:fs';
    import { openStdout } from '${pathToFileURL(join(root, 'src', 'cli', 'stdout.ts'))}';
    const stream = () => process.stdout.on('error', () => {});
    const stdout = process.argv[3] === 'direct' ? openStdout('linux', stream) : stream();
    const writes = JSON.parse(readFileSync(process.argv[2], 'utf8')).map(([text, waits]) => [
      waits,
      () => new Promise((resolve) => stdout.write(text, (error) => resolve(Boolean(error)))),
    ]);
    const failed = [];
    for (const [waits, write] of writes) {
      failed.push(write());
      if (waits) await failed.at(-1);
    }
    process.stderr.write(JSON.stringify(await Promise.all(failed)));`;

  const text = fc.oneof(
    // An empty text writes nothing without a stream, and fails with one that has failed.
    fc.string({ unit: 'binary', minLength: 1 }),
    fc
      .tuple(fc.constantFrom('a', 'é', '世', '😀'), fc.integer({ min: 1000, max: 70_000 }))
      .map(([unit, times]) => unit.repeat(times)),
  );

  test.each([
    ['a file', '"$@" > out'],
    ['a pipe', '"$@" | cat > out'],
    ['a pipe that is read slowly', '"$@" | dd bs=300 status=none > out'],
    ['a pipe that nobody reads', 'exec 3> >(:); wait $!; : > out; "$@" >&3'],
  ])('in %s', async (_, line) => {
    const directory = temporaryDirectory();
    const texts = join(directory, 'texts');
    const file = join(directory, 'script.ts');
    writeFileSync(file, script);
    const arrives = async (way: string) => {
      const words = ['-c', line, 'bash', process.execPath, file, texts, way];
      const { stderr } = await execa('bash', words, { cwd: directory });
      return { failed: stderr, text: readFileSync(join(directory, 'out'), 'utf8') };
    };
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(text, fc.boolean()), { minLength: 5, maxLength: 20 }),
        async (given) => {
          writeFileSync(texts, JSON.stringify(given));
          const direct = await arrives('direct');
          expect(direct).toEqual(await arrives('by stream'));
          if (direct.text !== '') expect(direct.text).toBe(given.map(([one]) => one).join(''));
        },
      ),
      // Each starts two processes, and its texts are others in each run of the test.
      { numRuns: 1, endOnFailure: true },
    );
  });
});

test('a socket that nobody reads does not delay the end by a signal', async () => {
  const text = 'long '.repeat(10_000);
  const data = Array.from({ length: 50 }, (_, row) => listItem(`email_${row}`, { subject: text }));
  const service = await startRecorder({ body: { data, count: 50 } });
  const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
  const [file, ...words] = startOf();
  // In Node this is a socket, which reads little before somebody asks for more.
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
    timeout: patience,
  });
  started.kill('SIGINT');
  // The signal ends the program if everything was written; otherwise it exits with 130.
  expect([
    [null, 'SIGINT'],
    [130, null],
  ]).toContainEqual(await ended);
});
