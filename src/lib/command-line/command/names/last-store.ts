import { chmodSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathId } from '../../../../api/fields.ts';
import { attempt } from '../../../../shared/attempt.ts';
import { NotFoundError } from '../../../base/errors.ts';
import { recordsDirectory } from '../../../base/files/directories.ts';
import { ownDirectory, readOwn } from '../../../base/files/own-files.ts';
import { sha256 } from '../../../base/text/sha256.ts';
import type { Context } from '../context.ts';
import { nextCommand } from '../next-command.ts';

export type MakingContext = Pick<Context, 'account' | 'flags' | 'notes' | 'system'>;

/** What `@last` can stand for, and how to find an id that was not created here. */
const listing = {
  email: ['email', 'list'],
  campaign: ['campaign', 'list'],
  contact: ['contact', 'list', '--book', 'BOOK'],
  'contact book': ['contact', 'book', 'list'],
  template: ['template', 'list'],
  segment: ['segment', 'list'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type CreatedKind = keyof typeof listing;

/** What was created last. */
export interface LastMade {
  readonly id: string;
  /** The id of the book, of a contact. */
  readonly book?: string | undefined;
}

/** What was created last. Throws a `NotFoundError` if there is nothing. */
export async function lastMade(context: MakingContext, made: CreatedKind): Promise<LastMade> {
  const kept = readLast(context, await nameOf(context, made));
  if (kept !== undefined) {
    const [id = '', book] = kept.split('/').reverse();
    return { id, book };
  }
  throw new NotFoundError(
    `@last: no ${made} of this account (${await scopeOf(context)}) is recorded on this machine`,
    {
      hint: `Give the id. To find it: ${nextCommand(context, ...listing[made])}`,
    },
  );
}

/** Each profile, and the same key from another source, has its own last one. */
async function scopeOf({ account, flags }: MakingContext): Promise<string> {
  if (flags.sandbox === true) return 'the sandbox';
  const { profile, keySource } = await account();
  return keySource === 'MAILER_API_KEY' ? 'the key in MAILER_API_KEY' : `profile ${profile}`;
}

function readLast(context: MakingContext, name: string): string | undefined {
  const { system } = context;
  const directory = recordsDirectory('last', context);
  return attempt(() => {
    const own = ownDirectory(directory, system.user);
    if (own === undefined) return undefined;
    return readOwn(join(own, name), system.user)?.toString('utf8') || undefined;
  }, undefined);
}

/** See `rememberLastCreated`. */
export async function storeLast(
  context: MakingContext,
  made: CreatedKind,
  { id, book }: LastMade,
): Promise<void> {
  const { system, notes } = context;
  let path: string | undefined;
  try {
    const name = await nameOf(context, made);
    const own = ownDirectory(recordsDirectory('last', context), system.user, { make: true });
    if (own === undefined) return;
    path = join(own, name);
    // Ids have no slash.
    const kept = [...(book === undefined ? [] : [pathId.parse(book)]), pathId.parse(id)].join('/');
    // An existing directory may be open to others.
    if ((statSync(own).mode & 0o077) !== 0) chmodSync(own, 0o700);
    const temporary = `${path}.${system.uuid()}`;
    try {
      writeFileSync(temporary, kept, { mode: 0o600, flag: 'wx' });
      renameSync(temporary, path);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  } catch {
    if (path === undefined || removed(path)) return;
    notes.warn(
      `@last still stands for an earlier ${made}, because ${path} cannot be written. Use ${id}`,
    );
  }
}

function removed(path: string): boolean {
  return attempt(() => {
    rmSync(path, { force: true });
    return true;
  }, false);
}

/**
 * The name of the file with the last id of a kind. Each service and each account of the sandbox has its own file: ids
 * of one are never used for another.
 */
async function nameOf({ account, flags }: MakingContext, made: CreatedKind): Promise<string> {
  const name = made.replace(' ', '-');
  const { service, profile, keySource, key } = await account();
  const parts = flags.sandbox === true ? [await key()] : [service(), profile, keySource];
  return `${sha256(JSON.stringify(parts)).slice(0, 32)}-${name}`;
}
