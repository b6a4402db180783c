import { UsageError } from '../errors.ts';
import { elsewhere, fileErrorReason, firstStep, isFileError, spaceIsShort } from './file-errors.ts';

/**
 * Turns an error of the operating system or of SQLite about files in the state directory into one that says what to do.
 * Returns all others unchanged.
 */
export function explainStateError(
  thrown: unknown,
  directory: string,
  action: 'read' | 'write' = 'write',
): unknown {
  const problem = fileProblem(thrown) ?? sqliteProblem(thrown);
  if (problem === undefined) return thrown;
  const { path = directory, reason, noSpace, error } = problem;
  return new UsageError(`Cannot ${action} ${path}: ${reason}.`, {
    hint: noSpace
      ? 'Free some space there.'
      : elsewhere(
          'MAILER_STATE_DIR',
          error === undefined ? 'Change its permissions or its owner' : firstStep(error),
        ),
    cause: thrown,
  });
}

interface Problem {
  readonly path?: string | undefined;
  readonly reason: string;
  readonly noSpace: boolean;
  /** The error of the operating system. */
  readonly error?: NodeJS.ErrnoException;
}

function fileProblem(thrown: unknown): Problem | undefined {
  if (!isFileError(thrown)) return undefined;
  return {
    path: thrown.path,
    reason: fileErrorReason(thrown),
    noSpace: spaceIsShort(thrown),
    error: thrown,
  };
}

/**
 * Primary result codes of SQLite (https://sqlite.org/rescode.html) with a cause outside of the database.
 */
const readOnly: Problem = { reason: 'it is read-only', noSpace: false };
const cannotOpen: Problem = { reason: 'one of its files cannot be opened', noSpace: false };
const sqliteProblems: ReadonlyMap<number, Problem> = new Map([
  [5, { reason: 'another process is using it', noSpace: false }],
  [8, readOnly],
  [10, { reason: 'the disk is full or failing, or a file size limit is reached', noSpace: true }],
  [13, { reason: 'no space is left on the disk', noSpace: true }],
  [14, cannotOpen],
]);
const accessProblems: readonly Problem[] = [readOnly, cannotOpen];

/** Whether files may not be written or created, as on a read-only file system. */
export function isAboutAccess(thrown: unknown): boolean {
  if (isFileError(thrown)) return ['EACCES', 'EPERM', 'EROFS'].includes(thrown.code);
  const problem = sqliteProblem(thrown);
  return problem !== undefined && accessProblems.includes(problem);
}

function sqliteProblem(thrown: unknown): Problem | undefined {
  if (!(thrown instanceof Error && 'errcode' in thrown)) return undefined;
  // The higher bits hold the extended code.
  return sqliteProblems.get(Number(thrown.errcode) & 0xff);
}
