import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { PassThrough, Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import type { System } from '../../src/lib/system/system.ts';
import { TransportError, type WireReply, type WireRequest } from '../../src/lib/system/wire.ts';
import { seeded } from '../support/seeded.ts';
import type { Names } from './disk.ts';
import { replaceFiles, root, setRoot } from './files.ts';
import { current, Died, Machine, type Process, type Step, type Trouble } from './machine.ts';
import { type RequestTrouble, Service } from './service.ts';
import { replaceSqlite } from './sqlite.ts';

/** One row of the input: how it is sent, and what the service makes of it. */
export type RowKind = 'plain' | 'template a' | 'template b' | 'alone' | 'rejected';

/** All that decides a history: the same one happens the same way each time. */
export interface History {
  readonly seed: number;
  readonly rows: readonly RowKind[];
  readonly names: Names;
  readonly concurrency: number;
  readonly retries: number;
  /** By the number of the step, of all processes, from 1. */
  readonly troubles: readonly (readonly [step: number, trouble: Trouble])[];
  /** By the number of the request, from 1. */
  readonly requests: readonly (readonly [request: number, trouble: RequestTrouble])[];
}

/** What became of a history. */
export interface Outcome {
  /** What must never be; none in a correct program. */
  readonly violations: readonly string[];
  readonly steps: readonly Step[];
  readonly requests: number;
  readonly trace: readonly string[];
  /** One for each state of disk and service that a process was started in. */
  readonly states: readonly string[];
  /** Content of the files of the run, at the end of the first process. */
  readonly files: ReadonlyMap<string, Buffer>;
}

/** Starts of the program after which a history must have come to its end, without the troubles. */
const mostQuietTurns = 6;

let isReplaced = false;

/** The line of all histories. */
const line = (history: History) => [
  ...['email', 'batch', 'rows.json', '--yes', '--quiet', '--results', 'results.jsonl'],
  ...['--keep-going', '--retries', String(history.retries)],
  ...['--concurrency', String(history.concurrency)],
];

interface ResultLine {
  readonly row: number;
  readonly to: string;
  readonly emailId?: string;
  readonly error?: { readonly code: string };
}

/** Has a history happen, and checks what the program promises. */
export async function happen(history: History): Promise<Outcome> {
  if (!isReplaced) {
    replaceFiles();
    replaceSqlite();
    replaceTimers();
    isReplaced = true;
  }
  const random = seeded(history.seed);
  const steps: Step[] = [];
  const troubles = new Map(history.troubles);
  const machine = new Machine({
    ...{ names: history.names, random },
    before(step, at) {
      steps.push(step);
      return troubles.get(at);
    },
  });
  const rows = history.rows.map(emailOf);
  const bad = rows.filter((_, index) => history.rows[index] === 'rejected').map(({ to }) => to);
  const service = new Service(() => machine.now, new Set(bad));
  prepareDisk(machine, JSON.stringify(rows));
  const requestTroubles = new Map(history.requests);
  const world = { machine, service, history, requestTroubles, requests: 0 };
  const violations: string[] = [];
  const states: string[] = [];
  let files = new Map<string, Buffer>();
  let ended: Ended | undefined;
  let quiet = 0;
  for (let turn = 0; ; turn++) {
    states.push(stateOf(machine, service));
    const before = machine.steps;
    ended = await start(world);
    if (turn === 0) files = filesOf(machine);
    const isCalm = ![...troubles.keys()].some((step) => step > before && step <= machine.steps);
    if (isComplete(ended)) break;
    if (ended.exitCode === 'died') continue;
    if (/journal of this run|damaged|malformed/.test(ended.stderr)) {
      const mayBe = history.troubles.some(([, trouble]) => trouble === 'fails');
      if (mayBe) break;
    }
    quiet += isCalm && requestTroubles.size === 0 ? 1 : 0.25;
    if (quiet < mostQuietTurns) continue;
    violations.push(`it never ends: exit code ${ended.exitCode}: ${ended.stderr.slice(0, 400)}`);
    break;
  }
  if (isComplete(ended)) {
    violations.push(...checkResults(world, rows, resultsOf(machine)));
    const sendings = service.sendings;
    troubles.clear();
    const again = await start({ ...world, requestTroubles: new Map() });
    if (service.sendings !== sendings) violations.push('a finished run sends something');
    if (again.exitCode !== ended.exitCode) {
      violations.push(`a finished run ends with ${again.exitCode}: ${again.stderr.slice(0, 300)}`);
    }
  }
  violations.push(...service.violations);
  return { violations, steps, requests: world.requests, trace: machine.trace, states, files };
}

interface World {
  readonly machine: Machine;
  readonly service: Service;
  readonly history: History;
  readonly requestTroubles: Map<number, RequestTrouble>;
  requests: number;
}

interface Row {
  readonly from: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly templateId?: string;
  readonly inReplyToId?: string;
}

function emailOf(kind: RowKind, index: number): Row {
  return {
    ...{
      from: 'a@b.example',
      to: `p${index + 1}@example.org`,
      subject: `S${index + 1}`,
      text: 'T',
    },
    ...(kind.startsWith('template') ? { templateId: kind.replace(' ', '-') } : {}),
    ...(kind === 'alone' ? { inReplyToId: 'email_before' } : {}),
  };
}

/** Where the program runs. */
const home = () => `${root}/home`;

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

function stateOf({ disk }: Machine, { created }: Service): string {
  const hash = createHash('sha256').update(String(created.length));
  for (const [path, { content }] of disk.files()) hash.update(path).update(content.view());
  return hash.digest('hex').slice(0, 16);
}

function resultsOf({ disk }: Machine): ResultLine[] | undefined {
  const file = disk.find(`${home()}/results.jsonl`);
  if (file?.kind !== 'file') return undefined;
  // Written by the program, a line for each row.
  return file.content
    .view()
    .toString('utf8')
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text) as ResultLine);
}

