import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { execa } from 'execa';
import { expect, test } from 'vitest';
import { needing, works } from '../support/needs.ts';
import { node, root, temporaryDirectory } from '../support/process.ts';
import { made, released, tarball, version } from './released.ts';

// The npm package, installed by each package manager into a project. They are tools of this test only, kept as installed
// by npm in the versions named here.

const managers = [
  { name: 'npm', from: undefined, add: ['install', '--offline'] },
  { name: 'pnpm', from: 'pnpm@10.20.0', add: ['add', '--offline'] },
  { name: 'yarn', from: 'yarn@1.22.22', add: ['add', '--offline'] },
  { name: 'bun', from: 'bun@1.4.5', add: ['add'] },
] as const;

const tools = join(root, 'node_modules', '.cache', 'package-managers');
const registry = works('npm ping', 'npm');

test.each(managers)(
  '$name installs it, runs nothing of it, and it works',
  needing(made(tarball), registry),
  async ({ name, from, add }) => {
    const bin = join(tools, name, 'node_modules', '.bin');
    if (from !== undefined && !existsSync(join(bin, name))) {
      const words = ['install', '--prefix', join(tools, name), '--no-audit', '--no-save', from];
      await execa('npm', words);
    }
    const home = temporaryDirectory();
    const project = join(home, 'project');
    mkdirSync(project);
    writeFileSync(join(project, 'package.json'), '{ "name": "project", "private": true }\n');
    const env = { HOME: home, PATH: [bin, dirname(node), process.env.PATH].join(delimiter) };
    const run = (file: string, words: readonly string[]) =>
      execa(file, words, { cwd: project, env, extendEnv: false });
    await run(name, [...add, released(tarball)]);
    const mailer = join(project, 'node_modules', '.bin', 'mailer');
    expect((await run(mailer, ['--version'])).stdout).toBe(version);
    const send = ['email', 'send', '--sandbox', '--from', 'hello@example.com'];
    const email = ['--to', 'a@example.org', '--subject', 'S', '--text', 'T', '--wait', '--json'];
    expect((await run(mailer, [...send, ...email])).stdout).toContain('"DELIVERED"');
    // It brings nothing else with it.
    const installed = readdirSync(join(project, 'node_modules'));
    expect(installed.filter((one) => !one.startsWith('.'))).toEqual(['mailer-cli']);
  },
);
