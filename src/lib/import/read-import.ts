import { inputPath } from '../bulk/input/open-input.ts';
import type { RunStore } from '../bulk/journal/run-store.ts';
import { tryResults } from '../bulk/show/results-file.ts';
import type { Context } from '../command/context.ts';
import { unknownBaseUrl } from '../http/dry-run.ts';
import type { ComparedRow } from './compare.ts';
import { arrivalWait, type ImportFlags } from './flags.ts';
import type { ImportPlan } from './plan.ts';

/** An import as requested by a command. */
export interface ImportOptions {
  readonly path: string;
  /** The book's id or name. */
  readonly book: string;
  readonly flags: ImportFlags;
  /** Part of the run's name, so that one command does not resume the other's runs. */
  readonly purpose: 'import' | 'sync';
}

export interface ImportHooks {
  /** Called if the file has no contacts. Throws a `UsageError` with the message if that is an error. */
  whenEmpty(message: string): void;
  /** Called for each row that counts, in the order of the file, once it is compared with the book. */
  compared?(row: ComparedRow): void;
  /**
   * Called once all rows are compared, before anything is sent. Asks; throws a `UsageError` if the answer is
   * no, or returns false if there is nothing to send.
   */
  approve(plan: ImportPlan): Promise<boolean>;
}

/** What to import, and where. */
export type ImportTask = Awaited<ReturnType<typeof readImport>>;

/** Prepares what an import needs, without reading rows yet. */
export async function readImport(context: Context, asked: ImportOptions, store: RunStore) {
  const { flags, path } = asked;
  // Checks the flag before any work.
  arrivalWait(flags);
  const account = await context.account();
  const input = await inputPath(path, context.system);
  tryResults(flags.results, [['FILE', path]], context.system);
  const { dryRun = false } = context.flags;
  const baseUrl = dryRun ? (account.baseUrl ?? unknownBaseUrl) : account.service();
  return { context, asked, flags, path, input, store, baseUrl };
}
