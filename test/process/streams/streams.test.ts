import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  constants,
  existsSync,
  openSync,
  readdirSync,
  readlinkSync,
  writeSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { listItem } from '../../support/emails.ts';
import { runHere } from '../../support/here.ts';
import { linux, type Need, needing } from '../../support/needs.ts';
import { patience } from '../../support/patience.ts';
import { createPlace, finished, isExecutable, saying, startOf } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const send = 'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi';

describe('a reader that ends early', () => {
  /** More pages than anybody reads; a single one is larger than a pipe's buffer. */
  const pages = Array.from({ length: 60 }, (_, page) => ({
    body: {
      data: Array.from({ length: 50 }, (_, row) =>
        listItem(`email_${page}_${row}`, { subject: 'long '.repeat(800) }),
      ),
      count: 3000,
    },
  }));

  test.each([
    ['', 'head -1'],
    // It has one line.
    ['--json', '{ head -c 9; echo; }'],
  ])('ends paging quietly, with 0 (%s)', async (flag, reader) => {
    const service = await startRecorder(...pages);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const line = `set -o pipefail; mailer email list --all ${flag} | ${reader}`;
    const { exitCode, stdout, stderr } = await finished(place.shell(line));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    // The first page filled the pipe; at most one more was requested.
    expect(service.requests.length).toBeLessThanOrEqual(3);
  });

  test('is noticed while a page is on its way: nothing more is requested', async () => {
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const [first = { body: {} }, second = first, third = first] = pages;
    const service = await startRecorder(
      first,
      (response) => {
        ask();
        void released.then(() => response.end(JSON.stringify(second.body)));
      },
      third,
    );
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const started = place.start('email list --all --quiet');
    await saying(started, 'email_0_49', { on: 'stdout' });
    await asked;
    started.stdout.destroy();
    release();
    expect(await finished(started)).toMatchObject({ exitCode: 0, stderr: '' });
    expect(service.requests).toHaveLength(2);
  });

  test('is waited for before more is requested, and gets everything', async () => {
    const service = await startRecorder(...pages);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    await execa('mkfifo', [join(place.home, 'go')]);
    const reader = '{ read -r _ < go; wc -l; }';
    const line = `mailer email list --all --jsonl | ${reader}; exit "\${PIPESTATUS[0]}"`;
    const started = place.shell(line);
    await vi.waitFor(() => expect(service.requests).not.toHaveLength(0), { timeout: patience });
    // In this time, a process that need not wait fetches all of them.
    const env = { MAILER_BASE_URL: (await startRecorder(...pages)).baseUrl };
    const free = place.shell('mailer email list --all --jsonl | wc -l', { env });
    const all = { exitCode: 0, stderr: '', stdout: expect.stringMatching(/^\s*3000\n$/) };
    expect(await finished(free)).toMatchObject(all);
    expect(service.requests.length).toBeLessThanOrEqual(2);
    await writeFile(join(place.home, 'go'), 'now\n');
    expect(await finished(started)).toMatchObject(all);
  });

  test('that never reads ends a command quietly too', async () => {
    const line = `mailer --help | true; exit "\${PIPESTATUS[0]}"`;
    expect(await finished(createPlace().shell(line))).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('streams that are closed', () => {
  test.each([
    ['stdin', 'email list --sandbox <&-', 0, /Your receipt/],
    ['stdout', 'email list --sandbox >&-', 0, /^$/],
    ['stderr, with an error', 'email get email_none --sandbox 2>&-', 4, /^$/],
    ['the reader of stderr', 'email get email_none --sandbox --debug 2> >(true)', 4, /^$/],
  ])('%s: nothing changes', async (_, line, code, shown) => {
    const { exitCode, stdout, stderr } = await finished(createPlace().shell(`mailer ${line}`));
    expect({ exitCode, stderr }).toEqual({ exitCode: code, stderr: '' });
    expect(stdout).toMatch(shown);
  });
});

const full: Need = { isMet: existsSync('/dev/full'), why: 'there is no /dev/full' };

describe('a full disk', needing(full), () => {
  test.each(['--version', 'email list --sandbox'])('is an error in words: %s', async (words) => {
    const started = createPlace().shell(`mailer ${words} > /dev/full`);
    const { exitCode, stderr } = await finished(started);
    expect(exitCode).toBe(2);
    expect(stderr).toBe('Error: stdout cannot be written: no space is left on the disk\n');
  });

  test('does not hide that an email was sent', async () => {
    const place = createPlace();
    const line = `mailer ${send} --text x --wait=SENT > /dev/full`;
    const { exitCode, stderr } = await finished(place.shell(line));
    expect(exitCode).toBe(12);
    const sent = await runHere(place, 'email list --sandbox --quiet --limit 1');
    expect(stderr).toMatch(
      /The result cannot be shown: stdout cannot be written: no space is left/,
    );
    expect(stderr).toContain(`carried out: ${sent.stdout.trim()}`);
  });
});

describe('a text that is printed at once', () => {
  test('is no error if its reader has ended', async () => {
    const line = `{ read -r _ < go; mailer completion zsh; echo "$?" >&2; } | { exec <&-; echo > go; }`;
    const place = createPlace();
    await execa('mkfifo', [join(place.home, 'go')]);
    const { stdout, stderr } = await finished(place.shell(line));
    expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '0\n' });
  });

  test('makes nobody wait who ends it while the pipe is full', needing(linux), async () => {
    const place = createPlace();
    const pipe = join(place.home, 'pipe');
    await execa('mkfifo', [pipe]);
    const reader = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
    const writer = openSync(pipe, constants.O_WRONLY | constants.O_NONBLOCK);
    onTestFinished(() => {
      for (const one of [reader, writer]) closeSync(one);
    });
    expect(() => {
      for (;;) writeSync(writer, Buffer.alloc(4096));
    }).toThrow('EAGAIN');
    // The program's own waits.
    const stdout = openSync(pipe, constants.O_WRONLY);
    const [file, ...words] = startOf();
    const started = spawn(file, [...words, '--help'], {
      cwd: place.home,
      env: place.env,
      stdio: ['ignore', stdout, 'inherit'],
    });
    closeSync(stdout);
    onTestFinished(() => {
      started.kill('SIGKILL');
    });
    const ended = once(started, 'exit');
    const opened = () =>
      readdirSync(`/proc/${started.pid}/fd`).filter(
        (one) => readlinkSync(`/proc/${started.pid}/fd/${one}`) === pipe,
      ).length;
    // As stdout, and once more by the program itself; Bun makes a third. Before the program runs
    // there are more.
    const open = isExecutable ? 3 : 2;
    await vi.waitFor(() => expect(opened()).toBe(open), { timeout: patience });
    started.kill('SIGINT');
    // By the signal itself, because something is left that cannot be cancelled.
    expect(await ended).toEqual([null, 'SIGINT']);
  });
});

describe('stdin', () => {
  test('that is closed is no body', async () => {
    const line = `mailer ${send} --text-file - <&-`;
    const { exitCode, stdout, stderr } = await finished(createPlace().shell(line));
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toContain('--text-file: stdin is empty');
  });

  test('that is a directory is an error in words', async () => {
    const line = `mailer ${send} --text-file - < .`;
    expect(await finished(createPlace().shell(line))).toMatchObject({
      ...{ exitCode: 2, stdout: '', stderr: 'Error: --text-file: stdin is a directory\n' },
    });
  });

  test('is not waited for by a command that does not read it', async () => {
    // The writer continues until the pipe breaks.
    const line = 'yes | mailer email list --sandbox --quiet';
    expect(await finished(createPlace().shell(line))).toMatchObject({
      exitCode: 0,
      stdout: 'email_receipt\nemail_welcome\n',
    });
  });
});
