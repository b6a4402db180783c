import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ConflictError, UsageError } from '../../../base/errors.ts';
import { recordsDirectory } from '../../../base/files/directories.ts';
import { makeDirectories } from '../../../base/files/make-directories.ts';
import { type ProcessLock, takeLock } from '../../../base/files/process-lock.ts';
import { explainStateError, isAboutAccess } from '../../../base/files/state-errors.ts';
import { syncDirectory, syncWithAbove } from '../../../base/files/sync-directory.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Counts } from './counts.ts';
import type { Journal } from './journal.ts';
import { NewerJournalError } from './journal-error.ts';
import { openJournal } from './journal-file.ts';
import { type RunHeader, readHeader, requireHeader, writeHeader } from './run-header.ts';
import { type RunLabel, readLabel, writeLabel } from './run-label.ts';
import { isDirectoryName } from './run-name.ts';

/** A run as far as its journal tells. */
export interface ReadRun {
  /** The name of its directory. */
  readonly name: string;
  readonly header: RunHeader;
  readonly counts: Counts;
}

type IsDone = (counts: Counts) => boolean;

export type OpenRun = ReturnType<RunStore['open']>;

/** A run that is being prepared. */
export type NewRun = ReturnType<RunStore['begin']>;

interface NameOfRun {
  readonly directory: string;
  /** The name of the first sending of the same input. */
  readonly first: string;
  readonly sending: number;
}

/** File names in the directory of a run. */
export const runFiles = { journal: 'journal.sqlite', label: 'run.json' } as const;

const preparing = 'preparing-';
/** Beside the runs and not in them, so that a directory can be renamed while its lock is held. */
const locks = 'locks';

export type RunStore = ReturnType<typeof runsOf>;

/**
 * The journals of this user's runs, below a directory that need not exist yet; those of the sandbox are
 * stored with its data. Each is in a directory of its own, private to its owner.
 */
