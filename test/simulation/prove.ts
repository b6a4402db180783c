import { parseArgs } from 'node:util';
import fc from 'fast-check';
import { seeded, shuffled } from '../support/seeded.ts';
import { defects, plant } from './defects.ts';
import { small as smallRun, withOneRequest, withOneStep, withTwoTroubles } from './exhaustive.ts';
import type { History } from './history.ts';
import { histories } from './random.ts';

// Has histories happen in this process, for some seconds, and prints what it found as a line of JSON.

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    /** Which part of all small histories is this process's, as `1/2`. */
    part: { type: 'string', default: '1/1' },
    history: { type: 'string' },
    /** A directory in which the real disk is compared with the simulated one. */
    compare: { type: 'string' },
    defect: { type: 'string' },
  },
});

if (values.defect !== undefined) {
  const defect = defects[Number(values.defect)];
  if (defect === undefined) throw new Error(`There is no defect ${values.defect}`);
  plant(defect);
}
// After the defect.
const { differences, happen } = await import('./history.ts');

const print = (value: unknown) => process.stdout.write(`${JSON.stringify(value)}\n`);

if (values.compare !== undefined) {
  // With a request that is left, so that all files of the run are, too.
  const history = { ...smallRun, retries: 0, requests: [[3, 'unreachable']] } satisfies History;
  print({ differences: await differences(history, values.compare) });
  process.exit();
}

if (values.history !== undefined) {
  // As this program prints it.
  const outcome = await happen(JSON.parse(values.history) as History);
  process.stdout.write(`${outcome.trace.join('\n')}\n`);
  print({ violations: outcome.violations });
  process.exit(outcome.violations.length === 0 ? 0 : 1);
}

const started = performance.now();
const end = started + Number(values.seconds) * 1000;
const seed = Number(values.seed);
const [part = 1, parts = 1] = values.part.split('/').map(Number);
const states = new Set<string>();
let small = 0;
let large = 0;

async function violationsOf(history: History): Promise<readonly string[]> {
  const outcome = await happen(history);
  for (const state of outcome.states) states.add(state);
  return outcome.violations;
}

interface Found {
  readonly history: History;
  readonly violations: readonly string[];
}

async function tryRandom(one: number, most: number): Promise<Found | undefined> {
  const property = fc.asyncProperty(histories, async (history) => {
    large++;
    const violations = await violationsOf(history);
    if (violations.length > 0) throw new Error(violations.join('\n'));
  });
  const checked = await fc.check(property, {
    seed: one,
    numRuns: most,
    interruptAfterTimeLimit: Math.max(1, end - performance.now()),
    markInterruptAsFailure: false,
  });
  const history = checked.counterexample?.[0];
  return history === undefined ? undefined : { history, violations: await violationsOf(history) };
}

const mine = (all: readonly History[]) => all.filter((_, index) => index % parts === part - 1);

/** Tries these, and a random one after so many of them. */
async function tryAll(all: readonly History[], randomAfter: number): Promise<Found | undefined> {
  for (const history of all) {
    if (performance.now() > end) return undefined;
    const violations = await violationsOf(history);
    if (violations.length > 0) return { history, violations };
    small++;
    if (small % randomAfter !== 0) continue;
    const found = await tryRandom(seed * 7919 + small * parts + part, 1);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** One of these, one of those, and what is left of the longer ones. */
function inTurn(these: readonly History[], those: readonly History[]): History[] {
  const most = Math.max(these.length, those.length);
  return Array.from({ length: most }, (_, index) => [these[index], those[index]])
    .flat()
    .filter((history) => history !== undefined);
}

async function search(): Promise<Found | undefined> {
  const calm = await happen(smallRun);
  const one = mine(withOneStep(calm));
  const two = mine(withTwoTroubles(calm));
  const mixed = (histories: History[]) => shuffled(histories, seeded(seed));
  return (
    // The ones that differ most come first.
    (await tryAll(mine(withOneRequest(calm)), 20)) ??
    (await tryAll(inTurn(mixed(one), mixed(two)), 4)) ??
    (await tryRandom(seed * 104729 + part, Number.MAX_SAFE_INTEGER))
  );
}

const found = await search();
const seconds = Math.round(performance.now() - started) / 1000;
print({ small, large, states: states.size, seconds, found });
process.exit(found === undefined ? 0 : 1);
