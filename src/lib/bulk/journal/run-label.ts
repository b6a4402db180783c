import { writeFileSync } from 'node:fs';
import { readRegular } from '../../files/regular-file.ts';
import type { KnownAccount } from './known-account.ts';

/**
 * What a run is about, stored beside its journal: enough to tell which input a run may have half sent if its
 * journal cannot be read, and which sendings of an input are on this machine.
 */
export interface RunLabel {
  /** The name of the first sending of the same input. */
  readonly first: string;
  readonly sending: number;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  /** SHA-256 of the input. */
  readonly digest: string;
  /** The account that started it. */
  readonly account: KnownAccount;
  /** The first run of a chain of retries. */
  readonly retryOf?: string | undefined;
}

/** Writes it, private to its owner. Safe on disk once this returns. */
export function writeLabel(path: string, label: RunLabel): void {
  writeFileSync(path, `${JSON.stringify(label)}\n`, { flag: 'wx', mode: 0o600, flush: true });
}

/** Reads it; undefined if it is missing or damaged. */
export function readLabel(path: string): RunLabel | undefined {
  let label: unknown;
  try {
    label = JSON.parse(readRegular(path));
  } catch {
    return undefined;
  }
  return isLabel(label) ? label : undefined;
}

function isLabel(value: unknown): value is RunLabel {
  if (typeof value !== 'object' || value === null) return false;
  const texts = ['first', 'input', 'digest'];
  const fields: Readonly<Record<string, unknown>> = { ...value };
  const { services, keys } = Object(fields.account);
  return (
    texts.every((name) => typeof fields[name] === 'string') &&
    typeof fields.sending === 'number' &&
    Array.isArray(services) &&
    Array.isArray(keys)
  );
}
