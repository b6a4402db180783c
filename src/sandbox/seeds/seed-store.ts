import { createHash } from 'node:crypto';
import { sqliteCode, sqliteConstraint } from '../store/storage-failure.ts';
import type { Store } from '../store/store.ts';
import {
  EntryProblem,
  type MadeId,
  type SeedTarget,
  seedBook,
  seedCampaign,
  seedContact,
  seedDnsRecords,
  seedDomain,
  seedReputationEvent,
  seedSegment,
  seedSuppression,
  seedTemplate,
} from './seed-entries.ts';
import type { Entry, SectionName, Seed } from './seed-file.ts';
import { seedMessage } from './seed-message.ts';

interface SeedIssue {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Seeds that contradict each other or the existing data. */
export class InvalidSeed extends Error {
  readonly issues: readonly SeedIssue[];

  constructor(issues: readonly SeedIssue[]) {
    super('The seeds are inconsistent');
    this.issues = issues;
  }
}

/** How many entries of each list were stored. */
export type SeedCounts = Readonly<Record<SectionName, number>>;

/**
 * Stores seeds, which replace existing data with the same ids. Call it in a transaction, and roll
 * back if it throws `InvalidSeed`. `now` is that of the sandbox's clock.
 */
export function storeSeed(store: Store, seed: Seed, now: number): SeedCounts {
  const issues: SeedIssue[] = [];
  // Entries come after those they refer to.
  const counts = {
    domains: each('domains', seedDomain),
    dnsRecords: each('dnsRecords', seedDnsRecords),
    books: each('books', seedBook),
    contacts: each('contacts', seedContact),
    segments: each('segments', seedSegment),
    templates: each('templates', seedTemplate),
    suppressions: each('suppressions', seedSuppression),
    campaigns: each('campaigns', seedCampaign),
    messages: each('messages', seedMessage),
    reputationEvents: each('reputationEvents', seedReputationEvent),
  };
  if (issues.length > 0) throw new InvalidSeed(issues);
  return counts;

  /** Stores the entries of a list with a function that returns their ids. */
  function each<Name extends SectionName>(
    name: Name,
    storeEntry: (target: SeedTarget, entry: Entry<Name>, madeId: MadeId) => string | number,
  ): number {
    const madeId = idMaker(name);
    const places = new Map<string | number, number>();
    // TypeScript does not see that each list contains entries of its own kind.
    const entries = (seed[name] ?? []) as readonly Entry<Name>[];
    for (const [index, entry] of entries.entries()) {
      try {
        const id = storeEntry({ store, now }, entry, madeId);
        const twin = places.get(id);
        if (twin !== undefined) throw new EntryProblem(`duplicates ${name}[${twin}]: ${id}`);
        places.set(id, index);
      } catch (error) {
        issues.push({ path: [name, index], message: problemOf(name, error) });
      }
    }
    return entries.length;
  }
}

const alphabet = '0123456789abcdefghijklmnopqrstuvwxyz';
const idLength = 24;

/** Derives ids in the service's form from texts. A repeated text gives another id. */
function idMaker(section: SectionName): MadeId {
  const seen = new Map<string, number>();
  return (what) => {
    const hash = createHash('sha256').update(`${section} ${what}`);
    const key = hash.copy().digest('hex');
    const before = seen.get(key) ?? 0;
    seen.set(key, before + 1);
    let id = 'c';
    for (const byte of hash.update(` ${before}`).digest().subarray(0, idLength)) {
      id += alphabet.charAt(byte % alphabet.length);
    }
    return id;
  };
}

/** The problem if SQLite rejects a duplicate. */
const taken: Partial<Record<SectionName, string>> = {
  domains: 'another domain has this name',
  contacts: 'another contact in its book has this address',
  messages: 'another email of its campaign is to this contact',
};

function problemOf(section: SectionName, error: unknown): string {
  if (error instanceof EntryProblem) return error.message;
  const known = sqliteCode(error) === sqliteConstraint ? taken[section] : undefined;
  if (known === undefined) throw error;
  return known;
}
