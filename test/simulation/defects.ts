import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** A defect to plant into the program before it runs: replaces a text in a file. */
export interface Defect {
  readonly what: string;
  /** Below `src/lib`. */
  readonly file: string;
  readonly find: string;
  readonly becomes: string;
}

const journal = 'runs/bulk/journal/journal.ts';
const queue = 'runs/bulk/send/part-queue.ts';
const keys = 'runs/bulk/journal/idempotency-key.ts';
const store = 'runs/bulk/journal/run-store.ts';
const refusals = 'runs/bulk/send/refusals.ts';
const sender = 'runs/bulk/send/send-parts.ts';
const story = 'runs/bulk/send/part-story.ts';
const contacts = 'people/import/send-contacts.ts';
const ledger = 'people/import/ledger.ts';
const look = 'command-line/command/in-doubt/look.ts';
const exchange = 'service/http/send-with-retries.ts';

/** Each of these breaks a promise of the program, and the simulation has to find it. */
export const defects: readonly Defect[] = [
  {
    what: 'what was prepared is not flushed to the disk before it is sent',
    file: journal,
    find: "    database.exec('PRAGMA synchronous = NORMAL');\n  }",
    becomes: "    database.exec('PRAGMA synchronous = OFF');\n  }",
  },
  {
    what: 'the name of a run is not flushed to the disk',
    file: store,
    find: '        if (held !== undefined) syncWithAbove(dirname(directory));\n',
    becomes: '',
  },
  {
    what: 'the names of the directories above the runs are not flushed to the disk',
    file: 'base/files/sync-directory.ts',
    find: '  if (dirname(path) !== path) syncWithAbove(dirname(path));\n',
    becomes: '',
  },
  {
    what: 'the beginning of a request is not flushed to the disk',
    file: journal,
    find: "this.#database.exec('PRAGMA synchronous = FULL');",
    becomes: '',
  },
  {
    what: 'the beginning of a request is not written down',
    file: queue,
    find: '    journal.begin(parts, now, this.#answers);',
    becomes: '    journal.accept(this.#answers);',
  },
  {
    what: 'the beginning of a request is written down after it has left',
    file: queue,
    find: '    journal.begin(parts, now, this.#answers);',
    becomes: '    setTimeout(() => journal.begin(parts, now, []), 1);',
  },
  {
    what: 'all chunks have one idempotency key',
    file: keys,
    find: '...(first ? [] : [String(chunk.number)]),',
    becomes: "...(first ? [] : ['1']),",
  },
  {
    what: 'parts of a chunk have the key of the whole',
    file: keys,
    find: '...(positions === undefined ? [] : [digestOf(positions.join())]),',
    becomes: '',
  },
  {
    what: 'keys count as known to the service for ever',
    file: 'runs/bulk/journal/forgotten.ts',
    find: 'return begun <= now - keyLifetime || begun > now + margin;',
    becomes: 'return begun > now + margin;',
  },
  {
    what: 'what the service has forgotten is sent again',
    file: journal,
    find: "UPDATE part SET state = 'unknown' WHERE id = ?",
    becomes: "UPDATE part SET state = 'ready', begun_at = NULL WHERE id = ?",
  },
  {
    what: 'splitting loses an email',
    file: refusals,
    find: 'positions.slice(half)]',
    becomes: 'positions.slice(half + 1)]',
  },
  {
    what: 'splitting sends an email in both halves',
    file: refusals,
    find: '[positions.slice(0, half), ',
    becomes: '[positions.slice(0, half + 1), ',
  },
  {
    what: 'of a rejected request the emails at fault are kept, and the others are not',
    file: refusals,
    find: 'positions.filter((position) => !named.has(position))',
    becomes: 'positions.filter((position) => named.has(position))',
  },
  {
    what: 'a request that may have been accepted is split',
    file: story,
    find: ': isFirst || namedProblems(problem, positionsOf(part)).size > 0;',
    becomes: ': true;',
  },
  {
    what: 'emails that the service left out are forgotten',
    file: 'runs/bulk/send/match-in-order.ts',
    find: 'untaken: places.filter((place) => !possible.includes(place)),',
    becomes: 'untaken: [],',
  },
  {
    what: 'ids of a part are given to the wrong rows',
    file: 'runs/bulk/show/row-results.ts',
    find: 'decisions[position] = decide(part, index);',
    becomes: 'decisions[index] = decide(part, index);',
  },
  {
    what: 'a request without a response counts as one that never happened',
    file: story,
    find: "outcome === 'unknown' || problem.code === 'conflict'",
    becomes: "problem.code === 'conflict'",
  },
  {
    what: 'a request in doubt is repeated without a look',
    file: look,
    find: 'Math.max(...since(begun, clocks.latest())) > safelyRepeated',
    becomes: 'false',
  },
  {
    what: 'a look does not wait until the lock of the key is over',
    file: look,
    find: 'isLockOver && agrees',
    becomes: 'agrees',
  },
  {
    what: 'one look after the lock is enough',
    file: look,
    find: 'isLockOver && agrees',
    becomes: 'isLockOver',
  },
  {
    what: 'a look that fails counts as one that finds nothing',
    file: sender,
    find: 'see(findBegun.find(part, isRunning), ',
    becomes: "see(findBegun.find(part, isRunning).catch(() => ({ kind: 'none' }) as const), ",
  },
  {
    what: 'emails that a look does not find count as sent',
    file: sender,
    find: "if (found.kind === 'none') return undefined;",
    becomes: "if (found.kind === 'none') return { do: 'leave' };",
  },
  {
    what: 'ids of some emails that a look finds are those of all',
    file: sender,
    find: 'return await have(part, found.ids);',
    becomes: "return { do: 'accept', ids: found.ids };",
  },
  {
    what: 'a gateway that gives up counts as a service that rejects',
    file: exchange,
    find: "sent: { ...refused, outcome: 'unknown' }, mayRepeat, askedToWait",
    becomes: 'sent: refused, mayRepeat, askedToWait',
  },
  {
    what: 'a request in doubt is repeated after the lock of its key',
    file: exchange,
    find: 'const safelyRepeated = (limits.idempotencyLockSeconds * 1000) / 2;',
    becomes: 'const safelyRepeated = Number.POSITIVE_INFINITY;',
  },
  {
    what: 'a send is given up while the service still locks its key',
    file: 'command-line/command/flags/common-flags.ts',
    find: 'keyedTimeout: 120_000',
    becomes: 'keyedTimeout: 30_000',
  },
  {
    what: 'another URL is another account',
    file: 'runs/bulk/journal/known-account.ts',
    find: "return hasService ? 'same' : 'other service';",
    becomes: "return hasService ? 'same' : 'other account';",
  },
  {
    what: 'a run has its name before it has its header',
    file: store,
    find: '          writeHeader(journal, header);\n          journal.close();\n',
    becomes:
      '          setTimeout(() => {\n            writeHeader(openJournal(join(pathOf(name), runFiles.journal), { check: false }), header);\n          }, 0);\n',
  },
  {
    what: 'changes of the journal are no transactions',
    file: journal,
    find: "    this.#database.exec('BEGIN IMMEDIATE');\n  }\n\n  commit(): void {\n    this.#database.exec('COMMIT');\n",
    becomes: '  }\n\n  commit(): void {\n',
  },
  {
    what: 'the journal cannot undo a change that is not complete',
    file: journal,
    find: "this.#database.exec('PRAGMA journal_mode = WAL')",
    becomes: "this.#database.exec('PRAGMA journal_mode = OFF')",
  },
  {
    what: 'what was accepted is not written down',
    file: queue,
    find: 'this.#answers.push({ part: id, ids });',
    becomes: '',
  },
  {
    what: 'contacts are sent again that may be asked to confirm twice',
    file: contacts,
    find: "ledger === undefined ? 'harmless' : 'unsent'",
    becomes: "'harmless'",
  },
  {
    what: 'contacts are sent that may be asked to confirm before that is safe on the disk',
    file: ledger,
    find: 'PRAGMA synchronous = FULL',
    becomes: 'PRAGMA synchronous = OFF',
  },
  {
    what: 'the name of a ledger is not flushed to the disk',
    file: ledger,
    find: '        if (!isNameSafe) syncWithAbove(dirname(path));\n',
    becomes: '',
  },
  {
    what: 'the beginning of a request with contacts is not written down',
    file: contacts,
    find: 'if (!hasLeft && asked !== undefined) ledger?.begin(asked);',
    becomes: '',
  },
  {
    what: 'contacts of which nothing is known are sent again by the next process',
    file: 'people/import/compare.ts',
    find: 'isNo ? undefined : ledger?.find(email)',
    becomes: 'undefined',
  },
  {
    what: 'contacts without a response are forgotten',
    file: contacts,
    find: 'neverHappened(queued) && asked !== undefined',
    becomes: 'asked !== undefined',
  },
  {
    what: 'contacts are forgotten once another of their request is in the book',
    file: 'people/import/find-in-book.ts',
    find: '.filter(({ row }) => ids.has(row))',
    becomes: '',
  },
  {
    what: 'two processes import into one book',
    file: 'people/import/book-lock.ts',
    find: 'const lock = lockOf(path);',
    becomes: 'const lock = { remove() {} };',
  },
  {
    what: 'pending contacts are changed like others',
    file: 'people/import/compare.ts',
    find: "{ state: 'ready', alone: pending }",
    becomes: "{ state: 'ready', alone: false }",
  },
  {
    what: 'contacts count as arrived before they have changed',
    file: 'people/import/await-arrival.ts',
    find: 'if (one.isAsSent) ids.set',
    becomes: 'if (true) ids.set',
  },
  {
    what: 'results have their name before they are on the disk',
    file: 'base/files/write-file.ts',
    find: ', flush: true',
    becomes: '',
  },
  {
    what: 'a full disk is shown as a defect',
    file: 'base/files/state-errors.ts',
    find: "  [13, { reason: 'no space is left on the disk', noSpace: true }],\n",
    becomes: '',
  },
];

/** The program's file with the defect; throws unless the text occurs exactly once. */
export function planted({ what, find, becomes }: Defect, source: string): string {
  const [before, after, ...more] = source.split(find);
  if (before === undefined || after === undefined || more.length > 0) {
    throw new Error(`The defect cannot be planted any more: ${what}`);
  }
  return `${before}${becomes}${after}`;
}

const library = new URL('../../src/lib/', import.meta.url);

export function sourceOf({ file }: Defect): string {
  return readFileSync(new URL(file, library), 'utf8');
}

/** Makes this process load the program with a defect. Call it before any of the program is loaded. */
export function plant(defect: Defect): void {
  const url = new URL(defect.file, library).href;
  const source = planted(defect, sourceOf(defect));
  registerHooks({
    load(asked, context, next) {
      const loaded = next(asked, context);
      return asked === url ? { ...loaded, source } : loaded;
    },
  });
}
