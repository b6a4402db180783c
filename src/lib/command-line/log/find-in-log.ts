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

/** Does something with the log of this user, or of the sandbox. Throws what the file system or SQLite throws. */
export function withLog<Value>(
  { flags, system, notes }: LogReader,
  work: (store: LogStore) => Value,
): Value {
  const directory = recordsDirectory('log', { flags, system });
  const warn = (text: string) => notes?.warn(text);
  const store = new LogStore({ directory, user: system.user, now: () => system.now(), warn });
  try {
    return work(store);
  } finally {
    store.close();
  }
}

/** Entries of the log, the newest first. Throws like `withLog`. */
export function findInLog(reader: LogReader, query: LogQuery): LogEntry[] {
  return withLog(reader, (store) => store.find(query));
}
