import { PassThrough, Writable } from 'node:stream';
import { run } from '../../src/cli/run.ts';
import type { System } from '../../src/lib/base/system/system.ts';
import {
  TransportError,
  type WireReply,
  type WireRequest,
} from '../../src/lib/base/system/wire.ts';
import { root } from './files.ts';
import { current, Died, type Machine, type Process } from './machine.ts';
import { problem, type RequestTrouble, type Service } from './service.ts';

/** A machine that runs the program, and the service it talks to. */
export interface World {
  readonly machine: Machine;
  readonly service: Service;
  readonly line: readonly string[];
  /** All names of the service; each start of the command takes the next one. */
  readonly urls: readonly string[];
  readonly requestTroubles: Map<number, RequestTrouble>;
  requests: number;
  starts: number;
}

/** How a process ended. */
export interface Ended {
  readonly exitCode: number | 'died' | 'endless';
  readonly stderr: string;
}

/** The program's home directory. */
export const home = () => `${root}/home`;

/** Starts the command, and lets events happen until all started processes have ended. */
export async function start(world: World): Promise<Ended> {
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
  for (let idle = 0, happened = 0; ; happened++) {
    await settled(machine);
    if (running.size === 0 && first !== undefined) break;
    if (happened > mostEvents) {
      for (const process of running) machine.kill(process);
      return { exitCode: 'endless', stderr: '' };
    }
    if (machine.advance()) idle = 0;
    else if (++idle > 200)
      throw new Error(`Nothing happens any more:\n${machine.trace.join('\n')}`);
  }
  return first;
}

/** Far more than the longest history has. */
const mostEvents = 2_000;

const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Resolves once all processes only wait for future events. */
export async function settled(machine: Machine): Promise<void> {
  for (let still = 0; still < 3; ) {
    const before = machine.activity;
    await pause();
    still = machine.activity === before ? still + 1 : 0;
  }
}

export async function runIn(world: World, process: Process): Promise<Ended> {
  const { machine } = world;
  const stderr = collect();
  let exitCode: number | 'died';
  try {
    exitCode = await run([...world.line], systemOf(world, process, stderr.stream));
  } catch (error) {
    if (!process.isDead) throw error;
    exitCode = 'died';
  }
  machine.trace.push(`exit ${exitCode} ${stderr.text().slice(0, 300)}`);
  if (!process.isDead)
    world.service.violations.push(...unexplained(process, exitCode, stderr.text()));
  return { exitCode: process.isDead ? 'died' : exitCode, stderr: stderr.text() };
}

/** What an error does not tell: a failure of the machine is no defect of the program, and has its reason. */
function unexplained({ isRefused }: Process, exitCode: number | 'died', stderr: string): string[] {
  if (/Bug in mailer|\n +at /.test(stderr)) return [`a failure is shown as a defect: ${stderr}`];
  // What was only to be cleaned up may remain.
  const hasFailed = exitCode === 2 || exitCode === 12 || stderr.includes('To resume');
  const isTold = /no space is left on the disk|disk is full or failing|EIO/.test(stderr);
  return isRefused && hasFailed && !isTold ? [`a full disk is not named: ${stderr}`] : [];
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
    env: {
      MAILER_API_KEY: 'us_key_1234567890',
      // What is proven here is the journal; the log fails no command.
      MAILER_LOG: 'off',
      MAILER_BASE_URL: world.urls[world.starts++ % world.urls.length],
    },
    platform: 'linux',
    node: {
      version: globalThis.process.versions.node,
      executable: globalThis.process.execPath,
      arch: 'x64',
    },
    cwd: home(),
    homeDirectory: home(),
    accountHome: undefined,
    userName: undefined,
    hostName: 'simulated',
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
    spinnerDelay: 250,
    conversionTime: 30_000,
    random: machine.random,
    uuid: () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}-${machine.steps}`,
    watchParent: () => () => true,
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

/** Makes timers of simulated processes use the simulated clock. */
export function replaceTimers(): void {
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
          // An uncaught error ends the process.
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
  // A simulated timer only has the methods that the program uses.
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
    service.leaves(request);
    const arrive = (respond: (reply: WireReply) => void = () => {}) =>
      service.answer(request, trouble, respond);
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
    if (trouble === 'late' || trouble === 'much later') {
      fail('The connection broke.');
      return void machine.later(undefined, () => arrive(), trouble === 'late' ? undefined : 40_000);
    }
    const respond = (reply: WireReply) => {
      if (trouble === 'twice') machine.later(undefined, () => arrive());
      if (trouble === 'lost') return void fail('The connection broke.');
      if (trouble === 'silence') return;
      if (trouble === 'slow') return void machine.later(process, () => answer(reply), 20_000);
      if (trouble === 'fails after')
        return void answer(service.reply(500, problem('INTERNAL_SERVER_ERROR', 'late')));
      if (trouble === 'garbage after') return void answer(service.reply(200, { data: 'x' }));
      answer(reply);
    };
    machine.later(process, () => arrive(respond));
    if (trouble === 'works, lost' || trouble === 'works, short') {
      machine.later(
        process,
        () => reject(new TransportError('The connection broke.', { unsent: false })),
        1000,
      );
    }
  });
}
