import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeAll, describe, expect, test } from 'vitest';
import { installed, needing, works } from '../support/needs.ts';
import { root, temporaryDirectory } from '../support/process.ts';
import { folder, made, released, version, x64 } from './released.ts';

const scratch = join(root, 'node_modules', '.cache', 'release');
const executable = join(scratch, folder, 'bin', 'mailer');
const send = ['email', 'send', '--sandbox', '--from', 'hello@example.com', '--to', 'a@example.org'];
const content = ['--subject', 'S', '--text', 'T', '--wait', '--json'];

async function unpack(name: string): Promise<void> {
  mkdirSync(scratch, { recursive: true });
  await execa('tar', ['-xzf', released(`${name}.tar.gz`), '-C', scratch]);
}

/** The words before a program that give it another clock. */
const later = (time: string) => ['faketime', '-f', time];
/** What the clock says then, in days from now. */
const days = { '+1d': 1, '+365d': 365 };

describe('the executable', needing(x64, made(`${folder}.tar.gz`)), () => {
  beforeAll(() => unpack(folder));

  test('passes the smoke test with no Node on the path', async () => {
    const home = temporaryDirectory();
    const env = { PATH: home, TMPDIR: home };
    const words = [join(root, 'scripts/release/smoke.js'), executable];
    const { stdout } = await execa(process.execPath, words, { env, extendEnv: false });
    expect(stdout.split('\n')).toHaveLength(6);
  });

  test.each(Object.entries(days))(
    'works with the clock at %s',
    needing(installed('faketime')),
    async (time, ahead) => {
      const [file = '', ...words] = later(time);
      const run = (line: readonly string[]) =>
        execa(file, [...words, executable, ...line], {
          env: { HOME: home, PATH: process.env.PATH },
          extendEnv: false,
        });
      const home = temporaryDirectory();
      const before = Date.now();
      const { stdout } = await run([...send, ...content]);
      const { createdAt, emailEvents } = JSON.parse(stdout) as {
        readonly createdAt: string;
        readonly emailEvents: readonly { readonly status: string }[];
      };
      // It did see the other clock.
      expect(Math.round((Date.parse(createdAt) - before) / 86_400_000)).toBe(ahead);
      expect(emailEvents[0]?.status).toBe('DELIVERED');
      const list = await run(['email', 'list', '--sandbox', '--fields', 'subject', '--jsonl']);
      expect(list.stdout).toContain('{"subject":"S"}');
    },
  );

  test('is trusted with a certificate, and goes through a proxy: the tests of these pass with it', async () => {
    const files = ['connections/proxy', 'connections/tls'].map(
      (name) => `test/process/${name}.test.ts`,
    );
    const vitest = join(root, 'node_modules/vitest/vitest.mjs');
    const { exitCode, stdout } = await execa(process.execPath, [vitest, 'run', ...files], {
      cwd: root,
      env: { MAILER_BIN: executable, MAILER_TEST_PATIENCE: undefined },
      reject: false,
      all: true,
    });
    expect({ exitCode, stdout: exitCode === 0 ? '' : stdout }).toEqual({ exitCode: 0, stdout: '' });
  });
});

const arm64 = folder.replace('x64', 'arm64');
const qemu = works('qemu-aarch64-static --version', 'qemu-user-static');
const libc = works('test -d /usr/aarch64-linux-gnu/lib', 'libc6-arm64-cross');

test(
  'the executable for arm64 sends to the sandbox, emulated',
  needing(x64, made(`${arm64}.tar.gz`), qemu, libc),
  async () => {
    await unpack(arm64);
    const words = ['-L', '/usr/aarch64-linux-gnu', join(scratch, arm64, 'bin/mailer')];
    const run = (line: readonly string[]) =>
      execa('qemu-aarch64-static', [...words, ...line], { env: { HOME: home }, extendEnv: false });
    const home = temporaryDirectory();
    expect((await run(['--version'])).stdout).toBe(version);
    expect((await run([...send, ...content])).stdout).toContain('"DELIVERED"');
  },
);
