import sqlite3InitModule, { type Database, type PreparedStatement } from '@sqlite.org/sqlite-wasm';
import { DiskError, File, type Node } from './disk.ts';
import { onClose, root, syncNode, writeTo } from './files.ts';
import { current, Died, type Machine, type Process } from './machine.ts';

// SQLite in the version that Node has, compiled to WebAssembly, on the simulated disk: these methods do on
// the disk what SQLite's "unix" layer does with system calls, in the same order.

/** Levels of a lock on a file (https://sqlite.org/lockingv3.html). */
const level = { none: 0, shared: 1, reserved: 2, pending: 3, exclusive: 4 } as const;

/** Flags of a lock on shared memory, in SQLite's own header. */
const shm = { unlock: 1, shared: 4 } as const;

interface Handle {
  readonly path: string;
  readonly file: File;
  readonly machine: Machine;
  readonly process: Process;
  /** Whether the first sync also syncs the directory, as SQLite does for a new journal. */
  syncsDirectory: boolean;
  readonly isMade: boolean;
  lock: number;
  memory?: Shared;
}

/** The shared memory of a database in WAL mode. */
interface Shared {
  readonly regions: number[];
  connections: number;
  readonly users: Set<Handle>;
  readonly locks: Map<number, Map<Handle, 'shared' | 'exclusive'>>;
}

const sqlite3 = await sqlite3InitModule();
const { capi, wasm } = sqlite3;
// Its own messages would appear between the lines of a result.
Object.assign(sqlite3.config, { warn() {}, error() {}, log() {}, debug() {} });
const handles = new Map<number, Handle>();
const locked = new Map<File, Set<Handle>>();
const shared = new Map<File, Shared>();
const anonymous = new Set<number>();

onClose.told = (process: Process, node: Node) => {
  for (const handle of node instanceof File ? (locked.get(node) ?? []) : []) {
    if (handle.process === process) drop(handle);
  }
};

function drop(handle: Handle): void {
  handle.lock = level.none;
  locked.get(handle.file)?.delete(handle);
}

/** Releases everything that a dead process holds. */
function forget(handle: Handle): void {
  drop(handle);
  leaveShared(handle);
}

function leaveShared(handle: Handle): void {
  const memory = shared.get(handle.file);
  memory?.users.delete(handle);
  for (const holders of memory?.locks.values() ?? []) holders.delete(handle);
  // The next process gets new memory, and rebuilds it from the journal.
  if (memory?.users.size === 0) shared.delete(handle.file);
}

/** Frees memory once no connection can use it, not even one closed after its process ended. */
function free({ memory }: Handle): void {
  if (memory === undefined || --memory.connections > 0) return;
  for (const region of memory.regions) wasm.dealloc(region);
}

function handleOf(pointer: number): Handle {
  const handle = handles.get(pointer);
  if (handle === undefined) throw new Error('SQLite uses a file that is not open');
  return handle;
}

/** Does something with the disk; to SQLite, an error is a number. */
function attempt(failure: number, work: () => number): number {
  try {
    return work();
  } catch (error) {
    if (error instanceof DiskError) return error.code === 'ENOSPC' ? capi.SQLITE_FULL : failure;
    if (error instanceof Died) return capi.SQLITE_IOERR;
    throw error;
  }
}

const ok = capi.SQLITE_OK;

function acquire(handle: Handle, wanted: number): number {
  if (handle.lock >= wanted) return ok;
  const others = [...(locked.get(handle.file) ?? [])].filter((one) => one !== handle);
  const highest = Math.max(level.none, ...others.map(({ lock }) => lock));
  const hold = (lock: number) => {
    handle.lock = lock;
    locked.set(handle.file, (locked.get(handle.file) ?? new Set()).add(handle));
  };
  if (wanted === level.shared) {
    if (highest >= level.pending) return capi.SQLITE_BUSY;
  } else if (highest >= level.reserved) {
    return capi.SQLITE_BUSY;
  } else if (wanted === level.exclusive && highest > level.none) {
    hold(level.pending);
    return capi.SQLITE_BUSY;
  }
  hold(wanted);
  return ok;
}

/** A C structure in the package, whose types lack its members. */
interface Struct {
  readonly pointer: number;
  $iVersion: number;
  $szOsFile: number;
  $mxPathname: number;
  $pMethods: number;
  dispose(): void;
}

interface StructClass {
  new (pointer?: number): Struct;
  readonly structInfo: { readonly sizeof: number };
}

const structs = capi as unknown as Readonly<
  Record<'sqlite3_io_methods' | 'sqlite3_vfs' | 'sqlite3_file', StructClass>
