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
import { createPlace, finished, isExecutable, startOf } from '../../support/process.ts';
import { startRecorder } from '../../support/recorder.ts';

const send = 'email send --sandbox --to ana@example.org --from hello@example.com --subject Hi';

describe('a result goes to stdout, everything else to stderr:', () => {
  test('the id of a send, and a sentence about it', async () => {
    const { exitCode, stdout, stderr } = await createPlace().run(`${send} --text Hello`);
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^\w+\n$/);
    expect(stderr).toMatch(/^Accepted\. Check its status: mailer email get .*\n$/);
    expect(stderr).toContain(stdout.trim());
  });

  test('an error in text', async () => {
    const { exitCode, stdout, stderr } = await createPlace().run('email lst --sandbox');
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
    expect(stderr).toBe("Error: unknown command 'lst'\nHint: Did you mean list?\n");
  });

  test.each([
    ['of the service', 'email get email_none --sandbox --json', 4, 'not_found'],
    ['of a command', 'email lst --jsonl', 2, 'usage'],
  ])('an error %s as one line of JSON', async (_, words, code, name) => {
    const { exitCode, stdout, stderr } = await createPlace().run(words);
    expect({ exitCode, stdout }).toEqual({ exitCode: code, stdout: '' });
    expect(stderr).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: name } });
  });

  test('with --quiet there is nothing on stderr', async () => {
    const { stdout, stderr } = await createPlace().run(`${send} --text Hello --quiet`);
    expect(stdout).toMatch(/^\w+\n$/);
    expect(stderr).toBe('');
  });
});

describe('a list through a pipe', () => {
  test('is tab-separated lines with a header, without colour or borders', async () => {
    const { stdout, stderr } = await createPlace().run('email list --sandbox');
    expect(stdout).toMatch(/^[^\t\n]+(\t[^\t\n]+){5}\n([^\t\n]*(\t[^\t\n]*){5}\n){2}$/);
    expect(stdout.split('\n')[0]).toBe('id\tlatestStatus\tto\tsubject\tcreatedAt\tscheduledAt');
    expect(stdout).toContain('\topened+ben@example.com\tWelcome, Ben!\t2');
    expect(stderr).toBe('');
  });
});

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
    ['--jsonl', 'head -1'],
    ['--csv', 'head -1'],
  ])('ends paging quietly, with 0 (%s)', async (flag, reader) => {
    const service = await startRecorder(...pages);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    const line = `mailer email list --all ${flag} | ${reader}; exit "\${PIPESTATUS[0]}"`;
    const { exitCode, stdout, stderr } = await finished(place.shell(line));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
    expect(stdout).toMatch(/^[^\n]+\n$/);
    // The first page filled the pipe; at most one more was requested.
    expect(service.requests.length).toBeLessThanOrEqual(3);
  });

  test('is waited for before more is requested', async () => {
    const service = await startRecorder(...pages);
    const place = createPlace({ MAILER_BASE_URL: service.baseUrl, MAILER_API_KEY: 'us_key' });
    await execa('mkfifo', [join(place.home, 'go')]);
    const reader = '{ read -r _ < go; head -1 > /dev/null; }';
    const line = `mailer email list --all --jsonl | ${reader}; exit "\${PIPESTATUS[0]}"`;
    const started = place.shell(line);
    await vi.waitFor(() => expect(service.requests).not.toHaveLength(0), { timeout: 20_000 });
    // In this time, a process that need not wait fetches all of them.
    const env = { MAILER_BASE_URL: (await startRecorder(...pages)).baseUrl };
    const free = place.shell('mailer email list --all --jsonl | wc -l', { env });
    expect(await finished(free)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(/3000/),
    });
    expect(service.requests.length).toBeLessThanOrEqual(2);
    await writeFile(join(place.home, 'go'), 'now\n');
    expect(await finished(started)).toMatchObject({ exitCode: 0, stderr: '' });
  });

  test('that never reads ends a command quietly too', async () => {
    const line = `mailer --help | true; exit "\${PIPESTATUS[0]}"`;
    expect(await finished(createPlace().shell(line))).toMatchObject({ exitCode: 0, stderr: '' });
  });
});

