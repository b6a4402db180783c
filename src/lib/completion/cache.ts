import { createHash } from 'node:crypto';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { cacheDirectory } from '../directories.ts';
import { isObject } from '../output/fields.ts';
import type { System } from '../system.ts';
import type { Candidate, Source } from './offer.ts';

/** How long an answer of the service is used without asking again, in milliseconds. */
const lifetime = 60_000;
/** How long a service that could not be asked is left alone. */
const respite = 10_000;
/** After how long the files of accounts that nobody completes for any more are deleted. */
const longestKept = 24 * 60 * 60_000;

/** What was found under these words, and whether it is recent enough to be used as it is. */
export interface Cached {
  readonly candidates: readonly Candidate[];
  readonly fresh: boolean;
}

/** Candidates of one account, kept for a minute in a file that only its owner can read. */
export interface Cache {
  read(): Cached | undefined;
  /** Keeps candidates; those of an account that did not answer for a shorter time. */
  write(candidates: readonly Candidate[], answered: boolean): void;
}

/** Says which account it is, and what of it; nothing of a key is in it. */
export interface Identity {
  readonly baseUrl: string;
  readonly profile: string;
  /** Of the configuration: after another login the profile may be another account. */
  readonly version: string;
  readonly source: Source;
}

/** The cache of what `identity` names. */
export function openCache(system: System, { baseUrl, profile, version, source }: Identity): Cache {
  const directory = join(cacheDirectory(system), 'completion');
  const identity = JSON.stringify([baseUrl, profile, version, source]);
  const name = createHash('sha256').update(identity).digest('hex').slice(0, 32);
  const path = join(directory, `${name}.json`);
  return {
    read() {
      try {
        return parse(readFileSync(path, 'utf8'), system.now());
      } catch {
        return undefined;
      }
    },
    write(candidates, answered) {
      const freshUntil = system.now() + (answered ? lifetime : respite);
      const temporary = `${path}.${system.uuid()}`;
      try {
        mkdirSync(directory, { recursive: true, mode: 0o700 });
        // There before, perhaps, and open to others; somebody else's stays so, and is not used.
        if ((statSync(directory).mode & 0o077) !== 0) chmodSync(directory, 0o700);
        writeFileSync(temporary, JSON.stringify({ freshUntil, candidates }), {
          mode: 0o600,
          flag: 'wx',
        });
        renameSync(temporary, path);
        deleteOld(directory, system.now());
      } catch {
        // Without it all goes on, a little slower; what half a write has left is old one day.
      }
    },
  };
}

function deleteOld(directory: string, now: number): void {
  for (const name of readdirSync(directory)) {
    const path = join(directory, name);
    if (now - statSync(path).mtimeMs > longestKept) rmSync(path, { force: true });
  }
}

function parse(text: string, now: number): Cached | undefined {
  const entry: unknown = JSON.parse(text);
  if (!isObject(entry) || !Array.isArray(entry.candidates)) return undefined;
  const { freshUntil, candidates } = entry;
  if (typeof freshUntil !== 'number' || !candidates.every(isCandidate)) return undefined;
  // A clock that was set back would keep it fresh for long.
  return { candidates, fresh: now < freshUntil && freshUntil <= now + lifetime };
}

function isCandidate(value: unknown): value is Candidate {
  return (
    isObject(value) && typeof value.value === 'string' && typeof value.description === 'string'
  );
}
