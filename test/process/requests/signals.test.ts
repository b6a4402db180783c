import { existsSync, constants as fs, readFileSync, writeFileSync } from 'node:fs';
import { open, writeFile } from 'node:fs/promises';
import { constants } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { linux, needing } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, finished, type Place, type Started, saying } from '../../support/process.ts';
import { type Recorder, startRecorder } from '../../support/recorder.ts';

// What a command line prints when it is interrupted is in test/lib/service/http/client-timeouts.test.ts; here, the signal is real,
// and so is what keeps a process from ending.

/** A user of a service that accepts requests and does not respond. */
async function hangingService(): Promise<{
  place: Place;
  service: Recorder;
  asked: Promise<void>;
}> {
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const service = await startRecorder(() => resolve());
  const place = createPlace({
    MAILER_BASE_URL: service.baseUrl,
    MAILER_API_KEY: 'us_key_12345678',
  });
  return { place, service, asked };
}

/** Sends a signal; returns how the process ends. */
async function interrupt(started: Started, signal: NodeJS.Signals) {
  started.kill(signal);
  return await finished(started);
}

const email = '--from a@example.com --to b@example.com --subject Hi --text Hello';

describe('a signal during a slow request', () => {
  test('SIGTERM is 143, and a JSON error with --json', async () => {
    const { place, service, asked } = await hangingService();
    const started = place.start('email cancel email_1 --json');
    await asked;
    const end = await interrupt(started, 'SIGTERM');
    expect(end).toMatchObject({ exitCode: 143, stdout: '' });
    expect(JSON.parse(end.stderr)).toMatchObject({ error: { code: 'terminated' } });
    expect(service.requests).toHaveLength(1);
  });

  test('SIGINT of a send is 130, and prints how to repeat it without sending it twice', async () => {
    const { place, service, asked } = await hangingService();
    const content = ['--subject', "It's $HOME", '--text', 'Two\nlines', '--scheduled-at'];
    const to = ['--to', 'ana@example.org', '--from', 'hello@example.com'];
    const started = place.start(['email', 'send', ...to, ...content, 'tomorrow']);
    await asked;
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

  test('in the pause before a retry of a send that the service did not take: nothing was sent', async () => {
    const service = await startRecorder({ status: 429, headers: { 'Retry-After': '50' } });
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const started = place.start(`email send ${email} --debug`);
    expect(await saying(started, 'Retrying in')).toMatch(/^< 429 \(\d+ ms\)$/m);
    const { exitCode, stderr } = await interrupt(started, 'SIGINT');
    expect(exitCode).toBe(130);
    expect(stderr).toContain('\nError: Interrupted.\nHint: Nothing was sent.\n');
  });
});

describe('an expression', () => {
  test('that never ends is ended by SIGINT', async () => {
    const service = await startRecorder({ body: {} });
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const started = place.start(['api', 'GET', '/v1/x', '--debug', '--jq', 'def f: f; f']);
    await saying(started, '< 200');
    expect(await interrupt(started, 'SIGINT')).toMatchObject({ exitCode: 130, stdout: '' });
  });

  test('that needs too much memory leaves only the error on stderr', async () => {
    const doubling = 'reduce range(40) as $i ([0]; . + .)';
    const end = await createPlace().run(['config', 'path', '--jq', doubling]);
    expect(end.exitCode).toBe(2);
    expect(JSON.parse(end.stderr).error.message).toContain('not enough memory');
  });
});

test('Ctrl-C ends the conversion of an email that takes long', needing(linux), async () => {
  const place = createPlace();
  const css = 'div:has(div:has(div:has(div:has(div:has(b))))) { color: red }';
  const input = `<style>${css}</style>${'<div>'.repeat(200)}`;
  const flags = '--to a@example.org --from b@example.com --subject Hi --inline-css --html-file -';
  const started = place.start(`email send ${flags} --preview`, { input });
  const converts = () => expect(secondsOfWork(started)).toBeGreaterThan(1);
  await vi.waitFor(converts, { timeout: patience, interval: 20 });
  const end = await interrupt(started, 'SIGINT');
  expect(end).toMatchObject({ exitCode: 130, stdout: '', stderr: '' });
});

/** The processor time of a process. */
function secondsOfWork({ pid }: Started): number {
  const [, ofUser] =
    /^.*\)(?: \S+){11} (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
  return Number(ofUser) / 100;
}

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
          { timeout: patience },
        ),
    };
  }

  test('that ignores signals, the program does not wait for it', async () => {
    // It must not keep stderr open, because this waits for its end.
    const { place, running } = withKeyCommand(
      'exec sleep 600',
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

  test('SIGTERM ends the program and the command', async () => {
    const { place, running } = withKeyCommand('exec sleep 600');
    const started = place.start('email list');
    const pid = await running();
    expect(await interrupt(started, 'SIGTERM')).toMatchObject({ exitCode: 143, stdout: '' });
    await vi.waitFor(async () => expect(await isAlive(pid)).toBe(false), { timeout: patience });
  });

  test('a Ctrl-C that the command gets first ends the program too', async () => {
    const { place } = withKeyCommand('kill -INT $$');
    const end = await place.run('email list');
    expect(end).toMatchObject({ exitCode: 130, stdout: '', stderr: '' });
  });
});

describe('while a pipe is read that nobody writes to', needing(linux), () => {
  async function reading(): Promise<{ started: Started }> {
    const place = createPlace();
    const pipe = join(place.home, 'pipe');
    await execa('mkfifo', [pipe]);
    const message = ['--to', 'ana@example.org', '--from', 'hello@example.com', '--subject', 'Hi'];
    const words = ['email', 'send', '--sandbox', ...message, '--text-file', pipe];
    const started = place.start(words);
    // Opening it without blocking succeeds once somebody has it open for reading.
    const flags = fs.O_WRONLY | fs.O_NONBLOCK;
    const writer = await vi.waitFor(() => open(pipe, flags), { timeout: patience, interval: 5 });
    onTestFinished(() => writer.close());
    // Wrapped in an object, because await would wait for the process.
    return { started };
  }

  test('SIGTERM ends the program nevertheless', async () => {
    const { started } = await reading();
    const { exitCode, signal } = await interrupt(started, 'SIGTERM');
    // By itself where the pipe was open and not yet read from; a shell shows the same number for both.
    expect(['SIGTERM', 143]).toContain(signal ?? exitCode);
  });

  test('a second SIGINT is left to the system, which kills at once', async () => {
    const { started } = await reading();
    expect(catches(started, 'SIGINT')).toBe(true);
    started.kill('SIGINT');
    await vi.waitFor(() => expect(catches(started, 'SIGINT')).toBe(false), {
      timeout: patience,
      interval: 1,
    });
    const { signal, exitCode } = await interrupt(started, 'SIGINT');
    // By itself where the pipe was not yet read from, as above.
    expect(['SIGINT', 130]).toContain(signal ?? exitCode);
  });

  test('it says so after a while, and goes on with a writer', async () => {
    const place = createPlace();
    await execa('mkfifo', [join(place.home, 'pipe')]);
    const words = `email batch pipe --yes --text Hi --subject Hi --sandbox --from hello@example.com`;
    const started = place.start(words);
    const said = await saying(started, 'Waiting for a program to write to pipe\n');
    expect(said).toBe('Waiting for a program to write to pipe\n');
    await writeFile(join(place.home, 'pipe'), '{"to":"ana@example.org"}');
    expect(await finished(started)).toMatchObject({ exitCode: 0 });
  });
});

/** Whether a process runs; a zombie does not. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await execa('ps', ['-o', 'stat=', '-p', String(pid)], { reject: false });
  return /^[^Z]/.test(stdout.trim());
}

/** Whether a process has a handler of its own for a signal; not once it has ended. */
function catches({ pid }: Started, signal: 'SIGINT' | 'SIGTERM'): boolean {
  const status = existsSync(`/proc/${pid}/status`)
    ? readFileSync(`/proc/${pid}/status`, 'utf8')
    : '';
  const mask = BigInt(`0x${/^SigCgt:\s*(\w+)$/m.exec(status)?.[1] ?? '0'}`);
  return ((mask >> BigInt(constants.signals[signal] - 1)) & 1n) === 1n;
}
