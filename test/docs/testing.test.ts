import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execa } from 'execa';
import { beforeEach, expect, test } from 'vitest';
import { needing, works } from '../support/needs.ts';
import { createPlace, isAnother, node, root } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { serveIn } from '../support/serving.ts';
import { createMachine } from './machine.ts';

// Each file is used exactly as on the page, in a project that has installed the package.

const page = readFileSync(join(root, 'docs', 'testing.md'), 'utf8');
const files = [...page.matchAll(/^```\S+ (\S+)\n([\s\S]*?)^```$/gm)];

beforeEach(({ skip }) => skip(isAnother, 'it starts the program that it is installed with'));

/** A project with the page's files, and others. */
function project(others: Readonly<Record<string, string>> = {}) {
  const { home } = createPlace();
  const modules = join(home, 'node_modules');
  mkdirSync(join(modules, '@types'), { recursive: true });
  symlinkSync(root, join(modules, 'mailer-cli'));
  for (const name of ['usesend-js', 'vitest', 'nodemailer', 'playwright-core', '@types/node']) {
    symlinkSync(join(root, 'node_modules', name), join(modules, name));
  }
  for (const [, name = '', text = ''] of files) writeFileSync(join(home, name), text);
  for (const [name, text] of Object.entries(others)) writeFileSync(join(home, name), text);
  const run = async (file: string, words: readonly string[], env = {}) => {
    const { all, exitCode } = await execa(file, words, {
      cwd: home,
      all: true,
      reject: false,
      extendEnv: false,
      env: { PATH: process.env.PATH, HOME: home, NO_COLOR: '1', CI: '1', ...env },
    });
    return { exitCode, log: all };
  };
  return { home, run };
}

const ofPackage = (name: string) => join(root, 'node_modules', '.bin', name);

test('the first test passes, and its own part has ten lines at most', async () => {
  const first = files.find(([, name]) => name === 'first.test.mjs')?.[2] ?? '';
  expect(first.trimEnd().split('\n').filter(Boolean).length).toBeLessThanOrEqual(10);
  const { exitCode, log } = await project().run(node, ['--test', 'first.test.mjs']);
  expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
  expect(log).toMatch(/pass 1\b/);
});

test('the files for vitest are a test that passes, with types', async () => {
  const { run } = project({
    'tsconfig.json': JSON.stringify({
      compilerOptions: { module: 'nodenext', strict: true, noEmit: true, skipLibCheck: true },
      files: ['sandbox.ts', 'order.test.ts'],
    }),
    'package.json': JSON.stringify({ type: 'module' }),
  });
  const ran = await run(ofPackage('vitest'), ['run', '--config', 'vitest.config.ts', 'order']);
  expect(ran).toMatchObject({ exitCode: 0 });
  expect(ran.log).toMatch(/Tests +2 passed/);
  expect(await run(ofPackage('tsc'), ['--project', '.'])).toEqual({ exitCode: 0, log: '' });
});

test('the file for nodemailer prints the link', async () => {
  const { exitCode, log } = await project().run(node, ['smtp.mjs']);
  expect({ exitCode, log }).toEqual({
    exitCode: 0,
    log: 'https://shop.example/reset?token=k3',
  });
});

test('the file about webhooks, time and failures runs', async () => {
  const { exitCode, log } = await project().run(node, ['more.mjs']);
  expect({ exitCode, log }).toMatchObject({ exitCode: 0, log: expect.stringMatching(/^\d+$/) });
});

/** An application with a sign-up on a page. */
const shop = `
import { createServer } from 'node:http';
import { confirm, signUp } from './app.mjs';

export async function startShop(sandbox) {
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, 'http://localhost');
    const address = searchParams.get('address') ?? '';
    if (pathname === '/sign-up') await signUp(address, sandbox);
    if (pathname === '/confirm') await confirm(address, searchParams.get('code'));
    response.setHeader('Content-Type', 'text/html');
    response.end({
      '/': '<form action="/sign-up"><label>Address <input name="address"></label><button>Sign up</button></form>',
      '/sign-up': '<form action="/confirm"><input type="hidden" name="address" value="' + address + '"><label>Code <input name="code"></label><button>Confirm</button></form>',
      '/confirm': '<h1>Welcome</h1>',
    }[pathname]);
  }).listen(0);
  await new Promise((resolve) => server.once('listening', resolve));
  const stop = () => server.close().closeAllConnections();
  return { url: 'http://localhost:' + server.address().port, stop };
}
`;

const chromium = process.env.CHROMIUM || '/usr/bin/chromium';
const browser = {
  ...works(`'${chromium}' --headless --no-sandbox --version`, ''),
  why: `no Chromium that works at ${chromium}`,
};

test('the file for a browser signs up with the code', needing(browser), async () => {
  // Chromium has no sandbox of its own for the root user.
  const launcher = `#!/bin/sh\nexec '${chromium}' --no-sandbox "$@"\n`;
  const { home, run } = project({ 'shop.mjs': shop });
  writeFileSync(join(home, 'chromium'), launcher, { mode: 0o755 });
  const ran = await run(node, ['browser.mjs'], { CHROMIUM: join(home, 'chromium') });
  expect(ran).toEqual({ exitCode: 0, log: '' });
});

test('the lines for a shell wait for a message, and for none', async () => {
  const machine = createMachine({ env: { MAILER_SANDBOX_DIR: 'box' } });
  const lines = files.find(([, name]) => name === 'shell.sh')?.[2] ?? '';
  const { exitCode, log } = await machine.run(`set -e\n${lines}`);
  expect({ exitCode, log }).toMatchObject({ exitCode: 0 });
  expect(log).toMatch(/\n483920\n[\w\t]+\nNo message came\.\n$/);
});

// Found by their own files, because a launcher may look for them in the home directory.
const nowhere = 'env -i PATH="$PATH" HOME=/nonexistent';

const pytest = {
  ...works(`${nowhere} python3 -m pytest --version`, ''),
  why: 'pytest is missing (Debian package python3-pytest)',
};
const go = {
  ...works(`${nowhere} go version`, ''),
  why: 'go is missing (Debian package golang-go)',
};

test('the file for pytest finds the code that was sent over SMTP', needing(pytest), async () => {
  const { env, smtpPort } = await serveIn(createWorld(), '--smtp-port 0');
  const words = ['-m', 'pytest', '-q', '-p', 'no:cacheprovider', 'test_sign_up.py'];
  const ran = await project().run('python3', words, { ...env, SMTP_PORT: String(smtpPort) });
  expect(ran).toMatchObject({ exitCode: 0, log: expect.stringContaining('1 passed') });
});

test('the file for Go finds the code', needing(go), async () => {
  const { env } = await serveIn(createWorld());
  const words = ['test', '-vet=off', 'sign_up_test.go'];
  // What it compiles is kept for the next time.
  const GOCACHE = join(tmpdir(), 'mailer-test-go-cache');
  const ran = await project().run('go', words, { ...env, GOCACHE, GO111MODULE: 'off' });
  expect(ran).toMatchObject({ exitCode: 0, log: expect.stringMatching(/^ok/) });
});
