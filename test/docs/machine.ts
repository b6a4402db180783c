import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import type { Profile } from '../../src/lib/account/config/types.ts';
import { createPlace, root, shellStartOf } from '../support/process.ts';
import { configOf } from '../support/stored-profiles.ts';

export interface MachineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** Address of its DNS server, which no setting of a process can change. */
  readonly dns?: string;
  /** Whether `mailer` is there only after `npm install --global`. */
  readonly bare?: boolean;
}

/** A machine that runs scripts with bash, on which `mailer` is the built program. */
export interface Machine {
  readonly home: string;
  /** Stores a profile, as for somebody who has logged in. */
  store(profile: Profile): Promise<void>;
  /** Puts a program onto its PATH, in front of all others. */
  addProgram(name: string, script: string): void;
  /** Runs a script by the words before its file, `bash` when absent. */
  run(script: string, options?: RunOptions): Promise<Ran>;
  /** What the script has printed so far, both streams in one. */
  log(): string;
}

export interface RunOptions {
  readonly shell?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly exitCode: number | undefined;
  /** stdout and stderr, as a job's log has them. */
  readonly log: string;
}

export function createMachine({ env = {}, dns, bare = false }: MachineOptions = {}): Machine {
  const { home, env: own } = createPlace();
  const shims = join(home, 'shims');
  const prefix = join(home, 'npm');
  const logFile = join(home, 'log');
  const machineEnv = {
    ...own,
    PATH: [shims, join(prefix, 'bin'), own.PATH].join(delimiter),
    // The configuration is where it is by default.
    MAILER_CONFIG_DIR: '',
    // npm installs from what is on this machine, for this machine only.
    npm_config_prefix: prefix,
    npm_config_offline: 'true',
    npm_config_cache: join(home, 'npm-cache'),
    ...env,
  };
  const machine: Machine = {
    home,
    async store(profile) {
      const profiles = { default: profile };
      await configOf({ home }).update((config) => ({ ...config, profiles }));
    },
    addProgram(name, script) {
      const path = join(shims, name);
      writeFileSync(path, script);
      chmodSync(path, 0o755);
    },
    async run(script, { shell = ['bash'], env = {} } = {}) {
      const file = join(home, 'script');
      writeFileSync(file, script);
      writeFileSync(logFile, '');
      const words = ['-c', 'exec >>"$0" 2>&1; exec "$@"', logFile, ...shell, file];
      const started = execa('bash', words, {
        cwd: home,
        env: { ...machineEnv, ...env },
        extendEnv: false,
        stdin: 'ignore',
        reject: false,
      });
      onTestFinished(() => {
        started.kill('SIGKILL');
      });
      const { exitCode } = await started;
      return { exitCode, log: machine.log() };
    },
    log: () => readFileSync(logFile, 'utf8'),
  };
  mkdirSync(shims);
  mkdirSync(join(prefix, 'lib'), { recursive: true });
  const started = bare ? `"${prefix}/bin/mailer"` : shellStartOf();
  const resolver = dns === undefined ? '' : `"domain verify") set -- "$@" --resolver ${dns} ;;`;
  machine.addProgram(
    'mailer',
    `#!/bin/sh\ncase "$1 $2" in\n${resolver}\nesac\nexec ${started} "$@"\n`,
  );
  return machine;
}

/**
 * Runs commands that make the package of the program, in the checkout, and returns its path, which
 * is in `directory`. What is installed and built stays as it is: of npm's work only `npm pack` is
 * done, and other commands of npm than those known here are an error.
 */
export async function makePackage(commands: string, directory: string): Promise<string> {
  const machine = createMachine({
    env: { npm_config_ignore_scripts: 'true', npm_config_pack_destination: directory },
  });
  const npm = await execa('bash', ['-c', 'command -v npm']);
  machine.addProgram(
    'npm',
    `#!/bin/sh\ncase "$*" in\nci | "run build") exit 0 ;;\npack) cd "${root}" && exec "${npm.stdout}" "$@" ;;\nesac\nexit 99\n`,
  );
  const { exitCode, log } = await machine.run(commands, { shell: ['bash', '-e'] });
  const name = log.trim().split('\n').at(-1) ?? '';
  if (exitCode !== 0) throw new Error(`exit code ${exitCode}: ${log}`);
  return join(directory, name);
}
