import { recordsDirectory } from '../../base/files/directories.ts';
import type { System } from '../../base/system/system.ts';
import type { LogEntry } from './log-shapes.ts';
import { type LogQuery, LogStore } from './log-store.ts';

/** What finding needs of a context. */
export interface LogReader {
  readonly flags: { readonly sandbox?: boolean };
  readonly system: Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd' | 'user' | 'now'>;
  readonly notes?: { warn(text: string): unknown };
}

/** Entries of the log of this user, or of the sandbox; the newest first. Throws what the file system or SQLite throws. */
export function findInLog({ flags, system, notes }: LogReader, query: LogQuery): LogEntry[] {
  const directory = recordsDirectory('log', { flags, system });
  const warn = (text: string) => notes?.warn(text);
  const store = new LogStore({ directory, user: system.user, now: () => system.now(), warn });
  try {
    return store.find(query);
  } finally {
    store.close();
  }
}