describe('streams that are closed', () => {
  test.each([
    ['stdin', '<&-', /Your receipt/, ''],
    ['stdout', '>&-', /^$/, ''],
    ['stderr', '2>&-', /Your receipt/, ''],
  ])('%s does not matter to a command that does not need it', async (_, how, shown, told) => {
    const line = `mailer email list --sandbox ${how}`;
    const { exitCode, stdout, stderr } = await finished(createPlace().shell(line));
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: told });
    expect(stdout).toMatch(shown);
  });

  test('a failure with stderr closed keeps its exit code', async () => {
    const line = 'mailer email get email_none --sandbox 2>&-';
    expect(await finished(createPlace().shell(line))).toMatchObject({ exitCode: 4, stdout: '' });
  });

  test('a reader of stderr that ends early changes nothing', async () => {
    const line = 'mailer email get email_none --sandbox --debug 2> >(true)';
    expect(await finished(createPlace().shell(line))).toMatchObject({ exitCode: 4, stdout: '' });
  });

  test.skipIf(!existsSync('/dev/full'))('a full disk is an error in words', async () => {
    const line = 'mailer email list --sandbox > /dev/full';
    const { exitCode, stderr } = await finished(createPlace().shell(line));
    expect(exitCode).toBe(2);
    expect(stderr).toBe('Error: stdout cannot be written: no space is left on the disk\n');
  });

  test.skipIf(!existsSync('/dev/full'))(
    'so is one for a text that is printed at once',
    async () => {
      for (const words of ['--version', '--help', 'completion bash']) {
        const started = createPlace().shell(`mailer ${words} > /dev/full`);
        const { exitCode, stderr } = await finished(started);
        expect({ words, exitCode }).toEqual({ words, exitCode: 2 });
        expect(stderr).toBe('Error: stdout cannot be written: no space is left on the disk\n');
      }
    },
  );

  test.each(['--version', 'completion zsh'])(
    'a reader that ends before %s is printed is not an error',
    async (words) => {
      const line = `{ read -r _ < go; mailer ${words}; echo "$?" >&2; } | { exec <&-; echo > go; }`;
      const place = createPlace();
      await execa('mkfifo', [join(place.home, 'go')]);
      const { stdout, stderr } = await finished(place.shell(line));
      expect({ stdout, stderr }).toEqual({ stdout: '', stderr: '0\n' });
    },
  );

  test.skipIf(!existsSync('/proc/self/fd'))(
    'a pipe that is full makes nobody wait who is told to end',
    async () => {
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
      await vi.waitFor(() => expect(opened()).toBe(open), { timeout: 20_000 });
      started.kill('SIGINT');
      // By the signal itself, because something is left that cannot be cancelled.
      expect(await ended).toEqual([null, 'SIGINT']);
    },
  );

  const batch = `echo '[{"to":"a@b.c","from":"hello@example.com","subject":"S","text":"T"}]' |
    mailer email batch - --sandbox --yes`;

  test
    .skipIf(!existsSync('/dev/full'))
    .each([
      `mailer ${send} --text x`,
      `mailer ${send} --text x --wait=SENT`,
      `${batch} --wait=SENT`,
    ])('a full disk does not hide that an email was sent: %s', async (line) => {
    const place = createPlace();
    const { exitCode, stderr } = await finished(place.shell(`${line} > /dev/full`));
    expect(exitCode).toBe(12);
    const sent = await runHere(place, 'email list --sandbox --quiet --limit 1');
    expect(stderr).toMatch(
      /The result cannot be shown: stdout cannot be written: no space is left/,
    );
    expect(stderr).toMatch(new RegExp(`carried out: ${sent.stdout.trim()}|Accepted 1 of 1 email`));
  });

  test.skipIf(!existsSync('/dev/full'))(
    'a full disk does not hide what a run has sent, nor how to show it',
    async () => {
      const place = createPlace();
      const { exitCode, stderr } = await finished(place.shell(`${batch} > /dev/full`));
      expect(exitCode).toBe(12);
      expect(stderr).toMatch(/^Error: Accepted 1 of 1 email\. The result cannot be shown: stdout/);
      const [, shown = ''] = /^To show the run: (mailer run get .*)$/m.exec(stderr) ?? [];
      expect((await finished(place.shell(shown))).stdout).toContain('accepted\t1\n');
    },
  );
});

describe('stdin', () => {
  test('is the body if a flag names it', async () => {
    const place = createPlace();
    const text = 'Grüße,\nAna \u{1F44B}\n';
    const { stdout } = await place.run(`${send} --text-file -`, { input: text });
    const shown = await runHere(place, `email get ${stdout.trim()} --sandbox --json`);
    expect(JSON.parse(shown.stdout)).toMatchObject({ text });
  });

  test('that is empty or closed is no body', async () => {
    const place = createPlace();
    const empty = await place.run(`${send} --text-file -`, { input: '' });
    const closed = await finished(place.shell(`mailer ${send} --text-file - <&-`));
    for (const { exitCode, stdout, stderr } of [empty, closed]) {
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toContain('--text-file: stdin is empty');
    }
  });

  test.each([
    ['login --with-token --base-url http://127.0.0.1:1/api', '--with-token: '],
    ['sendmail --base-url http://127.0.0.1:1/api ana@example.org', 'sendmail: ', 65],
    ['api POST /v1/emails --input - --sandbox', '--input: '],
    [`${send} --text-file -`, '--text-file: '],
    ['email batch - --sandbox', ''],
    ['sandbox seed -', 'sandbox seed: '],
  ])('that is a directory is an error in words: %s', async (words, flag, code = 2) => {
    const place = createPlace({ MAILER_API_KEY: 'us_key_1234567890' });
    const outcome = await finished(place.shell(`mailer ${words} < .`));
    expect(outcome).toMatchObject({ exitCode: code, stdout: '' });
    expect(outcome.stderr).toBe(`Error: ${flag}stdin is a directory\n`);
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