/** Troubles after which the program may not be able to tell whether emails were sent. */
const doubtful: readonly string[] = [
  'short',
  'fails',
  'fails after',
  'quota',
  'a day',
  'kill, a day',
  'power, a day',
];

function checkResults({ service, history }: World, rows: readonly Row[], results?: ResultLine[]) {
  if (results === undefined) return ['there are no results'];
  const found: string[] = [];
  const order = results.map(({ row }) => row).join();
  if (order !== rows.map((_, index) => index + 1).join()) found.push(`results of rows ${order}`);
  const all = [...history.troubles, ...history.requests].map(([, trouble]) => trouble as string);
  const mayBeInDoubt = all.some((trouble) => doubtful.includes(trouble));
  for (const { row, to, emailId, error } of results) {
    const email = rows[row - 1];
    const created = service.created.filter((one) => one.to === email?.to);
    if (to !== email?.to) found.push(`row ${row} is about ${to}`);
    if (emailId !== undefined) {
      if (created.length !== 1 || created[0]?.id !== emailId)
        found.push(`row ${row} is not ${emailId}`);
      if (created[0]?.subject !== email?.subject) found.push(`row ${row} has another subject`);
    } else if (error?.code === 'rejected') {
      if (created.length > 0) found.push(`row ${row} was accepted and is said to be rejected`);
      if (history.rows[row - 1] !== 'rejected' && !mayBeInDoubt)
        found.push(`row ${row} is rejected`);
    } else if (error?.code !== 'unknown' || !mayBeInDoubt) {
      found.push(`row ${row} is ${error?.code ?? 'nothing'}`);
    }
  }
  return found;
}

interface Ended {
  readonly exitCode: number | 'died';
  readonly stderr: string;
}

