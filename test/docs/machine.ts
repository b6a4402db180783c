import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { execa } from 'execa';
import { onTestFinished } from 'vitest';
import type { Profile } from '../../src/lib/service/account/config/config-types.ts';
import { createPlace } from '../support/process.ts';
import { createWorld } from '../support/run.ts';
import { shellProgram } from '../support/shell-program.ts';
import { read } from '../support/sources.ts';
import { configOf } from '../support/stored-profiles.ts';

export interface MachineOptions {
  readonly env?: Readonly<Record<string, string>>;
  /** The address of its DNS server, which no variable of a process can set. */
  readonly dns?: string;
  /** Whether only `npm install --global` of the package makes `mailer` available. */
  readonly bare?: boolean;
}

/** The file that `npm pack` makes, as test/process/package/pack.test.ts shows with npm itself. */
export const packageFile = `mailer-cli-${JSON.parse(read('package.json')).version}.tgz`;

/** Does what npm does in a checkout and for the package, which it installs with a link to the program. */
const npm = (program: string, prefix: string) => `#!/bin/sh
case "$*" in
ci | "run build") ;;
pack) echo contents >${packageFile} && echo ${packageFile} ;;
"install --global "*${packageFile}) [ -e "$3" ] && ln -sf "${program}" "${prefix}/bin/mailer" ;;
*) exit 99 ;;
esac
`;

/** A machine that runs scripts with bash, on which `mailer` is the program in the test's own process. */
export interface Machine {
  readonly home: string;
  readonly env: Readonly<Record<string, string>>;
  /** What `mailer` starts. */
  readonly program: string;
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
    ...env,
  };
  // The shell has the variables.
  const program = shellProgram(createWorld({}, home));
  const machine: Machine = {
    home,
    env: machineEnv,
    program: program.path,
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
      await program.ready;
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
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  machine.addProgram('npm', npm(program.path, prefix));
  const started = `"${bare ? join(prefix, 'bin', 'mailer') : program.path}"`;
  const resolver =
    dns === undefined ? '' : `"domain verify"|"domain check") set -- "$@" --resolver ${dns} ;;`;
  machine.addProgram(
    'mailer',
    `#!/bin/sh\ncase "$1 $2" in\n${resolver}\nesac\nexec ${started} "$@"\n`,
  );
  return machine;
}
