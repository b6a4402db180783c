import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { limits } from '../../src/api/limits.ts';
import { seeded } from '../support/seeded.ts';
import { contactImport } from './contacts.ts';
import { batch } from './emails.ts';
import { replaceFiles, setRoot } from './files.ts';
import type { History } from './history.ts';
import { Machine, type Step } from './machine.ts';
import { home, replaceTimers, runIn, settled, start } from './program.ts';
import type { Service } from './service.ts';
import { replaceSqlite } from './sqlite.ts';

/** The outcome of a history. */
export interface Outcome {
  /** Broken promises; none in a correct program. */
  readonly violations: readonly string[];
  /** Until the run is complete. */
  readonly steps: readonly Step[];
  readonly requests: number;
  readonly trace: readonly string[];
  /** The states of disk and service in which processes were started. */
  readonly states: readonly string[];
  /** The files of the run at the end of the first process. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Seconds before each start after the third one, so that a request that is still at work ends. */
const laterPause = 40;
/** Starts of the program without troubles within which a run must complete. */
const mostQuietTurns = 6;

// At most two contacts per request, so that a small import takes several requests.
Object.assign(limits, { contactsPerBulk: 2 });

let isReplaced = false;

const urlsOf = ({ urls }: History) => [
  'https://service.example/api',
  ...(urls === 'two' ? ['https://10.0.0.1/api'] : []),
];

const scenarioOf = (history: History, machine: Machine) =>
  (history.book === undefined ? batch : contactImport)(history, machine);

/** Simulates a history, and checks what the program promises. */
export async function happen(history: History): Promise<Outcome> {
  if (!isReplaced) {
    replaceFiles();
    replaceSqlite();
    replaceTimers();
    isReplaced = true;
  }
  const steps: Step[] = [];
  const troubles = new Map(history.troubles);
  const machine = new Machine({
    ...{ names: history.names, random: seeded(history.seed) },
    before(step, at) {
      steps.push(step);
      return troubles.get(at);
    },
  });
  const scenario = scenarioOf(history, machine);
  const { service, line } = scenario;
  prepareDisk(machine, scenario.input);
  const requestTroubles = new Map(history.requests);
  const urls = urlsOf(history);
  const world = { machine, service, line, urls, requestTroubles, requests: 0, starts: 0 };
  machine.onLongCut = () => service.meanwhile();
  const violations: string[] = [];
  const states: string[] = [];
  let files = new Map<string, Buffer>();
  let complete: number | undefined;
  let quiet = 0;
  // Decides about its URL.
  let startOfLast = 0;
  for (let turn = 0; complete === undefined; turn++) {
    states.push(stateOf(machine, service));
    const pause = Math.max(history.pause ?? 0, turn < 3 ? 0 : laterPause);
    if (turn > 0) machine.wait(pause * 1000);
    const { steps: before } = machine;
    const { size } = requestTroubles;
    startOfLast = world.starts;
    const { exitCode, stderr } = await start(world);
    if (turn === 0) files = filesOf(machine);
    const wasCalm = ![...troubles.keys()].some((step) => step > before && step <= machine.steps);
    const isCalm = wasCalm && requestTroubles.size === size;
    if (exitCode === 'died') {
      // It may also have ended with an error of its own.
    } else if (exitCode === 'endless') {
      violations.push('a process never ends');
      break;
    } else if (scenario.isComplete({ exitCode, stderr }, isCalm)) complete = exitCode;
    else if (mayEnd(history, stderr)) break;
    quiet += wasCalm && requestTroubles.size === 0 ? 1 : 0.25;
    if (complete !== undefined || quiet < mostQuietTurns * urls.length) continue;
    violations.push(`it never ends: exit code ${exitCode}: ${stderr.slice(0, 400)}`);
    break;
  }
  const untilComplete = steps.length;
  if (complete !== undefined) {
    const results = resultsOf(machine);
    violations.push(...(results ? scenario.check(results) : ['there are no results']));
    // Every second time the power fails after the end; a disk that has failed may lose everything then.
    if (machine.random() < 0.5 && ![...troubles.values()].includes('fails')) {
      machine.disk.cutPower('some', machine.random);
      // They may be those of an earlier process.
      const left = resultsOf(machine) ?? results;
      if (left?.length !== results?.length) violations.push('a power cut damages results');
    }
    const { sendings } = service;
    troubles.clear();
    // Everything that the service still works on ends, too.
    machine.wait(3_600_000);
    world.starts = startOfLast;
    world.requestTroubles.clear();
    const again = await start(world);
    if (service.sendings !== sendings) violations.push('a finished run sends something');
    if (again.exitCode !== complete) {
      violations.push(`a finished run ends with ${again.exitCode}: ${again.stderr.slice(0, 300)}`);
    }
    if (urls.length > 1) {
      await start(world);
      if (service.sendings !== sendings) violations.push('a finished run sends to another URL');
    }
  }
  violations.push(...service.violations);
  return {
    ...{ violations, steps: steps.slice(0, untilComplete), requests: world.requests },
    ...{ trace: machine.trace, states, files },
  };
}

/** Whether a run may end with this error: a failing disk may leave an unreadable journal. */
function mayEnd({ troubles }: History, stderr: string): boolean {
  return (
    /journal of this run|damaged|malformed/.test(stderr) &&
    troubles.some(([, trouble]) => trouble === 'fails')
  );
}

function prepareDisk({ disk }: Machine, input: string): void {
  const paths = ['/'];
  for (const name of home().slice(1).split('/')) {
    const path = `${paths.at(-1) ?? ''}/${name}`.replace('//', '/');
    disk.makeDirectory(path, 0o700);
    paths.push(path);
  }
  const file = disk.create(`${home()}/rows.json`, 0o600);
  disk.write(file, 0, Buffer.from(input));
  for (const path of [...paths, `${home()}/rows.json`]) {
    const node = disk.find(path);
    if (node !== undefined) disk.sync(node);
  }
}

function filesOf({ disk }: Machine): Map<string, Buffer> {
  return new Map(
    [...disk.files()].map(([path, { content }]) => [path, Buffer.from(content.view())]),
  );
}

function stateOf({ disk }: Machine, service: Service): string {
  const hash = createHash('sha256').update(service.state());
  for (const [path, { content }] of disk.files()) hash.update(path).update(content.view());
  return hash.digest('hex').slice(0, 16);
}

function resultsOf({ disk }: Machine): unknown[] | undefined {
  const file = disk.find(`${home()}/results.jsonl`);
  if (file?.kind !== 'file') return undefined;
  const lines = file.content.view().toString('utf8').split('\n').slice(0, -1);
  try {
    return lines.map((text): unknown => JSON.parse(text));
  } catch {
    // Damaged: no rows at all.
    return [];
  }
}

/**
 * Runs one process of a history on the real disk, in this directory, with Node's own SQLite, and again on a
 * simulated disk at the same path; returns the differences between the files that are left.
 */
export async function differences(history: History, directory: string): Promise<string[]> {
  setRoot(directory);
  const machine = new Machine({
    ...{ names: history.names, random: seeded(history.seed), before: () => undefined },
  });
  const { line, input, service } = scenarioOf(history, machine);
  mkdirSync(home(), { mode: 0o700 });
  writeFileSync(`${home()}/rows.json`, input, { mode: 0o600 });
  utimesSync(`${home()}/rows.json`, machine.now / 1000, machine.now / 1000);
  const requestTroubles = new Map(history.requests);
  const process = machine.start();
  let isOver = false;
  const urls = urlsOf(history);
  const world = { machine, service, line, urls, requestTroubles, requests: 0, starts: 0 };
  const over = runIn(world, process).then(() => {
    isOver = true;
  });
  while (!isOver) {
    await settled(machine);
    if (!machine.advance()) await new Promise((resolve) => setTimeout(resolve, 1));
  }
  await over;
  const real = new Map(
    readdirSync(directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => [`${parentPath}/${name}`, `${parentPath}/${name}`])
      .map(([path = '', from = '']) => [path, readFileSync(from)] as const),
  );
  const { files } = await happen({ ...history, troubles: [] });
  const differ = (path: string) => !real.get(path)?.equals(files.get(path) ?? Buffer.alloc(0));
  return [...new Set([...real.keys(), ...files.keys()])].filter(differ);
}
