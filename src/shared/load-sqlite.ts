import { withoutWarning } from './without-warning.ts';

/** Loads `node:sqlite` without the warning of Node 22 and 23. */
export function loadSqlite(): typeof import('node:sqlite') {
  return withoutWarning('SQLite', () => process.getBuiltinModule('node:sqlite'));
}
