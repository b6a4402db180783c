import { chmodSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { attempt } from '../../../shared/attempt.ts';
import { cacheDirectory } from '../../base/files/directories.ts';
import { ownDirectory, readOwn } from '../../base/files/own-files.ts';
import type { System } from '../../base/system/system.ts';
import { sha256 } from '../../base/text/sha256.ts';
import { isObject } from '../output/fields.ts';
import type { Candidate, CandidateSource } from './offer.ts';

/** The subdirectory of the cache directory. */
const kind = 'completion';
/** Milliseconds for which a response is used without asking the service again. */
const lifetime = 60_000;
/** Milliseconds before asking a service again that did not respond. */
const respite = 10_000;

/** Cached candidates, and whether they are recent enough. */
export interface Cached {
  readonly candidates: readonly Candidate[];
  readonly fresh: boolean;
}

/** What identifies a cache file; never anything derived from a key. */
export interface Identity {
  readonly baseUrl: string;
  readonly profile: string;
  /** Version of the configuration: after another login the profile may be another account. */
  readonly version: string;
  readonly source: CandidateSource;
  /** See `AccountWords`. */
  readonly book?: string | undefined;
}

type CacheSystem = Pick<System, 'env' | 'platform' | 'homeDirectory' | 'user'>;

/**
 * Candidates of one account, cached for a minute in a file that only its owner can read and change;
 * otherwise nothing is read, created or removed. Reading and writing remove expired files of every
 * account. Cached text comes from the service and is as untrusted as a response.
 */
export function openCache(
  system: CacheSystem & Pick<System, 'now' | 'uuid'>,
  { baseUrl, profile, version, source, book }: Identity,
) {
  const name = sha256(JSON.stringify([baseUrl, profile, version, source, book])).slice(0, 32);
  const ofName = new RegExp(`^${name}-\\d+$`);
  return {
    read: (): Cached | undefined =>
      attempt(() => {
        const directory = ownDirectory(directoryOf(system), system.user);
        if (directory === undefined) return undefined;
        const now = system.now();
        const kept = readdirSync(directory).find((one) => ofName.test(one));
        const content =
          kept === undefined ? undefined : readOwn(join(directory, kept), system.user);
        remove(directory, (one) => !isFresh(one, now));
        const candidates = parse(content?.toString('utf8') ?? 'null');
        return candidates && { candidates, fresh: isFresh(kept ?? '', now) };
      }, undefined),
    /** Stores candidates, for a shorter time if the service did not respond. */
    write(candidates: readonly Candidate[], answered: boolean): void {
      const now = system.now();
      const written = `${name}-${now + (answered ? lifetime : respite)}`;
      // Without a cache, completion is only slower; an incomplete file expires too.
      attempt(() => {
        const directory = ownDirectory(directoryOf(system), system.user, { make: true });
        if (directory === undefined) return;
        const temporary = join(directory, `${written}.${system.uuid()}`);
        // It may already exist, with access for others.
        if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
        writeFileSync(temporary, JSON.stringify(candidates), { mode: 0o600, flag: 'wx' });
        renameSync(temporary, join(directory, written));
        remove(directory, (one) => !isFresh(one, now) || (ofName.test(one) && one !== written));
      }, undefined);
    },
  };
}

/** Removes the cache of all accounts. If it is another user's, nothing happens. */
export function clearCache(system: CacheSystem): void {
  attempt(() => {
    const above = ownDirectory(cacheDirectory(system), system.user);
    // If it is a link, its target stays.
    if (above !== undefined) rmSync(join(above, kind), { recursive: true, force: true });
  }, undefined);
}

function directoryOf(system: CacheSystem): string {
  return join(cacheDirectory(system), kind);
}

/** The file's name contains its expiry time, in milliseconds since 1970. */
function isFresh(name: string, now: number): boolean {
  const [, until = 0] = /-(\d+)(\.|$)/.exec(name) ?? [];
  // If the clock was set back, it would stay fresh for too long.
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
