import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { execa } from 'execa';
import { describe, expect, test } from 'vitest';
import { actionFile, filledIn, setupMailer } from '../../support/composite.ts';
import { installed, linux, needing } from '../../support/needs.ts';
import { root, temporaryDirectory } from '../../support/process.ts';
import { createRelease, serveFiles } from '../../support/release-files.ts';
import { read } from '../../support/sources.ts';

// The scripts of the action, with the files that GitHub's runner gives them. Only a runner can show that it reads the
// action as this does.

/** A runner, which keeps its tool cache. */
function createRunner() {
  const home = temporaryDirectory();
  const file = (name: string) => join(home, name);
  const fakes = { uname: '[ $1 = -s ] && echo Linux || echo x86_64', ldd: 'echo GLIBC' };
  for (const [name, text] of Object.entries(fakes)) {
    writeFileSync(file(name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  }
  return {
    home,
    /** Runs the steps with these inputs; `log` is what the job shows, `path` what later steps have in PATH. */
    async run(inputs: Readonly<Record<string, string>>) {
      for (const name of ['path', 'output']) writeFileSync(file(name), '');
      const values: Record<string, string> = {
        'runner.os': 'Linux',
        'runner.arch': 'X64',
        'github.server_url': 'https://github.example.invalid',
        'github.action_repository': '',
        'github.repository': 'ana/mailer',
      };
      for (const [name, { default: usual = '' }] of Object.entries(setupMailer.inputs)) {
        values[`inputs.${name}`] = inputs[name] ?? usual;
      }
      let log = '';
      const cached: Record<string, string>[] = [];
      for (const step of setupMailer.runs.steps) {
        if ('uses' in step) {
          if (values['inputs.cache'] !== 'true' || values['inputs.sha256'] !== '') continue;
          const filled = Object.entries(step.with).map(([k, text]) => [k, filledIn(text, values)]);
          cached.push(Object.fromEntries(filled));
          continue;
        }
        const env = Object.entries(step.env).map(([name, text]) => [name, filledIn(text, values)]);
        // As the runner starts `shell: bash`.
        const words = ['--noprofile', '--norc', '-eo', 'pipefail', '-c', step.run];
        const { exitCode, all } = await execa('bash', words, {
          cwd: home,
          env: {
            ...Object.fromEntries(env),
            PATH: `${home}:${process.env.PATH}`,
            HOME: home,
            RUNNER_TOOL_CACHE: file('tools'),
            RUNNER_TEMP: home,
            RUNNER_ARCH: 'X64',
            GITHUB_OUTPUT: file('output'),
            GITHUB_PATH: file('path'),
            GITHUB_ACTION_PATH: join(root, dirname(actionFile)),
          },
          extendEnv: false,
          reject: false,
          all: true,
        });
        log += all;
        if (exitCode !== 0) return { exitCode, log, cached, path: '' };
        for (const line of readFileSync(file('output'), 'utf8').split('\n')) {
          const [name = '', value = ''] = line.split('=');
          if (step.id !== undefined) values[`steps.${step.id}.outputs.${name}`] = value;
        }
      }
      return { exitCode: 0, log, cached, path: readFileSync(file('path'), 'utf8') };
    },
  };
}

describe('the action setup-mailer', needing(linux), () => {
  test('puts the checked program on PATH, and downloads it once', async () => {
    const { directory } = await createRelease('1.2.3');
    const { url, requested } = await serveFiles(directory);
    const { home, run } = createRunner();
    const inputs = { version: 'v1.2.3', download: url };
    const first = await run(inputs);
    expect(first).toMatchObject({ exitCode: 0, path: `${home}/tools/mailer/1.2.3/X64/bin\n` });
    const { stdout } = await execa(join(first.path.trim(), 'mailer'), ['--version']);
    expect(stdout).toBe('1.2.3');
    // What the cache keeps is what the scripts look for.
    expect(first.cached).toEqual([
      { path: dirname(first.path.trim()), key: 'mailer-Linux-X64-1.2.3' },
    ]);
    expect(requested).toHaveLength(2);
    expect(await run(inputs)).toMatchObject({ exitCode: 0, path: first.path });
    expect(requested).toHaveLength(2);
  });

  test.each([{ cache: 'false' }, { sha256: 'right' }])(
    'uses nothing of a cache with %j',
    async (given) => {
      const { directory } = await createRelease('1.2.3');
      const { url } = await serveFiles(directory);
      const { home, run } = createRunner();
      const planted = join(home, 'tools/mailer/1.2.3/X64/bin');
      mkdirSync(planted, { recursive: true });
      writeFileSync(join(planted, 'mailer'), '#!/bin/sh\necho 1.2.3\n', { mode: 0o755 });
      const [sha256 = ''] = readFileSync(join(directory, 'SHA256SUMS'), 'utf8').split(' ');
      const inputs = { version: '1.2.3', download: url, ...given };
      const ended = await run('sha256' in given ? { ...inputs, sha256 } : inputs);
      expect(ended).toMatchObject({ exitCode: 0, cached: [] });
      expect(ended.path).toMatch(/mailer\.\w+\/bin\n$/);
      const wrong = await run({ ...inputs, sha256: '0'.repeat(64) });
      expect(wrong).toMatchObject({ exitCode: 1, path: '' });
    },
  );

  test('downloads again what does not run', async () => {
    const { url, requested } = await serveFiles((await createRelease('1.2.3')).directory);
    const { run } = createRunner();
    const { path } = await run({ version: '1.2.3', download: url });
    writeFileSync(join(path.trim(), 'mailer'), 'cut');
    expect(await run({ version: '1.2.3', download: url })).toMatchObject({ exitCode: 0, path });
    expect(requested).toHaveLength(4);
  });

  test('ends the job with a wrong checksum, and with what is no version', async () => {
    const { url } = await serveFiles((await createRelease('1.2.3')).directory);
    const { home, run } = createRunner();
    const wrong = await run({ version: '1.2.3', download: url, sha256: '0'.repeat(64) });
    expect(wrong).toMatchObject({ exitCode: 1, path: '' });
    expect(wrong.log).toContain('is not the one in MAILER_SHA256');
    const odd = await run({ version: '1.2.3\npath=/tmp', download: url });
    expect(odd).toMatchObject({ exitCode: 1, log: expect.stringContaining('::error::') });
    expect(existsSync(join(home, 'tools/mailer/1.2.3/X64/bin/mailer'))).toBe(false);
  });

  test('looks for the release in its own repository, and shows no variables', async () => {
    const { exitCode, log } = await createRunner().run({ version: '1.2.3' });
    expect(exitCode).toBe(1);
    const place = 'https://github.example.invalid/ana/mailer/releases/download/v1.2.3/SHA256SUMS';
    expect(log).toContain(place);
    // Neither the script nor its environment.
    expect(log).not.toMatch(/MAILER_DOWNLOAD|HOME=/);
  });

  test('names the version of the commit that it uses', () => {
    const used = read(actionFile).match(/uses: .*/g);
    expect(used).toEqual([expect.stringMatching(/@[\da-f]{40} # v\d+\.\d+\.\d+$/)]);
  });

  test('has no complaint of shellcheck', needing(installed('shellcheck')), async () => {
    const scripts = setupMailer.runs.steps.flatMap((step) => ('run' in step ? step.run : []));
    for (const input of scripts) {
      const { stdout } = await execa('shellcheck', ['--shell=bash', '-'], { input, reject: false });
      expect(stdout).toBe('');
    }
  });
});
