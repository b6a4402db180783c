import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { attempt } from '../../../shared/attempt.ts';
import { canonicalJson } from '../../../shared/canonical-json.ts';
import { ConflictError, NotFoundError, UsageError } from '../../base/errors.ts';
import { recordsDirectory } from '../../base/files/directories.ts';
import { makeDirectories } from '../../base/files/make-directories.ts';
import { refuseNewer } from '../../base/files/newer-format.ts';
import { takeLock } from '../../base/files/process-lock.ts';
import { readRegular } from '../../base/files/regular-file.ts';
import { syncDirectory } from '../../base/files/sync-directory.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { visible } from '../../base/text/visible.ts';
import type { Context } from '../command/context.ts';
import { localCommand, nextCommand } from '../command/next-command.ts';
import {
  type Described,
  type KeptEntry,
  type KeptState,
  keptEntry,
  keptState,
  type OutboxDetail,
  type OutboxEntry,
} from './outbox-shapes.ts';

/** How long an entry can be approved and sent, in milliseconds. */
export const lifetime = 24 * 60 * 60 * 1000;

/** How long an entry is kept that began to be sent, in milliseconds: as long as somebody may look for what is left. */
const begunLifetime = 60 * lifetime;

/** An entry as it is on disk. */
export interface StoredEntry {
  readonly shown: OutboxEntry;
  readonly kept: KeptEntry;
  /** Undefined until somebody decides. */
  readonly decided: KeptState | undefined;
  /** The digest of the stored bytes. */
  readonly bytes: string;
  /** Its directory; that of its journal is `run` in it, until it is sent. */
  readonly directory: string;
}

/** The `version` of entries that this version writes and reads. */
const format = 1;
const files = { entry: 'entry.json', state: 'state.json', run: 'run' } as const;
const last = 'last-approved.json';
const preparing = 'preparing-';

export type Outbox = ReturnType<typeof createOutbox>;

/** The outbox of this user, or of the sandbox. */
export async function outboxOf(context: Pick<Context, 'flags' | 'system' | 'clock'>) {
  const command = (verb: string, ...ids: readonly string[]) =>
    (verb === 'send' ? nextCommand : localCommand)(context, 'outbox', verb, ...ids);
  return createOutbox(recordsDirectory('outbox', context), await context.clock(), command);
}

/**
 * The entries below a directory, each in one of its own, private to this user. `now` in milliseconds since 1970; `command`
 * makes a command line about the outbox for hints.
 */
