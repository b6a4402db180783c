import { createHash } from 'node:crypto';
import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../files/directories.ts';
import { ownDirectory, readOwn } from '../files/own-files.ts';
import { isObject } from '../output/fields.ts';
import type { System } from '../system/system.ts';
import type { Candidate, CandidateSource } from './offer.ts';

/** Its directory, in that of the cache. */
const kind = 'completion';
/** How long a response of the service is used without asking again, in milliseconds. */
const lifetime = 60_000;
/** How long a service that did not respond is left alone. */
const respite = 10_000;

/** What was found under these words, and whether it is recent enough. */
export interface Cached {
  readonly candidates: readonly Candidate[];
  readonly fresh: boolean;
}

/**
 * Candidates of one account, kept for a minute in a file that only its owner can read and change: else
 * nothing is read, made or removed. Reading and writing remove what is older, of every account. What
 * is read is what the service once said, and no safer to show.
 */
export interface Cache {
  read(): Cached | undefined;
  /** Keeps candidates; for a shorter time if the account did not respond. */
  write(candidates: readonly Candidate[], answered: boolean): void;
}

/** Says which account it is, and what of it; nothing of a key is in it. */
export interface Identity {
  readonly baseUrl: string;
  readonly profile: string;
  /** Of the configuration: after another login the profile may be another account. */
  readonly version: string;
  readonly source: CandidateSource;
  /** See `AccountWords`. */
  readonly book?: string | undefined;
}

type CacheSystem = Pick<System, 'env' | 'platform' | 'homeDirectory' | 'user'>;

/** The cache of what `identity` names. */
export function openCache(
  system: CacheSystem & Pick<System, 'now' | 'uuid'>,
  { baseUrl, profile, version, source, book }: Identity,
): Cache {
  const identity = JSON.stringify([baseUrl, profile, version, source, book]);
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  const ofName = new RegExp(`^${name}-\\d+$`);
  return {
    read() {
      try {
        const directory = ownDirectory(directoryOf(system), system.user);
        if (directory === undefined) return undefined;
        const now = system.now();
        const kept = readdirSync(directory).find((one) => ofName.test(one));
        const content =
          kept === undefined ? undefined : readOwn(join(directory, kept), system.user);
        remove(directory, (one) => !isFresh(one, now));
        const candidates = parse(content?.toString('utf8') ?? 'null');
        return candidates && { candidates, fresh: isFresh(kept ?? '', now) };
      } catch {
        return undefined;
      }
    },
    write(candidates, answered) {
      const now = system.now();
      const written = `${name}-${now + (answered ? lifetime : respite)}`;
      try {
        const directory = ownDirectory(directoryOf(system), system.user, { make: true });
        if (directory === undefined) return;
        const temporary = join(directory, `${written}.${system.uuid()}`);
        // It may exist already, open to others.
        if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
        writeFileSync(temporary, JSON.stringify(candidates), { mode: 0o600, flag: 'wx' });
        renameSync(temporary, join(directory, written));
        remove(directory, (one) => !isFresh(one, now) || (ofName.test(one) && one !== written));
      } catch {
        // Without a cache it is only slower; an incomplete file expires too.
      }
    },
  };
}

/** Removes what is kept of all accounts. */
export function clearCache(system: CacheSystem): void {
  try {
    const above = ownDirectory(cacheDirectory(system), system.user);
    // If it is a link, its target stays.
    if (above !== undefined) rmSync(join(above, kind), { recursive: true, force: true });
  } catch {
    // Not ours, or without names in it.
  }
}

function directoryOf(system: CacheSystem): string {
  return join(cacheDirectory(system), kind);
}

/** The name of a file has the time until which it is fresh, in milliseconds since 1970. */
function isFresh(name: string, now: number): boolean {
  const [, until = 0] = /-(\d+)(\.|$)/.exec(name) ?? [];
  // A clock that was set back would keep it fresh for long.
  return now < Number(until) && Number(until) <= now + lifetime;
}

function remove(directory: string, isMeant: (name: string) => boolean): void {
  for (const name of readdirSync(directory).filter(isMeant)) {
    rmSync(join(directory, name), { force: true });
  }
}

function parse(text: string): readonly Candidate[] | undefined {
  const candidates: unknown = JSON.parse(text);
  return Array.isArray(candidates) && candidates.every(isCandidate) ? candidates : undefined;
}

function isCandidate(value: unknown): value is Candidate {
  return (
    isObject(value) && typeof value.value === 'string' && typeof value.description === 'string'
  );
}
