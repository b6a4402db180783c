import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { DiskError, File, type Node } from './disk.ts';
import { current, Died, type Machine, type Opened, type Process, type Step } from './machine.ts';

/** Everything below this path is on the simulated disk. */
export let root = '/simulated';

/** Moves the simulated disk to another path. */
export function setRoot(path: string): void {
  root = path;
}

/** The first descriptor of simulated files. */
const firstDescriptor = 1 << 20;

/**
 * Called when a process closes a file. In POSIX, a process then loses all its locks on the file, through
 * whichever descriptor they were taken; SQLite, the only user of locks here, does not notice.
 */
export const onClose: { told: (process: Process, node: Node) => void } = { told: () => {} };

let descriptors = firstDescriptor;

function here(): { readonly machine: Machine; readonly process: Process } {
  const store = current.getStore();
  if (store === undefined) throw new Error('A simulated file is used from outside the simulation');
  return store;
}

const isOurs = (path: unknown): path is string =>
  current.getStore() !== undefined && typeof path === 'string' && path.startsWith(root);

/** Counts a step on the machine; throws the error that happens there. */
function step(step: Step) {
  const { machine, process } = here();
  return machine.step(process, step);
}

function alive(): void {
  if (here().process.isDead) throw new Died();
}

function statOf(path: string, node: Node, isBig: boolean) {
  const size = node.kind === 'file' ? node.content.length : 4096;
  const type = node.kind === 'file' ? fs.constants.S_IFREG : fs.constants.S_IFDIR;
  const uid = process.geteuid?.() ?? 0;
  const numbers = {
    ...{ dev: 4711, ino: node.id, mode: type | node.mode, nlink: 1, uid, gid: uid, size },
    ...{ mtimeMs: node.modified, atimeMs: node.modified, ctimeMs: node.modified, blksize: 4096 },
  };
  const all = Object.entries(numbers).map(([key, value]) => [key, isBig ? BigInt(value) : value]);
  return {
    ...Object.fromEntries(all),
    mtime: new Date(node.modified),
    isFile: () => node.kind === 'file',
    isDirectory: () => node.kind === 'directory',
    isSymbolicLink: () => false,
    isFIFO: () => false,
    isSocket: () => false,
    isCharacterDevice: () => false,
    isBlockDevice: () => false,
    path,
  };
}

interface StatOptions {
  readonly throwIfNoEntry?: boolean;
  readonly bigint?: boolean;
}

function stat(path: string, { throwIfNoEntry = true, bigint = false }: StatOptions = {}) {
  alive();
  const node = here().machine.disk.find(path);
  if (node !== undefined) return statOf(path, node, bigint);
  if (throwIfNoEntry) throw new DiskError('ENOENT', 'stat', path);
  return undefined;
}

/** The flags of `fs.open`. */
const letters: Readonly<Record<string, number>> = {
  r: fs.constants.O_RDONLY,
  w: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_TRUNC,
  wx: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL,
  a: fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_APPEND,
};

function open(path: string, flags: string | number = 'r', mode = 0o666): number {
  alive();
  const { machine, process } = here();
  const { disk } = machine;
  const bits = typeof flags === 'number' ? flags : letters[flags];
  if (bits === undefined) throw new Error(`The simulation does not open with ${flags}`);
  const has = (bit: number) => (bits & bit) !== 0;
  const writes = has(fs.constants.O_WRONLY | fs.constants.O_RDWR);
  let node = disk.find(path);
  if (node === undefined) {
    if (!has(fs.constants.O_CREAT)) throw new DiskError('ENOENT', 'open', path);
    step({ kind: 'name', what: `create ${path}` });
    node = disk.create(path, mode);
  } else if (has(fs.constants.O_EXCL)) {
    throw new DiskError('EEXIST', 'open', path);
  }
  if (node.kind === 'directory' && writes) throw new DiskError('EISDIR', 'open', path);
  if (has(fs.constants.O_TRUNC) && node.kind === 'file' && node.content.length > 0) {
    step({ kind: 'write', what: `truncate ${path}` });
    disk.truncate(node, 0);
  }
  const descriptor = ++descriptors;
  const appends = has(fs.constants.O_APPEND);
  process.descriptors.set(descriptor, { path, node, appends, position: 0 });
  return descriptor;
}

function opened(descriptor: number): Opened {
  alive();
  const found = here().process.descriptors.get(descriptor);
  if (found === undefined) throw new DiskError('EBADF', 'read', String(descriptor));
  return found;
}

