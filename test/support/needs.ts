import { spawnSync } from 'node:child_process';
import { patience } from './patience.ts';
import { isExecutable } from './process.ts';

/** What some tests need that not every machine has. */
export interface Need {
  readonly isMet: boolean;
  /** Why a test without it is skipped, which the end of a run says. */
  readonly why: string;
}

declare module 'vitest' {
  interface TaskMeta {
    needs?: string;
  }
}

/** Options of a test or a group that is skipped, and said to be, if a need is not met; with MAILER_TEST_NO_SKIP=1, it fails. */
export function needing(...needs: readonly Need[]) {
  const missing = needs.find(({ isMet }) => !isMet);
  if (missing !== undefined && process.env.MAILER_TEST_NO_SKIP === '1')
    throw new Error(missing.why);
  return missing === undefined ? {} : { skip: true, meta: { needs: missing.why } };
}

/**
 * A program of others that does what a shell command says. Being installed is not enough: what a package needs besides
 * itself may be missing. So let it do a little of what the test needs.
 */
export function works(command: string, debianPackage: string): Need {
  const { status } = spawnSync('sh', ['-c', command], { stdio: 'ignore', timeout: patience });
  const [name = command] = command.split(' ');
  return { isMet: status === 0, why: `${name} is missing (Debian package ${debianPackage})` };
}

/** A program of others, such as a shell, that is in a Debian package of its own name. */
export function installed(name: string, debianPackage = name): Need {
  return {
    ...works(`command -v ${name}`, debianPackage),
    why: `${name} is missing (Debian package ${debianPackage})`,
  };
}

export const notWindows: Need = {
  isMet: process.platform !== 'win32',
  why: 'not on Windows',
};

export const ofNode: Need = { isMet: !isExecutable, why: 'the executable has a Node of its own' };

export const linux: Need = { isMet: process.platform === 'linux', why: 'only on Linux' };

export const root: Need = { isMet: process.getuid?.() === 0, why: 'only as root' };

export const noRoot: Need = { isMet: process.getuid?.() !== 0, why: 'not as root' };
