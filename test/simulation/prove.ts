import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { seeded, shuffled } from '../support/seeded.ts';
import { defects, plant } from './defects.ts';
import { contacts, emails, smallHistories } from './exhaustive.ts';
import type { History } from './history.ts';
import { ofContacts, ofEmails } from './random.ts';

// Simulates histories in this process, and prints its findings as a line of JSON.

const { values } = parseArgs({
  options: {
    /** Processor time, so that a busy machine tries as many histories. */
    seconds: { type: 'string', default: '60' },
    /** How many histories, instead of a time. */
    histories: { type: 'string' },
    seed: { type: 'string', default: '1' },
    /** The part of all small histories for this process, such as `1/2`. */
    part: { type: 'string', default: '1/1' },
    history: { type: 'string' },
    /** A directory in which the real disk is compared with the simulated one. */
    compare: { type: 'string' },
    defect: { type: 'string' },
  },
});

const defect = values.defect === undefined ? undefined : defects[Number(values.defect)];
if (defect !== undefined) plant(defect);
// Imported after the defect is planted.
const { differences, happen } = await import('./happen.ts');

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (values.compare !== undefined) {
  // One request is left, so that the run keeps all its files.
  const history = { ...emails, retries: 0, requests: [[3, 'unreachable']] } satisfies History;
  print({ differences: await differences(history, values.compare) });
  process.exit();
}

if (values.history !== undefined) {
  // In the form that this program prints.
  const outcome = await happen(JSON.parse(values.history) as History);
  process.stdout.write(`${outcome.trace.join('\n')}\n`);
  print({ violations: outcome.violations });
  process.exit(outcome.violations.length === 0 ? 0 : 1);
}

const used = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
const { histories, seconds: most } = values;
const isOver = (tried: number) =>
  histories === undefined ? used() >= Number(most) : tried >= Number(histories);
const seed = Number(values.seed);
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const states = new Set<string>();
const counts = { one: 0, two: 0, random: 0 };

interface Found {
  readonly history: History;
  readonly violations: readonly string[];
}

async function attempt(history: History): Promise<Found | undefined> {
  const outcome = await happen(history);
  for (const state of outcome.states) states.add(state);
  const { violations } = outcome;
  return violations.length === 0 ? undefined : { history, violations };
}

/** Tries a random history; if it breaks a promise, makes it as small as possible. */
async function tryRandom(arbitrary: fc.Arbitrary<History>): Promise<Found | undefined> {
  counts.random++;
  const property = fc.asyncProperty(
    arbitrary,
    async (history) => (await attempt(history)) === undefined,
  );
  const options = { seed: seed * 7919 + counts.random * parts + part, numRuns: 1 };
  const checked = await fc.check(property, { ...options, endOnFailure: defect !== undefined });
  const history = checked.counterexample?.[0];
  return history && (await attempt(history));
}

/** Takes one element of each list in turn. */
function inTurn<Value>(...lists: readonly (readonly Value[])[]): Value[] {
  const longest = Math.max(...lists.map(({ length }) => length));
  return Array.from({ length: longest }, (_, index) =>
    lists.flatMap((list) => list.slice(index, index + 1)),
  ).flat();
}

type Small = readonly [number: 'one' | 'two', history: History];

/** Histories of a small run: some of each kind, then all with one trouble, then the others. */
async function smallOnes(run: History) {
  const mine = (histories: readonly History[]) =>
    histories.filter((_, index) => index % parts === part - 1);
  const { one, two } = smallHistories(run, await happen(run));
  const named = (number: Small[0], lists: readonly History[][]) =>
    lists.map((list) => mine(list).map((history): Small => [number, history]));
  const [requests = [], ...others] = [...named('one', one), ...named('two', two)];
  // Troubles at requests come in order, because neighbours differ most.
  const lists = [requests, ...others.map((list) => shuffled(list, seeded(seed)))];
  const first = inTurn(...lists.map((list) => list.slice(0, some)));
  const rest = lists.map((list) => list.slice(some));
  const all = [
    ...first,
    ...inTurn(...rest.slice(0, one.length)),
    ...inTurn(...rest.slice(one.length)),
  ];
  return { all, ones: all.filter(([number]) => number === 'one').length };
}

/** The number of histories of each kind that come first. */
const some = 60;
/** The number of small histories between two random ones. */
const between = 6;

/** The runs to try; with a defect, only those of its command. */
const runs = [
  { run: emails, arbitrary: ofEmails, isMeant: defect?.file.startsWith('people/import/') !== true },
  {
    run: contacts,
    arbitrary: ofContacts,
    isMeant: defect?.file.startsWith('people/import/') !== false,
  },
].filter(({ isMeant }) => isMeant);
const small: Awaited<ReturnType<typeof smallOnes>>[] = [];
for (const { run } of runs) small.push(await smallOnes(run));

async function search(): Promise<Found | undefined> {
  const waiting = inTurn(...small.map(({ all }) => all));
  const arbitraries = runs.map(({ arbitrary }) => arbitrary);
  for (let tried = 0; !isOver(tried); tried++) {
    const next =
      tried % (between + 1) === between
        ? undefined
        : waiting[tried - Math.floor(tried / (between + 1))];
    let found: Found | undefined;
    if (next === undefined) {
      found = await tryRandom(arbitraries[counts.random % arbitraries.length] ?? ofEmails);
    } else {
      const [number, history] = next;
      counts[number]++;
      found = await attempt(history);
    }
    if (found !== undefined) return found;
  }
  return undefined;
}

const found = await search();
const ones = small.reduce((sum, { ones }) => sum + ones, 0);
const seconds = Math.round(used() * 1000) / 1000;
print({ ...counts, ones, states: states.size, seconds, found });
process.exit(found === undefined ? 0 : 1);