export function runsOf(context: Pick<Context, 'flags' | 'system'>) {
  const directory = recordsDirectory('runs', context);
  const pathOf = (name: string) => join(directory, name);
  const names = () => listed(directory).filter(isDirectoryName);
  const lockOf = (name: string) => join(directory, locks, name);
  const lock = (name: string) => takeLock(lockOf(name));
  const lockFree = (name: string, undone: string) => {
    const held = lock(name);
    if (held !== undefined) return held;
    throw new ConflictError(`This run is in progress in another process. ${undone}.`, {
      hint: `To see its progress: mailer run list. Its journal: ${pathOf(name)}`,
    });
  };
  /** Reads from the journal of a run; undefined if it cannot be read. */
  const look = <Value>(name: string, read: (journal: Journal) => Value): Value | undefined => {
    let journal: Journal;
    try {
      journal = openJournal(join(pathOf(name), runFiles.journal), { check: false });
    } catch (error) {
      if (error instanceof UsageError) return undefined;
      throw error;
    }
    try {
      return read(journal);
    } catch {
      return undefined;
    } finally {
      journal.close();
    }
  };
  /** A run with nothing to send needs no lock where this process may not create one. */
  const lockToOpen = (name: string, isDone: IsDone): ProcessLock | undefined => {
    try {
      return lockFree(name, 'Nothing was sent here');
    } catch (error) {
      if (!isAboutAccess(error) || look(name, (journal) => isDone(journal.counts())) !== true)
        throw error;
      return undefined;
    }
  };
  return {
    directory,
    /** All names, in no order. */
    names,
    has: (name: string): boolean => names().includes(name),
    /**
     * Opens a run for this process alone; `check` verifies its journal. A run with nothing to send opens for
     * reading if this process may not write. Throws a `ConflictError` while another process holds it, and a
     * `JournalError` if it cannot be read.
     */
    open(name: string, { check, isDone }: { readonly check: boolean; readonly isDone: IsDone }) {
      const directory = pathOf(name);
      const held = lockToOpen(name, isDone);
      let opened: Journal | undefined;
      let isOpen = true;
      /** Safe to call again. */
      const close = () => {
        if (!isOpen) return;
        isOpen = false;
        opened?.close();
        held?.release();
      };
      try {
        // Before anything is sent. Not when the run gets its name: that process may be killed before it syncs.
        if (held !== undefined) syncWithAbove(dirname(directory));
        const journal = openJournal(join(directory, runFiles.journal), { check });
        opened = journal;
        return { name, directory, journal, header: requireHeader(journal, directory), close };
      } catch (error) {
        close();
        throw error;
      }
    },
    /** Whether another process holds a run. */
    isTaken(name: string): boolean {
      if (!existsSync(lockOf(name))) return false;
      try {
        const held = lock(name);
        held?.release();
        return held === undefined;
      } catch (error) {
        if (isAboutAccess(error)) return false;
        throw error;
      }
    },
    /** Takes a run for this process alone, in any state. Throws a `ConflictError` like `open`. */
    take(name: string) {
      const held = lockFree(name, 'Nothing was deleted');
      return {
        release: held.release,
        /** Removes everything of it, and releases it. */
        remove(): void {
          // Renamed first, to disappear at once: a journal without its last changes would send emails again.
          // What a kill leaves behind is removed like a preparation that never finished.
          const removed = pathOf(`${preparing}${name}`);
          rmSync(removed, { recursive: true, force: true });
          renameSync(pathOf(name), removed);
          syncDirectory(directory);
          rmSync(removed, { recursive: true, force: true });
          held.remove();
        },
      };
    },
    look,
    /** Reads a run; undefined if its journal cannot be read. */
    read: (name: string): ReadRun | undefined =>
      look(name, (journal) => {
        const header = readHeader(journal);
        return header && { name, header, counts: journal.counts() };
      }),
    /** Throws a `NewerJournalError` for a run whose journal a newer mailer wrote. */
    refuseNewer(name: string): void {
      try {
        openJournal(join(pathOf(name), runFiles.journal), { check: false }).close();
      } catch (error) {
        if (error instanceof NewerJournalError) throw error;
      }
    },
    /** Whether a newer mailer wrote the journal of a run. */
    isNewer(name: string): boolean {
      try {
        this.refuseNewer(name);
        return false;
      } catch {
        return true;
      }
    },
    /** What a run is about, even if its journal cannot be read; undefined without a readable label. */
    label: (name: string): RunLabel | undefined => readLabel(join(pathOf(name), runFiles.label)),
    path: pathOf,
    /** The same for what is only shown; in a temporary directory where this process may not write. */
    beginTrial(id: string): { readonly directory: string; discard(): void } {
      try {
        return this.begin(id);
      } catch {
        const path = mkdtempSync(join(tmpdir(), 'mailer-trial-'));
        return { directory: path, discard: () => rmSync(path, { recursive: true, force: true }) };
      }
    },
    /** Takes a run that was prepared in another directory, by its path. Throws a `ConflictError` if there is one by now. */
    adopt(name: string, prepared: string): void {
      makeDirectories(join(directory, locks));
      moveInto(pathOf(name), prepared);
      syncDirectory(directory);
    },
    /** Creates a directory in which to prepare a run. */
    begin(id: string) {
      makeDirectories(join(directory, locks));
      removeAbandoned(directory);
      removeUnusedLocks(directory);
      const name = `${preparing}${id}`;
      const path = pathOf(name);
      const held = lock(name);
      if (held === undefined) throw new Error(`Another process is preparing the run ${id}`);
      mkdirSync(path, { mode: 0o700 });
      return {
        directory: path,
        /** Removes what was written. */
        discard(): void {
          rmSync(path, { recursive: true, force: true });
          held.remove();
        },
        /** Turns it into a run with this name. Throws a `ConflictError` if there is one by now; discard it then. */
        finish(name: NameOfRun, header: RunHeader): void {
          this.complete(name, header);
          moveInto(pathOf(name.directory), path);
          held.remove();
        },
        /** Writes its label and header, as `finish` does, and leaves it where it is. */
        complete({ first, sending }: NameOfRun, header: RunHeader): void {
          const { input, fingerprint, account, retry } = header;
          const { digest } = fingerprint;
          const label = { first, sending, input, digest, account, retryOf: retry?.first };
          writeLabel(join(path, runFiles.label), label);
          // Prepared to its end: once its changes are recorded, closing it makes it safe on the disk.
          const journal = openJournal(join(path, runFiles.journal), { check: false });
          journal.record();
          writeHeader(journal, header);
          journal.close();
          syncDirectory(path);
        },
      };
    },
  };
}

/** Moves what was prepared to a run's place. Throws a `ConflictError` if there is a run by now. */
function moveInto(place: string, prepared: string): void {
  try {
    renameSync(prepared, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
    throw new ConflictError('Another process has just started this run. Nothing was sent here.', {
      cause: error,
    });
  }
}

function listed(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw explainStateError(error, directory, 'read');
  }
}

/** Removes what is left of preparations that were killed. Nothing of them was sent. */
function removeAbandoned(directory: string): void {
  for (const name of listed(directory).filter((one) => one.startsWith(preparing))) {
    try {
      const lock = takeLock(join(directory, locks, name));
      if (lock === undefined) continue;
      rmSync(join(directory, name), { recursive: true, force: true });
      lock.remove();
    } catch {
      // Another process is removing it too.
    }
  }
}

/** Removes the locks of runs whose directory was deleted. */
function removeUnusedLocks(directory: string): void {
  const isUnused = (name: string) =>
    !name.startsWith(preparing) && !existsSync(join(directory, name));
  for (const name of listed(join(directory, locks)).filter(isUnused)) {
    const lock = takeLock(join(directory, locks, name));
    // The run may have started meanwhile.
    if (isUnused(name)) lock?.remove();
    else lock?.release();
  }
}
