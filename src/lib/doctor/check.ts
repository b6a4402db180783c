import type { ErrorCode } from '../errors.ts';

type CheckName =
  | 'node'
  | 'config'
  | 'key'
  | 'url'
  | 'dns'
  | 'tls'
  | 'proxy'
  | 'clock'
  | 'directory'
  | 'sqlite'
  | 'service';

/** What became of one check. This is what `--json` shows. */
export interface Check {
  readonly check: CheckName;
  /** `SKIPPED`: there was nothing to check, or no way to. */
  readonly state: 'OK' | 'WARNING' | 'FAILED' | 'SKIPPED';
  /** What was found. */
  readonly detail: string;
  /** What to do about it; null where there is nothing to be done. */
  readonly remedy: string | null;
  /** Of what failed, the code with which other commands fail for the same cause; else null. */
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

/** A sentence to go on from: without a full stop, where a command to be copied may stand. */
export function phrase(text: string): string {
  return text.replace(/\.$/, '');
}

/** The first of these that failed: the cause of what could not be checked after it. */
export function firstFailed(checks: readonly Check[]): Check | undefined {
  return checks.find(({ state }) => state === 'FAILED');
}