export function createOutbox(
  directory: string,
  now: () => number,
  command: (verb: string, ...ids: readonly string[]) => string,
) {
  const toSeeIds = `To see its entries: ${command('list')}`;
  const pathOf = (id: string) => join(directory, id);
  const read = (id: string): StoredEntry => {
    const path = pathOf(id);
    const text = readRegular(join(path, files.entry));
    const value: unknown = JSON.parse(text);
    refuseNewer(join(path, files.entry), Object(value).version, format);
    const kept = keptEntry.parse(value) as KeptEntry;
    if (entryId(kept) !== id) throw new Error('its content is that of another entry');
    const decided = readState(path);
    const bytes = sha256(text);
    return { kept, decided, bytes, directory: path, shown: shownAs(kept, decided, now()) };
  };
  /** An entry, or the error about one of a newer version; undefined if it is damaged or missing. */
  const readable = (id: string): StoredEntry | UsageError | undefined => {
    try {
      return read(id);
    } catch (error) {
      return error instanceof UsageError ? error : undefined;
    }
  };
  const ids = () => (existsSync(directory) ? readdirSync(directory).filter(isId) : []);
  return {
    /** All entries that can be read, the newest first, and errors about those of a newer version. */
    list() {
      const all = ids().flatMap((id) => readable(id) ?? []);
      const newer = all.filter((one) => one instanceof UsageError);
      const shown = all.flatMap((one) => (one instanceof UsageError ? [] : one.shown));
      shown.sort((one, other) => Date.parse(other.preparedAt) - Date.parse(one.preparedAt));
      return { shown, newer };
    },
    /** Throws a `UsageError` for what is no id or was changed on disk, and a `NotFoundError`. */
    get(id: string): StoredEntry {
      if (!isId(id)) {
        throw new UsageError(`"${visible(id)}" is not the id of an outbox entry.`, {
          hint: toSeeIds,
        });
      }
      if (!existsSync(pathOf(id))) {
        throw new NotFoundError(`The outbox has no entry ${id}.`, { hint: toSeeIds });
      }
      try {
        return read(id);
      } catch (error) {
        if (error instanceof UsageError) throw error;
        throw new UsageError(`Entry ${id} of the outbox was changed on disk or is damaged.`, {
          hint: 'Nothing was sent. Prepare it again.',
          cause: error,
        });
      }
    },
    /**
     * Stores an entry, with the directory of its run if it has one, and returns it. The same one, if it waits already, is
     * kept as it is. Throws a `ConflictError` if it was sent in the last day, or if it is a run that began to be sent, and a
     * `UsageError` if a newer version has stored it.
     */
    add(kept: KeptEntry, run?: string): StoredEntry {
      makeDirectories(directory);
      this.forget();
      this.sweep();
      const { id } = kept;
      return this.holding(id, () => {
        const before = readable(id);
        if (before instanceof UsageError) throw before;
        const { state = 'expired' } = before?.shown ?? {};
        if (before !== undefined && (state === 'pending' || state === 'approved')) return before;
        if (state === 'begun' && kept.journal !== null) {
          throw new ConflictError(`The same has begun to be sent from the outbox: ${id}.`, {
            hint: `Nothing was sent now. To send what is left: ${command('send', id)}`,
          });
        }
        const sentAt = state === 'sent' || state === 'begun' ? (before?.decided?.at ?? 0) : 0;
        // A campaign has no key, and its own commands tell whether it was started.
        if (kept.campaignDigest === null && sentAt + lifetime > now()) {
          throw new ConflictError(`The outbox sent the same within the last day, as entry ${id}.`, {
            hint: `Nothing was sent. To see it: ${command('get', id)}`,
          });
        }
        rmSync(pathOf(id), { recursive: true, force: true });
        const fresh = pathOf(`${preparing}${id}`);
        rmSync(fresh, { recursive: true, force: true });
        mkdirSync(fresh, { mode: 0o700 });
        writeSafely(join(fresh, files.entry), JSON.stringify(kept, null, 2));
        if (run !== undefined) renameSync(run, join(fresh, files.run));
        syncDirectory(fresh);
        renameSync(fresh, pathOf(id));
        syncDirectory(directory);
        return read(id);
      });
    },
    /** Writes down how far an entry is. To be called within `holding`. */
    mark(
      { directory: path, bytes, decided }: StoredEntry,
      state: KeptState['state'],
      created: readonly string[] = [],
      run = decided?.run,
    ) {
      const kept: KeptState = { state, at: now(), entry: bytes, ids: [...created], run };
      writeSafely(join(path, files.state), JSON.stringify(kept));
      syncDirectory(path);
    },
    /** Does something with an entry while no other process does. Throws a `ConflictError` if one does. */
    holding<Value>(id: string, work: () => Value): Value {
      const lock = takeLock(`${pathOf(id)}.lock`);
      if (lock === undefined) {
        throw new ConflictError(`Another process is working on entry ${id} of the outbox.`, {
          hint: 'Nothing was sent here. Wait until it has ended.',
        });
      }
      let isLate = false;
      try {
        const value = work();
        if (value instanceof Promise) {
          isLate = true;
          void value.finally(lock.release).catch(() => {});
        }
        return value;
      } finally {
        if (!isLate) lock.release();
      }
    },
    /** Removes what has expired a day ago, with the journals that were never sent, and later what began to be sent. */
    forget(): void {
      for (const id of ids()) {
        const entry = attempt(() => read(id), undefined);
        if (entry === undefined) continue;
        const { shown, kept, decided } = entry;
        const end =
          shown.state === 'begun'
            ? (decided?.at ?? 0) + begunLifetime
            : Date.parse(kept.expiresAt) + lifetime;
        if (end > now()) continue;
        rmSync(pathOf(id), { recursive: true, force: true });
        rmSync(`${pathOf(id)}.lock`, { force: true });
      }
    },
    /** Removes what killed preparations left, and what cannot be read, two days after it was written. */
    sweep(): void {
      for (const name of readdirSync(directory)) {
        const id = name.replace(preparing, '');
        if (!isId(id) || (name === id && readable(id) !== undefined)) continue;
        if (statSync(pathOf(name)).mtimeMs + 2 * lifetime > now()) continue;
        const lock = takeLock(`${pathOf(id)}.lock`);
        if (lock === undefined) continue;
        rmSync(pathOf(name), { recursive: true, force: true });
        lock.remove();
      }
    },
    /** What was last approved of a command and an account; undefined if nothing was. */
    lastApproved(like: KeptEntry): KeptEntry | undefined {
      return lastOnes(join(directory, last))[accountOf(like)];
    },
    rememberApproved(kept: KeptEntry): void {
      const path = join(directory, last);
      const summary = { ...kept, request: null };
      const others = Object.entries(lastOnes(path)).filter(([key]) => key !== accountOf(kept));
      const all = [...others.slice(-49), [accountOf(kept), summary] as const];
      writeSafely(path, JSON.stringify(Object.fromEntries(all)));
    },
  };
}