>;
const ioMethods = new structs.sqlite3_io_methods();
ioMethods.$iVersion = 2;
const vfs = new structs.sqlite3_vfs();
vfs.$iVersion = 1;
vfs.$szOsFile = structs.sqlite3_file.structInfo.sizeof;
vfs.$mxPathname = 512;

/** Functions as C calls them: with numbers, some of which are pointers, and some of 64 bits. */
type Methods = Readonly<Record<string, (...numbers: number[]) => number | undefined>>;

const bytesAt = (pointer: number, length: number) =>
  wasm.heap8u().subarray(pointer, pointer + length);

/** Runs `work` as the process that opened a file: SQLite may close one late. */
const as = <Value>(handle: Handle, work: () => Value): Value =>
  current.run({ machine: handle.machine, process: handle.process }, work);

const ofFiles: Methods = {
  xClose(pointer) {
    const handle = handleOf(pointer);
    handles.delete(pointer);
    forget(handle);
    free(handle);
    anonymous.delete(pointer);
    return ok;
  },
  xRead(pointer, to, length, offset) {
    const { file, process } = handleOf(pointer);
    if (process.isDead) return capi.SQLITE_IOERR;
    const from = Number(offset);
    const found = file.content.view(from, from + length);
    const target = bytesAt(to, length);
    target.set(found);
    if (found.length === length) return ok;
    target.fill(0, found.length);
    return capi.SQLITE_IOERR_SHORT_READ;
  },
  xWrite(pointer, from, length, offset) {
    const handle = handleOf(pointer);
    const { path, file, machine } = handle;
    const bytes = bytesAt(from, length);
    return attempt(capi.SQLITE_IOERR_WRITE, () => {
      if (anonymous.has(pointer)) machine.disk.write(file, Number(offset), bytes);
      else as(handle, () => writeTo(path, file, Number(offset), bytes));
      return ok;
    });
  },
  xTruncate(pointer, length) {
    const { path, file, machine, process } = handleOf(pointer);
    return attempt(capi.SQLITE_IOERR_TRUNCATE, () => {
      machine.step(process, { kind: 'name', what: `truncate ${path} ${length}` });
      machine.disk.truncate(file, Number(length));
      return ok;
    });
  },
  xSync(pointer) {
    const handle = handleOf(pointer);
    const { path, file, machine } = handle;
    return attempt(capi.SQLITE_IOERR_FSYNC, () => {
      as(handle, () => syncNode(path, file));
      if (handle.syncsDirectory) {
        const [directory] = machine.disk.place(path, 'open');
        as(handle, () => syncNode(path.replace(/\/[^/]*$/, ''), directory));
        handle.syncsDirectory = false;
      }
      return ok;
    });
  },
  xFileSize(pointer, to) {
    wasm.poke64(to, BigInt(handleOf(pointer).file.content.length));
    return ok;
  },
  xLock(pointer, wanted) {
    const handle = handleOf(pointer);
    return handle.process.isDead ? capi.SQLITE_IOERR : acquire(handle, wanted);
  },
  xUnlock(pointer, wanted) {
    const handle = handleOf(pointer);
    if (wanted === level.none) drop(handle);
    else if (handle.lock > wanted) handle.lock = wanted;
    return ok;
  },
  xCheckReservedLock(pointer, to) {
    const { file } = handleOf(pointer);
    const isReserved = [...(locked.get(file) ?? [])].some(({ lock }) => lock >= level.reserved);
    wasm.poke32(to, Number(isReserved));
    return ok;
  },
  xFileControl: () => capi.SQLITE_NOTFOUND,
  xSectorSize: () => 4096,
  xDeviceCharacteristics: () => capi.SQLITE_IOCAP_POWERSAFE_OVERWRITE,
  xShmMap(pointer, region, size, extends_, to) {
    const handle = handleOf(pointer);
    if (handle.process.isDead) return capi.SQLITE_IOERR;
    const memory: Shared = handle.memory ??
      shared.get(handle.file) ?? {
        ...{ regions: [], connections: 0, users: new Set(), locks: new Map() },
      };
    shared.set(handle.file, memory);
    memory.users.add(handle);
    if (handle.memory === undefined) memory.connections++;
    handle.memory = memory;
    while (extends_ !== 0 && memory.regions.length <= region) {
      const made = wasm.alloc(size);
      bytesAt(made, size).fill(0);
      memory.regions.push(made);
    }
    wasm.pokePtr(to, memory.regions[region] ?? 0);
    return ok;
  },
  xShmLock(pointer, first, count, flags) {
    const handle = handleOf(pointer);
    const memory = shared.get(handle.file);
    if (handle.process.isDead || memory === undefined) return capi.SQLITE_IOERR;
    const slots = Array.from({ length: count }, (_, index) => {
      const known = memory.locks.get(first + index) ?? new Map<Handle, 'shared' | 'exclusive'>();
      memory.locks.set(first + index, known);
      return known;
    });
    if ((flags & shm.unlock) !== 0) {
      for (const slot of slots) slot.delete(handle);
      return ok;
    }
    const kind = (flags & shm.shared) !== 0 ? 'shared' : 'exclusive';
    const isFree = (slot: Map<Handle, 'shared' | 'exclusive'>) =>
      [...slot].every(
        ([holder, held]) => holder === handle || (kind === 'shared' && held === 'shared'),
      );
    if (!slots.every(isFree)) return capi.SQLITE_BUSY;
    for (const slot of slots) slot.set(handle, kind);
    return ok;
  },
  xShmBarrier: () => undefined,
  xShmUnmap(pointer) {
    const handle = handleOf(pointer);
    leaveShared(handle);
    free(handle);
    delete handle.memory;
    return ok;
  },
};

