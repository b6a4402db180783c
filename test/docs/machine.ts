import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import type { Profile } from '../../src/lib/account/config/config-types.ts';
import { createPlace, root, shellStartOf } from '../support/process.ts';
import { configOf } from '../support/stored-profiles.ts';

export interface MachineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The address of its DNS server, which no variable of a process can set. */
  readonly dns?: string;
  /** Whether only `npm install --global` makes `mailer` available. */
  readonly bare?: boolean;
}

/** A machine that runs scripts with bash, on which `mailer` is the built program. */
export interface Machine {
  readonly home: string;
  /** Stores a profile, as after a login. */
  store(profile: Profile): Promise<void>;
  /** Puts a program first on its PATH. */
  addProgram(name: string, script: string): void;
  /** Runs a script with the command before its file, by default `bash`. */
  run(script: string, options?: RunOptions): Promise<Ran>;
  /** The script's output so far, both streams together. */
  log(): string;
}

export interface RunOptions {
  readonly shell?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface Ran {
  readonly exitCode: number | undefined;
  /** stdout and stderr together, as in a job's log. */
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
    // The configuration is at its default path.
    MAILER_CONFIG_DIR: '',
    // npm installs packages that this machine has, for this machine only.
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
  const resolver =
    dns === undefined ? '' : `"domain verify"|"domain check") set -- "$@" --resolver ${dns} ;;`;
  machine.addProgram(
    'mailer',
    `#!/bin/sh\ncase "$1 $2" in\n${resolver}\nesac\nexec ${started} "$@"\n`,
  );
  return machine;
}

/**
 * Runs the commands that build the program's package in the checkout, and returns the package's
 * path in `directory`. Leaves installed and built files unchanged: only `npm pack` really runs, and
 * any npm command not known here is an error.
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
