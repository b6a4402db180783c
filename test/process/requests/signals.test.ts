import { once } from 'node:events';
import { existsSync, constants as fs, readFileSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { constants, platform } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { runHere } from '../../support/here.ts';
import { createPlace, finished, type Place, type Started } from '../../support/process.ts';
import { type Answer, type Recorder, startRecorder } from '../../support/recorder.ts';
import { serveSandbox } from '../../support/served.ts';

const never: Answer = () => {};

/** A user of a service that accepts requests and does not respond. */
async function hangingService(): Promise<{ place: Place; service: Recorder }> {
  const service = await startRecorder(never, never);
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_12345678',
  });
  return { place, service };
}

async function requested({ requests }: Recorder): Promise<void> {
  await vi.waitFor(() => expect(requests).toHaveLength(1), { timeout: 20_000, interval: 5 });
}

/** Sends a signal; returns how the process ends, and how long that takes. */
async function interrupt(started: Started, signal: NodeJS.Signals) {
  const from = Date.now();
  started.kill(signal);
  const end = await finished(started);
  // A request may take 30 s, and a pause between two nearly as long.
  expect(Date.now() - from).toBeLessThan(5000);
  return end;
}

describe('a signal during a slow request', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends it at once, with %d', async (signal, exitCode) => {
    const { place, service } = await hangingService();
    const started = place.start('email list');
    await requested(service);
    expect(await interrupt(started, signal)).toMatchObject({ exitCode, stdout: '' });
    expect(service.requests).toHaveLength(1);
  });

  test('SIGINT is a JSON error with --json', async () => {
    const { place, service } = await hangingService();
    const started = place.start('email cancel email_1 --json');
    await requested(service);
    const end = await interrupt(started, 'SIGINT');
    expect(end).toMatchObject({ exitCode: 130, stdout: '' });
    expect(JSON.parse(end.stderr)).toMatchObject({ error: { code: 'interrupted' } });
  });

  test('during the pause before a retry', async () => {
    const busy = { status: 429, headers: { 'Retry-After': '50' } };
    const service = await startRecorder(busy);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const started = place.start('email list --debug --timeout 120');
    let told = '';
    started.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    await vi.waitFor(() => expect(told).toContain('Retrying in'), { timeout: 20_000 });
    expect(told).toMatch(/^< 429 \(\d+ ms\)$/m);
    expect(await interrupt(started, 'SIGINT')).toMatchObject({ exitCode: 130, stdout: '' });
  });

  test('of an email that the service did not take: nothing was sent', async () => {
    const busy = { status: 429, headers: { 'Retry-After': '50' } };
    const service = await startRecorder(busy);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const email = '--from a@example.com --to b@example.com --subject Hi --text Hello';
    const started = place.start(`email send ${email} --debug`);
    let told = '';
    started.stderr.on('data', (chunk) => {
      told += String(chunk);
    });
    await vi.waitFor(() => expect(told).toContain('Retrying in'), { timeout: 20_000 });
    const { exitCode, stderr } = await interrupt(started, 'SIGINT');
    expect(exitCode).toBe(130);
    expect(stderr).toContain('\nError: Interrupted.\nHint: Nothing was sent.\n');
  });
});

describe('an expression that never ends', () => {
  test.each([
    ['SIGINT', 130, 'def f: f; f'],
    ['SIGTERM', 143, 'last(repeat(1))'],
  ] as const)('%s ends it at once, with %d', async (signal, exitCode, expression) => {
    const service = await startRecorder({ body: {} });
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const started = place.start(['api', 'GET', '/v1/x', '--debug', '--jq', expression]);
    await requested(service);
    const end = await interrupt(started, signal);
    expect(end).toMatchObject({ exitCode, stdout: '' });
  });

  test('too much memory for jq leaves only the error on stderr', async () => {
    const doubling = 'reduce range(40) as $i ([0]; . + .)';
    const end = await createPlace().run(['config', 'path', '--jq', doubling]);
    expect(end.exitCode).toBe(2);
    expect(JSON.parse(end.stderr).error.message).toContain('not enough memory');
  });
});

