import { inputPath } from '../bulk/input/open-input.ts';
import type { RunStore } from '../bulk/journal/run-store.ts';
import { tryResults } from '../bulk/show/results-file.ts';
import type { Context } from '../command/context.ts';
import { unknownBaseUrl } from '../http/dry-run.ts';
import type { ComparedRow } from './compare.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import type { ImportPlan } from './plan.ts';

/** What a command wants of an import. */
export interface ImportOptions {
  readonly path: string;
  /** Id or name. */
  readonly book: string;
  readonly flags: ImportFlags;
  /** Part of the run's name, so that one command does not resume the other's. */
  readonly purpose: 'import' | 'sync';
}

export interface ImportHooks {
  /** Told of each row that counts, in the order of the file, once it is compared with the book. */
  compared?(row: ComparedRow): void;
  /**
   * Called once all rows are compared and nothing is sent. Asks, and throws a `UsageError` on a no, or
   * returns false where nothing is to be sent.
   */
  approve(plan: ImportPlan): Promise<boolean>;
}

/** What a command line asks for, and where. */
export type ImportTask = Awaited<ReturnType<typeof readImport>>;

/** Reads what a command line asks for, without comparing it with its input. */
export async function readImport(context: Context, asked: ImportOptions, store: RunStore) {
  const { flags, path } = asked;
  // Before anything is done.
  arrivalWait(flags);
  const account = await context.account();
  const input = await inputPath(path, context.system);
  tryResults(flags.results, [['FILE', path]], context.system);
  const { dryRun = false } = context.flags;
  const baseUrl = dryRun ? (account.baseUrl ?? unknownBaseUrl) : account.service();
  return { context, asked, flags, path, input, store, baseUrl };
}
