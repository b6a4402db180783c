import type { CommonFlags } from '../command/common-flags.ts';
import { UsageError } from '../errors.ts';
import type { BulkFlags } from './flags.ts';

/** Flags about sending, which a preview has nothing to do with. */
const aboutSending = [
  'results',
  'wait',
  'waitTimeout',
  'again',
  'resendUnknown',
  'shard',
  'rate',
  'concurrency',
] as const satisfies readonly (keyof BulkFlags)[];

const ofEveryCommand: Readonly<Record<keyof CommonFlags, true>> = {
  json: true,
  jsonl: true,
  csv: true,
  csvSafe: true,
  fields: true,
  quiet: true,
  profile: true,
  baseUrl: true,
  sandbox: true,
  timeout: true,
  retries: true,
  allowHttp: true,
  timezone: true,
  dryRun: true,
  yes: true,
  ask: true,
  color: true,
  debug: true,
};

type Given = Readonly<Record<string, unknown>>;

/** Throws a `UsageError` for what only matters where something is sent. */
export function refuseWithPreview(given: Given): void {
  refuse('--preview', namesOf(given, aboutSending));
}

/** Throws a `UsageError` for a file, and for all flags of a run but `own`. */
export function refuseBeside(own: 'status' | 'forget', given: Given, path?: string): void {
  const others = Object.keys(given).filter((name) => name !== own && !(name in ofEveryCommand));
  const file = path === undefined ? [] : ['FILE'];
  refuse(`--${own}`, [...file, ...namesOf(given, others)]);
}

function namesOf(given: Given, attributes: readonly string[]): string[] {
  return attributes
    .filter((name) => given[name] !== undefined)
    .map((name) => `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`);
}

function refuse(flag: string, others: readonly string[]): void {
  if (others.length > 0) throw new UsageError(`${flag} goes without ${others.join(', ')}`);
}
