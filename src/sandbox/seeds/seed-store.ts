import { createHash } from 'node:crypto';
import { sqliteCode, sqliteConstraint } from '../store/storage-failure.ts';
import type { Store } from '../store/store.ts';
import {
  EntryProblem,
  type MadeId,
  seedBook,
  seedCampaign,
  seedContact,
  seedDomain,
  seedReputationEvent,
  seedSuppression,
  seedTemplate,
} from './seed-entries.ts';
import type { Entry, SectionName, Seed } from './seed-file.ts';
import { seedMessage } from './seed-message.ts';

/** One issue with one entry of a seed file. */
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
 * Stores seeds; what is there under the same id is replaced. Call it in a transaction, which is to
 * be given up when it throws `InvalidSeed`. `now` is that of the sandbox's clock.
 */
export function storeSeed(store: Store, seed: Seed, now: number): SeedCounts {
  const issues: SeedIssue[] = [];
  const place = { store, now };
  // What others refer to comes first.
  const counts = {
    domains: each('domains', (entry) => seedDomain(place, entry)),
    books: each('books', (entry, madeId) => seedBook(place, entry, madeId)),
    contacts: each('contacts', (entry, madeId) => seedContact(place, entry, madeId)),
    templates: each('templates', (entry, madeId) => seedTemplate(place, entry, madeId)),
    suppressions: each('suppressions', (entry) => seedSuppression(place, entry)),
    campaigns: each('campaigns', (entry, madeId) => seedCampaign(place, entry, madeId)),
    messages: each('messages', (entry, madeId) => seedMessage(place, entry, madeId)),
    reputationEvents: each('reputationEvents', (entry, madeId) =>
      seedReputationEvent(place, entry, madeId),
    ),
  };
  if (issues.length > 0) throw new InvalidSeed(issues);
  return counts;

  /** Stores the entries of a list by a function that returns what each is known by. */
  function each<Name extends SectionName>(
    name: Name,
    storeEntry: (entry: Entry<Name>, madeId: MadeId) => string | number,
  ): number {
    const madeId = idMaker(name);
    const places = new Map<string | number, number>();
    // The lists of the file hold entries of their own kind.
    const entries = (seed[name] ?? []) as readonly Entry<Name>[];
    for (const [index, entry] of entries.entries()) {
      try {
        const id = storeEntry(entry, madeId);
        const twin = places.get(id);
        if (twin !== undefined) throw new EntryProblem(`is ${name}[${twin}] again: ${id}`);
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

/** Makes ids in the service's form of what is said to it: the same again makes another one. */
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

/** What already exists, if SQLite rejects a second one. */
const taken: Partial<Record<SectionName, string>> = {
  domains: 'there is another domain of this name',
  contacts: 'its book holds another contact of this address',
  messages: 'there is another email of this campaign to this contact',
};

function problemOf(section: SectionName, error: unknown): string {
  if (error instanceof EntryProblem) return error.message;
  const known = sqliteCode(error) === sqliteConstraint ? taken[section] : undefined;
  if (known === undefined) throw error;
  return known;
}