function fileOf({ node, path }: Opened): File {
  if (node instanceof File) return node;
  throw new DiskError('EISDIR', 'read', path);
}

function close(descriptor: number): void {
  const { process } = here();
  const { node } = opened(descriptor);
  process.descriptors.delete(descriptor);
  onClose.told(process, node);
}

function read(
  descriptor: number,
  buffer: NodeJS.ArrayBufferView,
  offset = 0,
  length = buffer.byteLength - offset,
  position: number | bigint | null = null,
): number {
  const one = opened(descriptor);
  const from = position === null || position === -1 ? one.position : Number(position);
  const bytes = fileOf(one).content.view(from, from + length);
  new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength).set(bytes, offset);
  if (position === null || position === -1) one.position = from + bytes.length;
  return bytes.length;
}

/** Writes to a file, as one step: a kill or a full disk may leave only part of the data. */
export function writeTo(path: string, file: File, offset: number, bytes: Uint8Array): void {
  const { machine, process } = here();
  const torn = machine.step(process, { kind: 'write', what: `${path} ${offset}+${bytes.length}` });
  if (torn === 'tear') {
    machine.disk.write(file, offset, bytes.subarray(0, Math.floor(bytes.length / 2)));
    machine.kill(process);
    throw new Died();
  }
  machine.disk.write(file, offset, bytes);
}

/** Syncs a file, as one step: if that fails, the next power cut loses the data. */
export function syncNode(path: string, node: Node): void {
  const { machine } = here();
  try {
    step({ kind: 'sync', what: path });
  } catch (error) {
    if (error instanceof DiskError && node instanceof File) machine.disk.failToSync(node);
    throw error;
  }
  machine.disk.sync(node);
}

function write(descriptor: number, bytes: Uint8Array, position: number | null): number {
  const one = opened(descriptor);
  const file = fileOf(one);
  const from = one.appends ? file.content.length : (position ?? one.position);
  writeTo(one.path, file, from, bytes);
  if (position === null) one.position = from + bytes.length;
  return bytes.length;
}

interface WriteOptions {
  readonly mode?: number;
  readonly flag?: string;
  readonly flush?: boolean;
}

function writeFile(
  to: string | number,
  data: string | Uint8Array,
  options: WriteOptions | string = {},
): void {
  const { mode, flag = 'w', flush = false } = typeof options === 'string' ? {} : options;
  const bytes = typeof data === 'string' ? Buffer.from(data) : data;
  const descriptor = typeof to === 'number' ? to : open(to, flag, mode);
  try {
    write(descriptor, bytes, null);
    if (flush) sync(descriptor);
  } finally {
    if (typeof to !== 'number' && !here().process.isDead) close(descriptor);
  }
}

function sync(descriptor: number): void {
  const { path, node } = opened(descriptor);
  syncNode(path, node);
}

function readFile(from: string | number, options?: string | { readonly encoding?: string | null }) {
  const file = typeof from === 'number' ? fileOf(opened(from)) : fileOf(opened(open(from)));
  const content = Buffer.from(file.content.view());
  const encoding = typeof options === 'string' ? options : options?.encoding;
  return encoding === undefined || encoding === null ? content : content.toString('utf8');
}

function remove(path: string, { recursive = false, force = false } = {}): void {
  alive();
  const { machine } = here();
  const node = machine.disk.find(path);
  if (node === undefined) {
    if (force) return;
    throw new DiskError('ENOENT', 'rm', path);
  }
  if (node.kind === 'directory') {
    if (!recursive) throw new DiskError('EISDIR', 'rm', path);
    for (const name of [...node.entries.keys()]) remove(`${path}/${name}`, { recursive });
  }
  step({ kind: 'name', what: `remove ${path}` });
  machine.disk.remove(path);
}

function makeDirectory(
  path: string,
  options: { readonly mode?: number; readonly recursive?: boolean } = {},
) {
  alive();
  const { machine } = here();
  if (options.recursive === true) {
    if (machine.disk.find(path)?.kind === 'directory') return;
    makeDirectory(path.replace(/\/[^/]*$/, ''), options);
  }
  if (machine.disk.find(path) !== undefined) throw new DiskError('EEXIST', 'mkdir', path);
  machine.disk.place(path, 'mkdir');
  step({ kind: 'name', what: `mkdir ${path}` });
  machine.disk.makeDirectory(path, options.mode ?? 0o777);
}

function rename(from: string, to: string): void {
  alive();
  const { machine } = here();
  if (machine.disk.find(from) === undefined) throw new DiskError('ENOENT', 'rename', from);
  step({ kind: 'name', what: `rename ${from} ${to}` });
  machine.disk.rename(from, to);
}

