import type { DatabaseSync } from 'node:sqlite';

/**
 * Opens (and creates) a SQLite database file. Throws Node's `ERR_SQLITE_ERROR` when it cannot.
 *
 * `node:sqlite` is loaded here and not by an import, because loading it makes Node 22 and 23
 * print an ExperimentalWarning, which this holds back; other warnings pass.
 */
export function openDatabase(path: string): DatabaseSync {
  const { DatabaseSync } = loadSqlite();
  return new DatabaseSync(path);
}

function loadSqlite() {
  const { emitWarning } = process;
  process.emitWarning = (warning: string | Error, ...details: unknown[]) => {
    if (details[0] === 'ExperimentalWarning' && String(warning).startsWith('SQLite')) return;
    Reflect.apply(emitWarning, process, [warning, ...details]);
  };
  try {
    return process.getBuiltinModule('node:sqlite');
  } finally {
    process.emitWarning = emitWarning;
  }
}