/** Whether a run has ended for good: 11 may also be the exit code of one that this machine broke off. */
function isComplete({ exitCode, stderr }: Ended): boolean {
  return exitCode === 0 || (exitCode === 11 && !/^To resume|To resume;/m.test(stderr));
}

/**
 * Has one process of a history happen on the real disk, in this directory, with Node's own SQLite, and again
 * on a simulated disk in its place; returns what differs in the files that are left.
 */
export async function differences(history: History, directory: string): Promise<string[]> {
  setRoot(directory);
  const rows = JSON.stringify(history.rows.map(emailOf));
  mkdirSync(home(), { mode: 0o700 });
  writeFileSync(`${home()}/rows.json`, rows, { mode: 0o600 });
  const machine = new Machine({
    ...{ names: history.names, random: seeded(history.seed), before: () => undefined },
  });
  utimesSync(`${home()}/rows.json`, machine.now / 1000, machine.now / 1000);
  const service = new Service(() => machine.now, new Set());
  const requestTroubles = new Map(history.requests);
  const process = machine.start();
  let isOver = false;
  const world = { machine, service, history, requestTroubles, requests: 0 };
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

/** Starts the line, and lets all happen until everybody who was started has ended. */
async function start(world: World): Promise<Ended> {
  const { machine } = world;
  const running = new Set<Process>();
  const launch = () => {
    const process = machine.start();
    running.add(process);
    const ended = current.run({ machine, process }, () => runIn(world, process));
    const over = ended.finally(() => {
      running.delete(process);
      machine.end(process);
      machine.activity++;
    });
    return over;
  };
  machine.onTwin = () => {
    void launch();
  };
  let first: Ended | undefined;
  void launch().then((ended) => {
    first = ended;
  });
  for (let idle = 0; ; ) {
    await settled(machine);
    if (running.size === 0 && first !== undefined) break;
    if (machine.advance()) idle = 0;
    else if (++idle > 200)
      throw new Error(`Nothing happens any more:\n${machine.trace.join('\n')}`);
  }
  return first;
}

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves once nobody does anything any more, and all wait for what is to come. */
async function settled(machine: Machine): Promise<void> {
  for (let still = 0; still < 3; ) {
    const before = machine.activity;
    await pause();
    still = machine.activity === before ? still + 1 : 0;
  }
}

async function runIn(world: World, process: Process): Promise<Ended> {
  const { machine } = world;
  const stderr = collect();
  let exitCode: number | 'died';
  try {
    exitCode = await run(line(world.history), systemOf(world, process, stderr.stream));
  } catch (error) {
    if (!process.isDead) throw error;
    exitCode = 'died';
  }
  machine.trace.push(`exit ${exitCode} ${stderr.text().slice(0, 300)}`);
  return { exitCode: process.isDead ? 'died' : exitCode, stderr: stderr.text() };
}

function collect() {
  const chunks: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, callback) {
      chunks.push(chunk);
      callback();
    },
  });
  return { stream, text: () => Buffer.concat(chunks).toString('utf8') };
}

