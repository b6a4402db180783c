import { AsyncLocalStorage } from 'node:async_hooks';
import { type Directory, Disk, DiskError, type File, type Loss, type Names } from './disk.ts';

/** Thrown into a process that has ended; nothing it does afterwards has an effect. */
export class Died extends Error {}

/** What can go wrong at a step. */
export type Trouble =
  /** The process is killed. */
  | 'kill'
  /** The process is killed half-way through a write. */
  | 'tear'
  /** The power fails, and all, none or some of the unsynced data is lost. */
  | 'power, all lost'
  | 'power, some lost'
  | 'power, none lost'
  /** All names survive, and no content that was not synced. */
  | 'power, content lost'
  /** The disk is full until the process ends. */
  | 'full'
  /** Only this operation fails. */
  | 'fails'
  /** Somebody starts the same command meanwhile. */
  | 'twin'
  /** The process is suspended for more than a day. */
  | 'a day'
  /** The process is killed, or the power fails, and the next one starts more than a day later. */
  | 'kill, a day'
  | 'power, a day';

/** Something that a process did with an effect outside of it. */
export interface Step {
  readonly kind: 'write' | 'sync' | 'name' | 'net';
  readonly what: string;
}

/** Decides what happens before a step. */
type Before = (step: Step, at: number) => Trouble | undefined;

/** A future event: a request arrives, a response comes, a pause ends. */
interface Event {
  readonly process: Process | undefined;
  readonly at: number;
  readonly isTimer: boolean;
  readonly happen: () => void;
}

/** A process of the program. */
export class Process {
  isDead = false;
  isFull = false;
  /** Whether it could not write because of that. */
  isRefused = false;
  readonly descriptors = new Map<number, Opened>();
  /** Called when it dies, with the reason that rejects its pending operations. */
  readonly onDeath = new Set<(reason: Died) => void>();
}

/** An open file. */
export interface Opened {
  readonly path: string;
  readonly node: File | Directory;
  readonly appends: boolean;
  position: number;
}

/** The calling process; undefined for calls by the simulation itself. */
export const current = new AsyncLocalStorage<{
  readonly machine: Machine;
  readonly process: Process;
}>();

/** A computer: its disk, clock and processes, and its future events. */
export class Machine {
  readonly disk: Disk;
  readonly random: () => number;
  now = Date.parse('2026-01-15T10:00:00Z');
  elapsed = 0;
  steps = 0;
  readonly trace: string[] = [];
  /** Called when somebody starts the same command again. */
  onTwin: () => void = () => {};
  /** Called after more than a day in which nothing ran. */
  onLongCut: () => void = () => {};
  /** Counts everything that happens: if it does not grow, all processes wait. */
  activity = 0;
  private events: Event[] = [];
  private readonly before: Before;
  private processes = new Set<Process>();
  private readonly releases = new Map<Process, Set<() => void>>();

  constructor({ names, random, before }: { names: Names; random: () => number; before: Before }) {
    this.random = random;
    this.before = before;
    this.disk = new Disk(names, () => this.now);
  }

  start(): Process {
    const process = new Process();
    this.processes.add(process);
    return process;
  }

  end(process: Process): void {
    this.processes.delete(process);
    for (const release of this.releases.get(process) ?? []) release();
    this.releases.delete(process);
  }

  /** Registers what to do when a process has ended, such as to release its locks. */
  atEnd(process: Process, release: () => void): void {
    const all = this.releases.get(process) ?? new Set();
    this.releases.set(process, all.add(release));
  }

