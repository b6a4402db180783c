import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { type Issue, UsageError } from '../lib/base/errors.ts';
import { fileErrorReason, isFileError } from '../lib/base/files/file-errors.ts';
import { makeDirectories } from '../lib/base/files/make-directories.ts';
import { assertRegular } from '../lib/base/files/regular-file.ts';
import type { InputFiles } from '../lib/base/input/input-files.ts';
import { readJsonSource } from '../lib/base/input/json-input.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import { checkValue, issuesError } from '../lib/service/http/check-request.ts';
import {
  exportSandbox,
  openSandbox,
  resetAccounts,
  resetSandbox,
  type Sandbox,
  type SandboxAccount,
  type SandboxOptions,
  seedSandbox,
} from '../sandbox/open.ts';
import {
  type DataOptions,
  databasePath,
  hasData,
  OtherVersion,
  SandboxUnavailable,
} from '../sandbox/seeds/data.ts';
import type { Seed } from '../sandbox/seeds/seed-file.ts';
import { InvalidSeed, type SeedCounts } from '../sandbox/seeds/seed-store.ts';
import { StorageFailure } from '../sandbox/store/storage-failure.ts';
import { clockFlag } from './sandbox-clock.ts';

/** Opens the embedded service; a `UsageError` says why its data cannot be opened. */
export function openLocalService(options: SandboxOptions): Sandbox {
  return explained(options, () => openSandbox(options));
}

/** The same, and the account of a key: the service's own one, unless it is the key of a test account. */
export async function openLocalAccount(
  options: SandboxOptions,
  key = '',
): Promise<{ readonly sandbox: Sandbox; readonly account: SandboxAccount }> {
  const sandbox = openLocalService(options);
  try {
    return { sandbox, account: (await sandbox.account(key.trim())) ?? sandbox };
  } catch (error) {
    sandbox.close();
    throw explanationOf(error);
  }
}

/**
 * Deletes the embedded service's data and fills it again; a `UsageError` says why it cannot. Its bulk runs
 * are deleted, too: resumed, they would count emails as sent that no longer exist. So are the records of imports, and the ids
 * behind `@last`.
 */
export function resetLocalService(options: DataOptions): SeedCounts {
  return explained(options, () => {
    // First, because it may fail, and then nothing is deleted.
    const counts = resetSandbox(options);
    for (const kept of ['runs', 'imports', 'last']) {
      rmSync(join(options.directory, kept), { recursive: true, force: true });
    }
    return counts;
  });
}

/** Adds seeds to the embedded service's data; a `UsageError` says why it cannot. */
export function seedLocalService(options: DataOptions, seeds: Seed): SeedCounts {
  return explained(options, () => seedSandbox(options, seeds));
}

/** The embedded service's data as `exportSandbox` returns it; a `UsageError` says why it cannot. */
export function* exportLocalService(options: DataOptions): Generator<string> {
  try {
    prepare(options);
    yield* exportSandbox(options);
  } catch (error) {
    throw explanationOf(error);
  }
}

/** The largest file of seeds that is read, in bytes: a string in Node cannot be longer. */
const longestSeedFile = 512 * 1024 * 1024 - 64;

/** Reads and checks a file of seeds. A `UsageError` calls it `name` and lists all problems. */
export async function readSeeds(path: string, files: InputFiles, name: string): Promise<Seed> {
  const { value } = await readJsonSource(path, files, name, longestSeedFile);
  // Its schemas take milliseconds, which each command with --sandbox would need.
  const { seedFile } = await import('../sandbox/seeds/seed-file.ts');
  const checked = checkValue(seedFile, value);
  if ('data' in checked) return checked.data;
  throw seedError(checked.issues);
}

function seedError(issues: readonly Issue[]): UsageError {
  return issuesError(issues, undefined, 'Nothing was stored.');
}

/** Fails early: Node and SQLite could hang on a directory that cannot be made, or on a pipe. */
function prepare({ directory }: DataOptions): void {
  makeDirectories(directory);
  if (hasData(directory)) assertRegular(databasePath(directory));
}

function explained<Value>(options: DataOptions, work: () => Value): Value {
  try {
    prepare(options);
    return work();
  } catch (error) {
    throw explanationOf(error);
  }
}

function explanationOf(error: unknown): unknown {
  if (error instanceof InvalidSeed) return seedError(error.issues);
  const isStorage = error instanceof SandboxUnavailable || error instanceof StorageFailure;
  if (!isStorage && !isFileError(error)) return error;
  const cause = isStorage ? error.cause : error;
  const message = isFileError(cause)
    ? `Cannot write ${cause.path ?? 'the data of the sandbox'}: ${fileErrorReason(cause)}.`
    : error.message;
  return new UsageError(message, {
    hint:
      error instanceof OtherVersion
        ? 'To delete it and start anew: mailer sandbox reset. To keep it, set MAILER_SANDBOX_DIR to another directory.'
        : 'To use another directory, set MAILER_SANDBOX_DIR.',
    cause: error,
  });
}

/** How long to wait for other writing processes, in milliseconds. All requests wait meanwhile. */
const patience = 5000;

interface DataFlags {
  readonly clock?: string | undefined;
  readonly reset?: boolean | undefined;
  readonly empty?: boolean | undefined;
  readonly seed?: string | undefined;
}

/** The sandbox's initial data. The file is checked before anything is deleted. */
export async function prepareData(
  context: Context,
  directory: string,
  flags: DataFlags,
): Promise<DataOptions> {
  const { empty = false, seed } = flags;
  const seeds = seed === undefined ? undefined : await readSeeds(seed, context.files, '--seed');
  const data = {
    directory,
    now: context.system.now,
    ahead: await clockFlag(flags.clock, context),
    patience,
    fresh: { empty, seeds },
  };
  if (flags.reset === true || empty) resetLocalService(data);
  else if (seeds !== undefined) {
    seedLocalService(data, seeds);
    // They are made again, with these seeds.
    resetAccounts(data);
  }
  return data;
}