const ofTheSystem: Methods = {
  xOpen(_, name, pointer, flags, outFlags) {
    const store = current.getStore();
    if (store === undefined) return capi.SQLITE_CANTOPEN;
    const { machine, process } = store;
    const has = (flag: number) => (flags & flag) !== 0;
    return attempt(capi.SQLITE_CANTOPEN, () => {
      const path = name === 0 ? '' : (wasm.cstrToJs(name) ?? '');
      let file = path === '' ? new File(-1, 0o600, machine.now) : machine.disk.find(path);
      const isNew = file === undefined;
      if (file === undefined) {
        if (!has(capi.SQLITE_OPEN_CREATE)) return capi.SQLITE_CANTOPEN;
        machine.step(process, { kind: 'name', what: `create ${path}` });
        file = machine.disk.create(path, 0o600);
      }
      if (!(file instanceof File)) return capi.SQLITE_CANTOPEN;
      if (path === '') anonymous.add(pointer);
      const journals = capi.SQLITE_OPEN_MAIN_JOURNAL | capi.SQLITE_OPEN_WAL;
      const handle: Handle = {
        ...{ path, file, machine, process, lock: level.none, isMade: isNew },
        syncsDirectory: isNew && has(journals),
      };
      handles.set(pointer, handle);
      machine.atEnd(process, () => forget(handle));
      const opened = new structs.sqlite3_file(pointer);
      opened.$pMethods = ioMethods.pointer;
      opened.dispose();
      if (outFlags !== 0) wasm.poke32(outFlags, flags);
      return ok;
    });
  },
  xDelete(_, name, syncs) {
    const store = current.getStore();
    if (store === undefined) return capi.SQLITE_IOERR;
    const { machine, process } = store;
    const path = wasm.cstrToJs(name) ?? '';
    return attempt(capi.SQLITE_IOERR_DELETE, () => {
      if (machine.disk.find(path) === undefined) return capi.SQLITE_IOERR_DELETE_NOENT;
      machine.step(process, { kind: 'name', what: `remove ${path}` });
      machine.disk.remove(path);
      if (syncs !== 0) {
        const [directory] = machine.disk.place(path, 'open');
        syncNode(path.replace(/\/[^/]*$/, ''), directory);
      }
      return ok;
    });
  },
  xAccess(_, name, __, to) {
    const found = current.getStore()?.machine.disk.find(wasm.cstrToJs(name) ?? '');
    const isThere = found !== undefined && (!(found instanceof File) || found.content.length > 0);
    wasm.poke32(to, Number(isThere));
    return ok;
  },
  xFullPathname(_, name, length, to) {
    const path = wasm.cstrToJs(name) ?? '';
    return wasm.cstrncpy(to, name, length) < path.length ? capi.SQLITE_CANTOPEN : ok;
  },
  xGetLastError: () => ok,
  xRandomness(_, length, to) {
    const random = current.getStore()?.machine.random ?? Math.random;
    const bytes = bytesAt(to, length);
    for (let index = 0; index < length; index++) bytes[index] = Math.floor(random() * 256);
    return length;
  },
  // The holder of a lock does not run meanwhile, so waiting is useless.
  xSleep: (_, microseconds) => microseconds,
  xCurrentTime(_, to) {
    const now = current.getStore()?.machine.now ?? 0;
    wasm.poke(to, 2440587.5 + now / 86_400_000, 'double');
    return ok;
  },
};

// The package's types allow only few results.
const installation = {
  io: { struct: ioMethods, methods: ofFiles },
  vfs: { struct: vfs, name: 'simulated', methods: ofTheSystem },
} as unknown as Parameters<typeof sqlite3.vfs.installVfs>[0];
sqlite3.vfs.installVfs(installation);

type Value = string | number | bigint | null | Uint8Array;
type Row = Record<string, Value>;