  /** Counts a step, and lets the trouble planned for it happen. */
  step(process: Process, step: Step): Trouble | undefined {
    if (process.isDead) throw new Died();
    this.activity++;
    const at = ++this.steps;
    const trouble = this.before(step, at);
    this.trace.push(
      `${at} ${step.kind} ${step.what}${trouble === undefined ? '' : ` !! ${trouble}`}`,
    );
    switch (trouble) {
      case 'kill':
        this.kill(process);
        throw new Died();
      case 'power, all lost':
        return this.cutPower('all');
      case 'power, some lost':
        return this.cutPower('some');
      case 'power, none lost':
        return this.cutPower('nothing');
      case 'power, content lost':
        return this.cutPower('content');
      case 'tear':
        if (step.kind === 'write') return trouble;
        this.kill(process);
        throw new Died();
      case 'full':
        process.isFull = true;
        break;
      case 'fails':
        if (step.kind === 'net') return undefined;
        throw new DiskError('EIO', step.kind, step.what);
      case 'twin':
        this.onTwin();
        return undefined;
      case 'a day':
        this.passDay();
        return undefined;
      case 'kill, a day':
        this.kill(process);
        this.passDay();
        throw new Died();
      case 'power, a day':
        return this.cutPower('all', true);
      default:
    }
    if (!process.isFull || step.kind !== 'write') return undefined;
    process.isRefused = true;
    throw new DiskError('ENOSPC', 'write', step.what);
  }

  kill(process: Process): void {
    if (process.isDead) return;
    process.isDead = true;
    const mine = ({ process: whose }: Event) => whose === process;
    this.events = this.events.filter((event) => !mine(event) || !event.isTimer);
    this.end(process);
    const reason = new Died();
    for (const reject of process.onDeath) reject(reason);
  }

  private cutPower(loss: Loss, isLong = false): never {
    for (const process of [...this.processes]) this.kill(process);
    this.disk.cutPower(loss, this.random);
    if (isLong) {
      this.passDay();
      this.onLongCut();
    }
    throw new Died();
  }

  /** Lets more than a day pass, so that the service forgets keys. Pending messages arrive before. */
  private passDay(): void {
    // What happens without a process of the program happens before, too.
    const isMessage = ({ isTimer, process }: Event) => !isTimer || process === undefined;
    for (;;) {
      const messages = this.events.filter(isMessage);
      if (messages.length === 0) break;
      this.events = this.events.filter((event) => !isMessage(event));
      for (const { happen } of messages) happen();
    }
    this.pass(25 * 3_600_000);
  }

  /** Lets time pass without a process, in which services end their work. */
  wait(ms: number): void {
    const end = this.elapsed + ms;
    for (;;) {
      const [next] = this.events
        .filter(({ at }) => at <= end)
        .sort((one, other) => one.at - other.at);
      if (next === undefined) break;
      this.events = this.events.filter((one) => one !== next);
      this.pass(Math.max(0, next.at - this.elapsed));
      next.happen();
    }
    this.pass(end - this.elapsed);
  }

  /** Lets time pass. */
  pass(ms: number): void {
    this.now += ms;
    this.elapsed += ms;
  }

  /** Schedules an event; all but timers happen in any order. */
  later(process: Process | undefined, happen: () => void, delay?: number): () => void {
    const isTimer = delay !== undefined;
    const event = { process, happen, isTimer, at: this.elapsed + Math.ceil(delay ?? 0) };
    this.events.push(event);
    this.activity++;
    return () => {
      this.events = this.events.filter((one) => one !== event);
    };
  }

  /** Lets the next event happen; false if there is none. */
  advance(): boolean {
    const messages = this.events.filter(({ isTimer }) => !isTimer);
    const [timer] = this.events
      .filter(({ isTimer }) => isTimer)
      .sort((one, other) => one.at - other.at);
    const isSoon = timer !== undefined && timer.at - this.elapsed < 1000;
    const takesTimer = messages.length === 0 || (isSoon && this.random() < 0.3);
    const next = takesTimer ? timer : messages[Math.floor(this.random() * messages.length)];
    if (next === undefined) return false;
    this.events = this.events.filter((one) => one !== next);
    if (next.isTimer) this.pass(Math.max(0, next.at - this.elapsed));
    else this.pass(5);
    this.activity++;
    next.happen();
    return true;
  }
}