test.skipIf(!existsSync('/proc/self/stat'))(
  'Ctrl-C ends the conversion of an email that takes long',
  async () => {
    const place = createPlace();
    const css = 'div:has(div:has(div:has(div:has(div:has(b))))) { color: red }';
    const input = `<style>${css}</style>${'<div>'.repeat(200)}`;
    const flags = '--to a@example.org --from b@example.com --subject Hi --inline-css --html-file -';
    const started = place.start(`email send ${flags} --preview`, { input });
    const converts = () => expect(secondsOfWork(started)).toBeGreaterThan(1);
    await vi.waitFor(converts, { timeout: 20_000, interval: 20 });
    const end = await interrupt(started, 'SIGINT');
    expect(end).toMatchObject({ exitCode: 130, stdout: '', stderr: '' });
  },
);

/** The processor time of a process. */
function secondsOfWork({ pid }: Started): number {
  const [, ofUser] =
    /^.*\)(?: \S+){11} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return Number(ofUser) / 100;
}

describe('a send that is interrupted', () => {
  const words = ['email', 'send', '--to', 'ana@example.org', '--from', 'hello@example.com'];
  const content = ['--subject', "It's $HOME", '--text', 'Two\nlines', '--scheduled-at', 'tomorrow'];

  test('prints how to repeat it without sending it twice', async () => {
    const { place, service } = await hangingService();
    const started = place.start([...words, ...content]);
    await requested(service);
    const { exitCode, stdout, stderr } = await interrupt(started, 'SIGINT');
    expect({ exitCode, stdout }).toEqual({ exitCode: 130, stdout: '' });
    const [first] = service.requests;
    const key = String(first?.headers['idempotency-key']);
    expect(stderr).toContain(`Idempotency-Key: ${key}\n`);

    // Run the printed command in a shell.
    const command = stderr.slice(stderr.indexOf('\nmailer ') + 1);
    const again = await startRecorder({ body: { emailId: 'email_1' } });
    const repeated = place.shell(command, { env: { MAILER_BASE_URL: again.baseUrl } });
    expect(await finished(repeated)).toMatchObject({ exitCode: 0, stdout: 'email_1\n' });
    const [second] = again.requests;
    expect(second?.headers['idempotency-key']).toBe(key);
    expect(second?.body).toBe(first?.body);
  });

  test('has the key with --json', async () => {
    const { place, service } = await hangingService();
    const started = place.start([...words, ...content, '--json']);
    await requested(service);
    const { stderr } = await interrupt(started, 'SIGTERM');
    const idempotencyKey = service.requests[0]?.headers['idempotency-key'];
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: 'terminated', idempotencyKey } });
  });
});

describe('during a key command', () => {
  /** A user whose key command runs `first`, reports that it runs, and then takes long. */
  function withKeyCommand(
    rest: string,
    first = '',
  ): { place: Place; running: () => Promise<number> } {
    const place = createPlace();
    const file = join(place.home, 'pid');
    const keyCommand = `${first}echo $$ > "${file}"; ${rest}`;
    const profile = { baseUrl: 'http://127.0.0.1:9/api', keyCommand };
    const config = { currentProfile: 'slow', profiles: { slow: profile } };
    writeFileSync(join(place.home, 'config.json'), JSON.stringify(config), { mode: 0o600 });
    return {
      place: createPlace({ MAILER_CONFIG_DIR: place.home }),
      running: () =>
        vi.waitFor(
          () => {
            const pid = Number(existsSync(file) && readFileSync(file, 'utf8'));
            expect(pid).toBeGreaterThan(0);
            return pid;
          },
          { timeout: 20_000 },
        ),
    };
  }

  test('that ignores signals, the program does not wait for it', async () => {
    // It must not keep stderr open, because this waits for its end.
    const { place, running } = withKeyCommand(
      'exec sleep 60',
      "exec 2> errors; trap '' TERM INT; ",
    );
    const started = place.start('email list');
    const pid = await running();
    onTestFinished(() => {
      process.kill(pid, 'SIGKILL');
    });
    expect(await interrupt(started, 'SIGINT')).toMatchObject({ exitCode: 130 });
    expect(await isAlive(pid)).toBe(true);
  });

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the program and the command', async (signal, exitCode) => {
    const { place, running } = withKeyCommand('exec sleep 60');
    const started = place.start('email list');
    const pid = await running();
    expect(await interrupt(started, signal)).toMatchObject({ exitCode, stdout: '' });
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false));
  });

  test('a Ctrl-C that the command gets first ends the program too', async () => {
    const { place } = withKeyCommand('kill -INT $$');
    const end = await place.run('email list');
    expect(end).toMatchObject({ exitCode: 130, stdout: '', stderr: '' });
  });
});

