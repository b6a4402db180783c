import { isAbsolute } from 'node:path';
import type { ErrorCode } from '../../base/errors.ts';
import type { ShellSystem } from '../../base/text/shell-quote.ts';

/** The names of checks; `installations` is there only if PATH has several; `directory`, `sqlite` and `service` are of the sandbox. */
export const doctorChecks = [
  ...([
    'node',
    'installations',
    'config',
    'policy',
    'key',
    'url',
    'dns',
    'tls',
    'proxy',
    'clock',
  ] as const),
  ...(['features', 'directory', 'sqlite', 'service'] as const),
] as const;

type CheckName = (typeof doctorChecks)[number];

/** The result of one check, as in `--json`. */
export interface Check {
  readonly check: CheckName;
  /** `SKIPPED`: there was nothing to check, or no way to check it. */
  readonly state: 'OK' | 'WARNING' | 'FAILED' | 'SKIPPED';
  /** What was found. */
  readonly detail: string;
  /** What to do about it; null if there is nothing to do. */
  readonly remedy: string | null;
  /** The code with which other commands fail for the same cause; null unless it failed. */
  readonly code: ErrorCode | null;
}

export function ok(check: CheckName, detail: string): Check {
  return { check, state: 'OK', detail: phrase(detail), remedy: null, code: null };
}

export function skipped(check: CheckName, detail: string): Check {
  return { check, state: 'SKIPPED', detail: phrase(detail), remedy: null, code: null };
}

export function warning(check: CheckName, detail: string, remedy: string): Check {
  return { check, state: 'WARNING', detail: phrase(detail), remedy: phrase(remedy), code: null };
}

export function failed(check: CheckName, code: ErrorCode, detail: string, remedy: string): Check {
  return { check, state: 'FAILED', detail: phrase(detail), remedy: phrase(remedy), code };
}

/** A sentence without its full stop, for use within another one that may end in a command to copy. */
export function phrase(text: string): string {
  return text.replace(/\.$/, '');
}

/** A problem, and what to do about it. */
export type Warning = readonly [detail: string, remedy: string];

/** The problem if a variable that names a directory, `own` or that of the XDG specification, is relative. */
export function oddDirectory({ env, platform }: ShellSystem, own: string, xdg: string): Warning[] {
  const [given, base] = [env[own], env[xdg]];
  if (given) {
    return isAbsolute(given)
      ? []
      : [[`${own} depends on the current directory`, `Make ${own} an absolute path`]];
  }
  if (platform === 'darwin' || platform === 'win32' || !base || isAbsolute(base)) return [];
  return [
    [`${xdg} is not an absolute path and was ignored`, `Make ${xdg} an absolute path, or unset it`],
  ];
}

/** The first failed check: the reason why later things could not be checked. */
export function firstFailed(checks: readonly Check[]): Check | undefined {
  return checks.find(({ state }) => state === 'FAILED');
}