function explained(error: unknown): unknown {
  if (current.getStore()?.process.isDead === true) return new Died();
  if (!(error instanceof sqlite3.SQLite3Error)) return error;
  return Object.assign(new Error(error.message), {
    code: 'ERR_SQLITE_ERROR',
    errcode: error.resultCode,
    errstr: error.message,
  });
}

function guarded<Result>(work: () => Result): Result {
  const isDead = () => current.getStore()?.process.isDead === true;
  if (isDead()) throw new Died();
  let result: Result;
  try {
    result = work();
  } catch (error) {
    throw explained(error);
  }
  if (isDead()) throw new Died();
  return result;
}

class StatementSync {
  private readonly database: Database;
  private readonly text: string;
  private prepared: PreparedStatement | undefined;

  constructor(database: Database, text: string) {
    this.database = database;
    this.text = text;
    guarded(() => this.bound([], true));
  }

  finalize(): void {
    this.prepared?.finalize();
    this.prepared = undefined;
  }

  private bound(values: readonly Value[], isEmpty = false): PreparedStatement {
    this.prepared ??= this.database.prepare(this.text);
    this.prepared.reset(true);
    if (!isEmpty && values.length > 0) this.prepared.bind([...values]);
    return this.prepared;
  }

  run(...values: readonly Value[]): { changes: number } {
    return guarded(() => {
      const statement = this.bound(values);
      const before = capi.sqlite3_total_changes(this.database);
      try {
        while (statement.step());
      } finally {
        statement.reset();
      }
      const isChange = capi.sqlite3_total_changes(this.database) > before;
      return { changes: isChange ? Number(capi.sqlite3_changes(this.database)) : 0 };
    });
  }

  get(...values: readonly Value[]): Row | undefined {
    const [row] = this.all(...values);
    return row;
  }

  all(...values: readonly Value[]): Row[] {
    return guarded(() => {
      const statement = this.bound(values);
      const rows: Row[] = [];
      try {
        while (statement.step()) rows.push(statement.get({}) as Row);
      } finally {
        statement.reset();
      }
      return rows;
    });
  }

  *iterate(...values: readonly Value[]): Generator<Row> {
    const statement = guarded(() => this.database.prepare(this.text));
    try {
      if (values.length > 0) statement.bind([...values]);
      while (guarded(() => statement.step())) yield statement.get({}) as Row;
    } finally {
      statement.finalize();
    }
  }
}

class DatabaseSync {
  private readonly database: Database;
  private readonly statements = new Set<StatementSync>();

  constructor(path: string | URL, { timeout = 0 } = {}) {
    this.database = guarded(() => {
      const name = typeof path === 'string' ? path : path.href;
      // Without a name, it is a temporary database.
      if (name !== '' && !name.includes(root))
        throw new Error(`The simulation does not open ${name}`);
      const opened = new sqlite3.oo1.DB({ filename: name, flags: 'cw', vfs: 'simulated' });
      // The defaults of Node's build, and what Node sets.
      opened.exec('PRAGMA page_size = 4096; PRAGMA cache_size = -2000; PRAGMA foreign_keys = ON');
      capi.sqlite3_busy_timeout(opened, timeout);
      return opened;
    });
    const { process, machine } = current.getStore() ?? {};
    if (process !== undefined) machine?.atEnd(process, () => queueMicrotask(() => this.end()));
  }

  get isTransaction(): boolean {
    return capi.sqlite3_get_autocommit(this.database) === 0;
  }

  get isOpen(): boolean {
    return this.database.isOpen();
  }

  exec(text: string): void {
    guarded(() => this.database.exec(text));
  }

  prepare(text: string): StatementSync {
    const statement = new StatementSync(this.database, text);
    this.statements.add(statement);
    return statement;
  }

  function(name: string, _: unknown, work: (...values: Value[]) => Value): void {
    this.database.createFunction({
      name,
      arity: -1,
      deterministic: true,
      xFunc: (_context: unknown, ...values: Value[]) => work(...values),
    } as never);
  }

  close(): void {
    guarded(() => this.end());
  }

  private end(): void {
    if (!this.database.isOpen()) return;
    // The package does not finalize them, and the database would stay open.
    for (const statement of this.statements) statement.finalize();
    this.database.close();
  }
}

/** Gives simulated processes this SQLite as `node:sqlite`. */
export function replaceSqlite(): void {
  const real = process.getBuiltinModule.bind(process);
  const ours = { DatabaseSync, StatementSync };
  process.getBuiltinModule = ((name: string) =>
    name === 'node:sqlite' && current.getStore() !== undefined
      ? ours
      : real(name)) as typeof process.getBuiltinModule;
}