function systemOf(world: World, process: Process, stderr: Writable): System {
  const { machine } = world;
  const never = async () => {
    throw new Error('The simulation has none');
  };
  let uuids = 0;
  return {
    env: { MAILER_API_KEY: 'us_key_1234567890', MAILER_BASE_URL: 'https://service.example/api' },
    platform: 'linux',
    node: { version: globalThis.process.versions.node, executable: globalThis.process.execPath },
    cwd: home(),
    homeDirectory: home(),
    accountHome: undefined,
    user: globalThis.process.geteuid?.(),
    timeZone: 'UTC',
    stdin: new PassThrough().end(),
    stdout: collect().stream,
    stderr,
    stderrIsTerminal: false,
    now: () => machine.now,
    monotonic: () => machine.elapsed,
    sleep: (ms, signal) => {
      signal.throwIfAborted();
      return waiting<void>(process, (resolve) => {
        machine.later(process, () => resolve(), ms);
      });
    },
    random: machine.random,
    uuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}-${machine.steps}`,
    signal: new AbortController().signal,
    runShell: never,
    startNode: never,
    openPage: never,
    pages: never,
    editText: never,
    openUrl: never,
    network: async () => ({
      send: (request, signal) => send(world, process, request, signal),
      close: async () => {},
    }),
    dns: never,
    probes: never,
    sandbox: never,
  };
}

/** Has timers of simulated processes go by the simulated clock. */
function replaceTimers(): void {
  const real = { setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout };
  class Timer {
    readonly cancel: () => void;
    constructor(cancel: () => void) {
      this.cancel = cancel;
    }
    unref = () => this;
    ref = () => this;
    hasRef = () => true;
  }
  const start = (work: (...args: unknown[]) => void, ms = 0, ...args: unknown[]) => {
    const store = current.getStore();
    if (store === undefined) return real.setTimeout(work, ms, ...args);
    const { machine, process } = store;
    const fire = () =>
      current.run(store, () => {
        if (process.isDead) return;
        try {
          work(...args);
        } catch (error) {
          // Nobody catches it: the process ends.
          machine.trace.push(`crash ${String(error)}`);
          machine.kill(process);
        }
      });
    return new Timer(machine.later(process, fire, ms));
  };
  const stop = (timer: unknown) => {
    if (timer instanceof Timer) timer.cancel();
    else real.clearTimeout(timer as NodeJS.Timeout);
  };
  // A simulated timer has no other methods than those that the program uses.
  Object.assign(globalThis, { setTimeout: start, clearTimeout: stop });
}

/** A promise that is rejected when the process dies. */
function waiting<Value>(
  process: Process,
  begin: (resolve: (value: Value) => void, reject: (error: Error) => void) => void,
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (process.isDead) return reject(new Died());
    process.onDeath.add(reject);
    const end = () => process.onDeath.delete(reject);
    begin(
      (value) => {
        end();
        resolve(value);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}

function send(
  world: World,
  process: Process,
  request: WireRequest,
  signal: AbortSignal,
): Promise<WireReply> {
  const { machine, service, requestTroubles } = world;
  const number = ++world.requests;
  const trouble = requestTroubles.get(number);
  requestTroubles.delete(number);
  const said = `${request.method} ${request.headers['idempotency-key'] ?? request.url.pathname}`;
  return waiting<WireReply>(process, (resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')));
    const fail = (message: string, unsent = false) =>
      machine.later(process, () => reject(new TransportError(message, { unsent })));
    machine.step(process, {
      kind: 'net',
      what: `${said}${trouble === undefined ? '' : ` (${trouble})`}`,
    });
    if (request.method === 'POST') service.sendings++;
    const arrive = () => service.answer(request, trouble);
    const answer = (reply: WireReply) =>
      machine.later(process, () => {
        if (process.isDead) return;
        try {
          machine.step(process, { kind: 'net', what: `response to ${said}` });
        } catch {
          return;
        }
        resolve(reply);
      });
    if (trouble === 'unreachable') return void fail('No connection.', true);
    if (trouble === 'cut') return void fail('The connection broke.');
    if (trouble === 'bad gateway') {
      return void answer({ status: 502, headers: { 'content-type': 'text/html' }, body: 'no' });
    }
    if (trouble === 'late') {
      fail('The connection broke.');
      return void machine.later(undefined, () => void arrive());
    }
    machine.later(process, () => {
      const reply = arrive();
      if (trouble === 'twice') machine.later(undefined, () => void arrive());
      if (trouble === 'lost') return void fail('The connection broke.');
      if (trouble === 'silence') return;
      if (trouble === 'fails after')
        return void answer(
          service.reply(500, { error: { code: 'INTERNAL_SERVER_ERROR', message: 'late' } }),
        );
      if (trouble === 'garbage after') return void answer(service.reply(200, { data: 'x' }));
      answer(reply);
    });
  });
}