describe.skipIf(platform() !== 'linux')('while a pipe is read that nobody writes to', () => {
  async function reading(): Promise<{ started: Started }> {
    const place = createPlace();
    const pipe = join(place.home, 'pipe');
    await execa('mkfifo', [pipe]);
    const message = ['--to', 'ana@example.org', '--from', 'hello@example.com', '--subject', 'Hi'];
    const words = ['email', 'send', '--sandbox', ...message, '--text-file', pipe];
    const started = place.start(words);
    // Opening it without blocking succeeds once somebody has it open for reading.
    const flags = fs.O_WRONLY | fs.O_NONBLOCK;
    const writer = await vi.waitFor(() => open(pipe, flags), { timeout: 20_000, interval: 5 });
    onTestFinished(() => writer.close());
    // Wrapped in an object, because await would wait for the process.
    return { started };
  }

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s ends the program nevertheless', async (name, code) => {
    const { started } = await reading();
    const { exitCode, signal } = await interrupt(started, name);
    // By itself where the pipe was open and not yet read from; a shell shows the same number for both.
    expect([name, code]).toContain(signal ?? exitCode);
  });

  test.each([
    ['email', 'send', '--to', 'ana@example.org', '--subject', 'Hi', '--markdown-file', 'pipe'],
    ['email', 'batch', 'pipe', '--yes', '--text', 'Hi', '--subject', 'Hi'],
  ])('%s %s says so after a while, and goes on with a writer', async (...words) => {
    const place = createPlace();
    await execa('mkfifo', [join(place.home, 'pipe')]);
    const started = place.start([...words, '--sandbox', '--from', 'hello@example.com']);
    const [said] = await once(started.stderr, 'data');
    expect(String(said)).toBe('Waiting for a program to write to pipe\n');
    await writeFile(join(place.home, 'pipe'), '{"to":"ana@example.org"}');
    expect(await finished(started)).toMatchObject({ exitCode: 0 });
  });

  test('a second SIGINT kills at once', async () => {
    const { started } = await reading();
    started.kill('SIGINT');
    await vi.waitFor(() => expect(catches(started, 'SIGINT')).toBe(false), { interval: 1 });
    const from = Date.now();
    const { signal, exitCode } = await interrupt(started, 'SIGINT');
    // By itself where the pipe was not yet read from, as above.
    expect(['SIGINT', 130]).toContain(signal ?? exitCode);
    // Without it, the program would have taken at least its grace period.
    expect(Date.now() - from).toBeLessThan(1000);
  });
});

/** Whether a process runs; a zombie does not. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await execa('ps', ['-o', 'stat=', '-p', String(pid)], { reject: false });
  return /^[^Z]/.test(stdout.trim());
}

/** Whether a process has a handler of its own for a signal. */
function catches({ pid }: Started, signal: 'SIGINT' | 'SIGTERM'): boolean {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mask = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`);
  return ((mask >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}

describe('sandbox start', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s stops it and frees its port', async (signal, exitCode) => {
    const place = createPlace();
    const { process, port, url } = await serveSandbox(place);
    // A connection that is kept open must not delay it.
    expect((await fetch(url)).status).toBe(200);
    expect(await interrupt(process, signal)).toMatchObject({ exitCode });
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
    const status = await runHere(place, 'sandbox status --quiet');
    expect(status.stdout).toBe('stopped\n');
  });
});
