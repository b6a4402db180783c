import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench, Figure } from './lib/bench.ts';
import { home } from './lib/directories.ts';
import { startDomainServer } from './lib/domain-server.ts';
import { program } from './lib/measure.ts';
import { type Process, timeOf } from './lib/time-of.ts';

/** Something to start, and what it is compared with. */
interface Candidate extends Process {
  /** The name of another candidate; none for those that others are compared with. */
  readonly baseline?: string;
  readonly atMost?: number;
}

/** So many runs a median of such short times needs, at the least. */
const fewest = 20;

const bare = 'node -e 0';
const root = fileURLToPath(new URL('..', import.meta.url));

/** By name. All of them run in turn, so that what else the machine does is spread over all. */
const candidates: Readonly<Record<string, Candidate>> = {
  [bare]: { command: [process.execPath, '-e', '0'] },
  ...mailer('--version', 1.25),
  ...mailer('--help', 1.6),
  ...mailer('email send --help', 1.6),
  ...mailer('completion bash', 1.3),
  ...mailer('domain list --json', 3),
  ...executable(),
};

function mailer(words: string, atMost: number): Record<string, Candidate> {
  const command = [process.execPath, program, ...words.split(' ')];
  return { [`mailer ${words}`]: { command, baseline: bare, atMost } };
}

/** The one that needs no Node, where it has been built; and where there is one, beside GitHub's. */
function executable(): Record<string, Candidate> {
  const file = join(root, 'binary', process.platform === 'win32' ? 'mailer.exe' : 'mailer');
  if (!existsSync(file)) return {};
  const started = (words: string, atMost?: number) => ({
    [`executable ${words}`]: {
      command: [file, ...words.split(' ')],
      baseline: bare,
      ...(atMost !== undefined && { atMost }),
    },
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
    'executable -V': { command: [file, '-V'], baseline: 'gh --version', atMost: 1 },
  };
}

export const bench: Bench = {
  summary: 'start-up: whole processes, beside a Node that does nothing',
  async run({ quick, runs }) {
    const server = await startDomainServer();
    storeProfile(server.baseUrl);
    const taken = new Map<string, number[]>();
    const rounds = quick ? 1 : Math.max(runs, fewest);
    // The first two rounds compile, and keep what they have compiled.
    for (let round = -1; round <= rounds; round++) {
      for (const [name, candidate] of Object.entries(candidates)) {
        const ms = await timeOf(candidate);
        if (round > 0) taken.set(name, [...(taken.get(name) ?? []), ms]);
      }
    }
    server.close();
    const measured = (name: string) => taken.get(name) ?? [];
    return Object.entries(candidates).flatMap(([what, { baseline, atMost }]): Figure[] =>
      baseline === undefined
        ? []
        : [
            {
              what,
              measured: measured(what),
              unit: 'ms',
              baseline: { name: baseline, measured: measured(baseline) },
              // A single run says nothing about a goal.
              ...(quick || atMost === undefined ? {} : { atMost }),
            },
          ],
    );
  },
};

/** An account in the place where the program looks for it. */
function storeProfile(baseUrl: string): void {
  const directory = join(home, '.config', 'mailer');
  const profiles = { default: { baseUrl, apiKey: 'us_key_1234567890' } };
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  writeFileSync(join(directory, 'config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
}
