import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { apiKey } from './lib/api-key.ts';
import type { Bench } from './lib/bench.ts';
import { home } from './lib/directories.ts';
import { type Candidate, timeInTurn } from './lib/in-turn.ts';
import { lastDomain, startLoopback } from './lib/loopback.ts';
import { program } from './lib/measure.ts';
import { findResend, type Resend, resendName, resendVersion } from './lib/resend-cli.ts';

type Candidates = Readonly<Record<string, Candidate>>;

const bare = 'node -e 0';
const root = fileURLToPath(new URL('..', import.meta.url));

export const bench: Bench = {
  summary: () =>
    'whole processes, beside an empty Node process and the nearest competitor, resend-cli',
  async run({ quick, runs }) {
    const server = await startLoopback();
    storeProfile(server.baseUrl);
    const resend = findResend(server.resendUrl, quick);
    const candidates = { ...onNode, ...(resend && competitor(resend)), ...executable() };
    try {
      return await timeInTurn(candidates, { quick, runs });
    } finally {
      server.close();
    }
  },
};

const onNode: Candidates = {
  [bare]: { command: [process.execPath, '-e', '0'] },
  ...mailer('--version', { [bare]: 1.25, [`${resendName} --version`]: 0.5 }),
  ...mailer('--help', { [bare]: 1.6, [`${resendName} --help`]: 0.6 }),
  ...mailer('email send --help', { [bare]: 1.8 }),
  ...mailer('completion bash', { [bare]: 1.3 }),
  ...mailer('domain list --json', { [bare]: 3.2, [`${resendName} domains list`]: 0.8 }, lastDomain),
};

function mailer(words: string, beside: Record<string, number>, prints = ''): Candidates {
  const command = [process.execPath, program, ...words.split(' ')];
  return { [`mailer ${words}`]: { command, beside, prints } };
}

/** The nearest competitor doing the same. */
function competitor(resend: Resend): Candidates {
  return {
    [`${resendName} --version`]: resend(['--version'], resendVersion),
    [`${resendName} --help`]: resend(['--help'], 'Usage: resend'),
    [`${resendName} domains list`]: resend(['domains', 'list', '--json'], lastDomain),
  };
}

/** The executable, if it has been built, compared with GitHub's `gh`, if that is installed. */
function executable(): Candidates {
  const file = join(root, 'binary', process.platform === 'win32' ? 'mailer.exe' : 'mailer');
  if (!existsSync(file)) return {};
  const started = (words: string, atMost?: number): Candidates => ({
    [`executable ${words}`]: { command: [file, ...words.split(' ')], beside: { [bare]: atMost } },
  });
  const all = {
    ...started('--version', 1.2),
    ...started('--help'),
    ...started('email send --help'),
    ...started('completion bash'),
    ...started('domain list --json'),
  };
  if (spawnSync('gh', ['--version']).status !== 0) return all;
  return {
    ...all,
    'gh --version': { command: ['gh', '--version'] },
    'executable -V': { command: [file, '-V'], beside: { 'gh --version': 1 } },
  };
}

/** Stores an account where the program looks for it. */
function storeProfile(baseUrl: string): void {
  const directory = join(home, '.config', 'mailer');
  const profiles = { default: { baseUrl, apiKey } };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
}