function mustExist(path: string): void {
  stat(path);
}

/** Functions of `node:fs` that take a path, on the simulated disk. */
const byPath: Readonly<Record<string, (path: string, ...rest: never[]) => unknown>> = {
  accessSync: mustExist,
  chmodSync(path: string, mode: number) {
    mustExist(path);
    const node = here().machine.disk.find(path);
    if (node !== undefined) node.mode = mode;
  },
  existsSync: (path: string) => stat(path, { throwIfNoEntry: false }) !== undefined,
  lstatSync: stat,
  mkdirSync: makeDirectory,
  openSync: open,
  readdirSync(path: string) {
    alive();
    return [...here().machine.disk.directory(path, 'scandir').entries.keys()].sort();
  },
  readFileSync: readFile,
  readlinkSync(path: string) {
    throw new DiskError('EINVAL', 'readlink', path);
  },
  realpathSync(path: string) {
    mustExist(path);
    return path;
  },
  renameSync: rename,
  rmSync: remove,
  rmdirSync: (path: string) => remove(path, { recursive: true }),
  statSync: stat,
  unlinkSync: remove,
  writeFileSync: writeFile,
};

/** Functions that take a descriptor. */
const byDescriptor: Readonly<Record<string, (descriptor: number, ...rest: never[]) => unknown>> = {
  closeSync: close,
  fchmodSync: () => undefined,
  fstatSync(descriptor: number, options?: StatOptions) {
    const { path, node } = opened(descriptor);
    return statOf(path, node, options?.bigint === true);
  },
  fsyncSync: sync,
  fdatasyncSync: sync,
  readSync: read,
  readFileSync: readFile,
  writeFileSync: writeFile,
  writeSync: (descriptor: number, bytes: Uint8Array) => write(descriptor, bytes, null),
};

/** Functions with a callback, as Node's streams call them. */
const streaming: Readonly<Record<string, (...args: never[]) => unknown>> = {
  open: (path: string, flags: string, mode?: number) => open(path, flags, mode),
  close,
  read,
  fsync: sync,
  write: (
    descriptor: number,
    bytes: Uint8Array,
    offset: number,
    length: number,
    at: number | null,
  ) => write(descriptor, bytes.subarray(offset, offset + length), at ?? null),
  writev(descriptor: number, buffers: readonly Uint8Array[], at: number | null) {
    return write(descriptor, Buffer.concat(buffers), at ?? null);
  },
};

type Anything = (...args: unknown[]) => unknown;

/**
 * Puts the simulated disk beneath `node:fs`, for calls from a simulated process with a path or descriptor on
 * it. All other calls are unaffected, and so is the program itself.
 */
export function replaceFiles(): void {
  const table = fs as unknown as Record<string, Anything>;
  const promises = fs.promises as unknown as Record<string, Anything>;
  const isDescriptor = (value: unknown) => typeof value === 'number' && value > firstDescriptor;
  for (const name of new Set([...Object.keys(byPath), ...Object.keys(byDescriptor)])) {
    const real = table[name];
    if (real === undefined) throw new Error(`node:fs has no ${name}`);
    const ofPath = byPath[name] as Anything | undefined;
    const ofDescriptor = byDescriptor[name] as Anything | undefined;
    table[name] = (...args) => {
      const [first] = args;
      if (ofDescriptor !== undefined && isDescriptor(first)) return ofDescriptor(...args);
      return ofPath !== undefined && isOurs(first) ? ofPath(...args) : real(...args);
    };
    const promised = name.replace('Sync', '');
    const realPromise = promises[promised];
    if (ofPath === undefined || realPromise === undefined) continue;
    promises[promised] = async (...args) =>
      await (isOurs(args[0]) ? ofPath(...args) : realPromise(...args));
  }
  for (const [name, simulated] of Object.entries(streaming) as [string, Anything][]) {
    const real = table[name];
    if (real === undefined) throw new Error(`node:fs has no ${name}`);
    table[name] = (...args) => {
      if (!isDescriptor(args[0]) && !isOurs(args[0])) return real(...args);
      const done = args.at(-1) as Anything;
      let result: unknown;
      try {
        result = simulated(...args.slice(0, -1));
      } catch (error) {
        process.nextTick(done, error);
        return undefined;
      }
      process.nextTick(done, null, result, args[1]);
      return undefined;
    };
  }
  syncBuiltinESMExports();
}