function isId(text: string): boolean {
  return /^[0-9a-f]{16}$/.test(text);
}

/** What an entry sends, and what is shown of it. */
type EntryContent = Described &
  Pick<KeptEntry, 'digest' | 'account' | 'profile' | 'request' | 'journal' | 'isAgain'>;

/** The id of an entry: the same for the same content to the same account, and another one for any other. */
export function entryId(entry: EntryContent): string {
  const { digest, account, profile, request, journal, campaignDigest, isAgain } = entry;
  const { from, subject, scheduledAt, campaign, recipients, domains, first } = entry;
  const run = journal?.directory ?? null;
  const sent = [2, digest, account, profile, request, run, campaignDigest, isAgain];
  const shown = [from, subject, scheduledAt, campaign, recipients, domains, first];
  return sha256(canonicalJson([...sent, ...shown])).slice(0, 16);
}

/** An entry with its request, as `outbox get` shows it. */
export function detailOf({ shown, kept: { request } }: StoredEntry): OutboxDetail {
  if (request === null) return { ...shown, request };
  const { body, ...others } = request;
  const parsed = body === undefined ? {} : { body: JSON.parse(body) as unknown };
  return { ...shown, request: { ...others, ...parsed } };
}

function shownAs(kept: KeptEntry, decided: KeptState | undefined, now: number): OutboxEntry {
  const { version: _, account: __, request: ___, journal: ____, ...rest } = kept;
  const { campaignDigest: _____, content: ______, isAgain: _______, ...shown } = rest;
  const state = decided?.state ?? 'pending';
  const canExpire = state === 'pending' || state === 'approved';
  const isLate = canExpire && Date.parse(kept.expiresAt) <= now;
  const run = decided?.run ?? kept.journal?.directory ?? null;
  return { ...shown, state: isLate ? 'expired' : state, run, ids: decided?.ids ?? [] };
}

function readState(path: string): KeptState | undefined {
  const file = join(path, files.state);
  if (!existsSync(file)) return undefined;
  return keptState.parse(JSON.parse(readRegular(file)));
}

function accountOf({ command, profile, baseUrl }: KeptEntry): string {
  return JSON.stringify([command, profile, baseUrl]);
}

function lastOnes(path: string): Readonly<Record<string, KeptEntry>> {
  const read = () => z.record(z.string(), keptEntry).parse(JSON.parse(readRegular(path)));
  return attempt(read, {});
}

/** Replaces a private file at once; it is on disk before it has its name. */
function writeSafely(path: string, text: string): void {
  const fresh = `${path}.new`;
  rmSync(fresh, { force: true });
  const file = openSync(fresh, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(fresh, path);
}
