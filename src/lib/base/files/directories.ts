import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { System } from '../system/system.ts';
import { shellQuote } from '../text/shell-quote.ts';
import { baseDirectory, cache, data, type Kind, state } from './base-directories.ts';
import { elsewhere, fileErrorReason, firstStep, isFileError } from './file-errors.ts';
import { posix } from './foreign.ts';
import { homeOf, UnreachablePlace } from './home-directory.ts';

type BaseSystem = Pick<System, 'env' | 'platform' | 'homeDirectory'>;
type DirectorySystem = BaseSystem & Pick<System, 'cwd'>;
type StateSystem = DirectorySystem & Pick<System, 'user'>;

/** Data of the embedded service: `MAILER_SANDBOX_DIR`, else the platform's directory. */
export function sandboxDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_SANDBOX_DIR) return resolve(system.cwd, env.MAILER_SANDBOX_DIR);
  return join(base(system, data, 'MAILER_SANDBOX_DIR'), 'sandbox');
}

/**
 * Where the program records something: in the state directory, or, with `--sandbox`, in the data of the sandbox.
 *
 * - `runs`: journals of bulk runs; `imports`: whom imports have asked to confirm; `mailed`: recipients mailed today, for
 *   policies that limit them; `webhooks`: calls of webhooks that were received; `texts`: what was typed for a request
 *   that failed; `log`: what commands did; `outbox`: what waits for approval. Throws an `UnreachablePlace` if another user owns these.
 * - `last`: ids of what each account created last; `begun`: when requests began whose outcome is not known.
 */
export function recordsDirectory(
  what: 'runs' | 'imports' | 'mailed' | 'webhooks' | 'texts' | 'last' | 'begun' | 'log' | 'outbox',
  {
    flags,
    system,
  }: { readonly flags: { readonly sandbox?: boolean }; readonly system: StateSystem },
): string {
  if (flags.sandbox === true) return join(sandboxDirectory(system), what);
  const directory = stateDirectory(system);
  const path = join(directory, what);
  const isChecked = what !== 'last' && what !== 'begun';
  for (const one of isChecked ? [directory, path] : []) refuseForeign(one, system);
  return path;
}

/** What the program records: `MAILER_STATE_DIR`, else the platform's directory. */
function stateDirectory(system: DirectorySystem): string {
  const { env } = system;
  if (env.MAILER_STATE_DIR) return resolve(system.cwd, env.MAILER_STATE_DIR);
  return base(system, state, 'MAILER_STATE_DIR');
}

/**
 * Throws an `UnreachablePlace` if another user owns the directory, who could change what was sent, and what still is:
 * runs would be sent again, people asked again, or limits exceeded.
 */
function refuseForeign(path: string, { user }: StateSystem): void {
  const owner = ownerOf(path);
  if (owner === undefined || owner === user || owner === 0 || user === undefined) return;
  const chown = shellQuote(['chown', '-R', String(user), path], posix);
  throw new UnreachablePlace(
    `User ${owner} owns ${path}, and could change what mailer records there. Nothing was sent.`,
    {
      hint: `Set MAILER_STATE_DIR to a directory of your own, or check what is there and run: ${chown}`,
    },
  );
}

/** The user who owns a state directory; undefined if there is none. */
function ownerOf(path: string): number | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false })?.uid;
  } catch (error) {
    if (!isFileError(error)) throw error;
    throw new UnreachablePlace(
      `Cannot read ${path}: ${fileErrorReason(error)}. Nothing was sent.`,
      {
        hint: elsewhere('MAILER_STATE_DIR', firstStep(error)),
        cause: error,
      },
    );
  }
}

/** The platform's cache directory. */
export function cacheDirectory(system: BaseSystem): string {
  return base(system, cache, 'XDG_CACHE_HOME');
}

/** `variable` names another place, for users without a home directory. */
function base(system: BaseSystem, kind: Kind, variable: string): string {
  return baseDirectory(system, kind, () => homeOf(system, variable));
}
