/** An error of the operating system. */
export class DiskError extends Error {
  readonly code: string;
  readonly syscall: string;
  readonly path: string;
  readonly errno = -1;

  constructor(code: string, syscall: string, path: string) {
    super(`${code}: simulated, ${syscall} '${path}'`);
    this.code = code;
    this.syscall = syscall;
    this.path = path;
  }
}

/** A change of a file that a power cut may undo, until the file is synced. */
type Change = { readonly offset: number; readonly bytes: Uint8Array } | { readonly length: number };

/** A change of names that a power cut may undo: the entries after it. */
interface Renaming {
  readonly entries: readonly (readonly [
    directory: Directory,
    name: string,
    node: Node | undefined,
  ])[];
}

/** A file: the content that processes read, and the content that would survive a power cut. */
export class File {
  readonly kind = 'file';
  readonly id: number;
  mode: number;
  modified: number;
  content = new Bytes();
  readonly durable = new Bytes();
  changes: Change[] = [];

  constructor(id: number, mode: number, modified: number) {
    this.id = id;
    this.mode = mode;
    this.modified = modified;
  }
}

export class Directory {
  readonly kind = 'directory';
  readonly id: number;
  mode: number;
  modified: number;
  readonly entries = new Map<string, Node>();
  readonly durable = new Map<string, Node>();

  constructor(id: number, mode: number, modified: number) {
    this.id = id;
    this.mode = mode;
    this.modified = modified;
  }
}

export type Node = File | Directory;

/** Which changes of file names a power cut may undo. */
export type Names =
  /** As on ext4, XFS and APFS: names change in order, and any sync makes all earlier changes durable. */
  | 'in order'
  /** As in POSIX: each change independently, until its directory is synced. */
  | 'each alone';

/** How much of the unsynced data a power cut loses. */
export type Loss = 'all' | 'nothing' | 'some' | 'content';

/** The bytes that disks write atomically. */
const sector = 512;

/**
 * A file system in memory that knows what would survive a power cut. It makes no decisions: `random` decides
 * what is lost, and callers decide what fails.
 */
export class Disk {
  readonly root = new Directory(0, 0o755, 0);
  private ids = 0;
  private renamings: Renaming[] = [];
  private readonly names: Names;
  private readonly now: () => number;

  constructor(names: Names, now: () => number) {
    this.names = names;
    this.now = now;
  }

  /** The node at a path; undefined if there is none. */
  find(path: string): Node | undefined {
    let node: Node | undefined = this.root;
    for (const name of parts(path)) {
      if (node?.kind !== 'directory') return undefined;
      node = node.entries.get(name);
    }
    return node;
  }

  directory(path: string, syscall: string): Directory {
    const node = this.find(path);
    if (node === undefined) throw new DiskError('ENOENT', syscall, path);
    if (node.kind !== 'directory') throw new DiskError('ENOTDIR', syscall, path);
    return node;
  }

  create(path: string, mode: number): File {
    const file = new File(++this.ids, mode, this.now());
    this.change([[...this.place(path, 'open'), file]]);
    return file;
  }

  makeDirectory(path: string, mode: number): void {
    if (this.find(path) !== undefined) throw new DiskError('EEXIST', 'mkdir', path);
    this.change([[...this.place(path, 'mkdir'), new Directory(++this.ids, mode, this.now())]]);
  }

  remove(path: string): void {
    const node = this.find(path);
    if (node === undefined) throw new DiskError('ENOENT', 'unlink', path);
    if (node.kind === 'directory' && node.entries.size > 0) {
      throw new DiskError('ENOTEMPTY', 'rmdir', path);
    }
    this.change([[...this.place(path, 'unlink'), undefined]]);
  }

  rename(from: string, to: string): void {
    const node = this.find(from);
    if (node === undefined) throw new DiskError('ENOENT', 'rename', from);
    const there = this.find(to);
    if (there?.kind === 'directory' && there.entries.size > 0) {
      throw new DiskError('ENOTEMPTY', 'rename', to);
    }
    this.change([
      [...this.place(from, 'rename'), undefined],
      [...this.place(to, 'rename'), node],
    ]);
  }

  write(file: File, offset: number, bytes: Uint8Array): void {
    const kept = Uint8Array.from(bytes);
    file.content.apply({ offset, bytes: kept });
    file.changes.push({ offset, bytes: kept });
    file.modified = this.now();
  }

  truncate(file: File, length: number): void {
    file.content.apply({ length });
    file.changes.push({ length });
    file.modified = this.now();
  }

  /** Makes a file durable, or the names in a directory. */
  sync(node: Node): void {
    if (node.kind === 'file') {
      for (const change of node.changes) node.durable.apply(change);
      node.changes = [];
    }
    const isDue = ({ entries }: Renaming) =>
      this.names === 'in order' || entries.some(([directory]) => directory === node);
    for (const one of this.renamings.filter(isDue)) keep(one);
    this.renamings = this.renamings.filter((one) => !isDue(one));
  }

  /** As on Linux after a failed sync: the data can still be read, but a power cut loses it. */
  failToSync(file: File): void {
    file.changes = [];
  }

  /** Continues with what survived. */
  cutPower(loss: Loss, random: () => number): void {
    const isKept = () => loss === 'nothing' || (loss === 'some' && random() < 0.5);
    if (this.names === 'in order') {
      const most = this.renamings.length;
      const some = Math.floor(random() * (most + 1));
      const kept = { all: 0, nothing: most, some, content: most }[loss];
      for (const one of this.renamings.slice(0, kept)) keep(one);
    } else {
      for (const one of this.renamings) if (loss === 'content' || isKept()) keep(one);
    }
    this.renamings = [];
    const restore = (node: Node): void => {
      if (node.kind === 'directory') {
        node.entries.clear();
        for (const [name, child] of node.durable) {
          node.entries.set(name, child);
          restore(child);
        }
        return;
      }
      for (const change of node.changes) {
        for (const piece of piecesOf(change)) {
          if (isKept()) node.durable.apply(piece);
        }
      }
      node.changes = [];
      node.content = new Bytes(node.durable.view());
    };
    restore(this.root);
  }

  /** Every file, with its content. */
  *files(directory: Directory = this.root, path = ''): Generator<readonly [string, File]> {
    for (const [name, node] of [...directory.entries].sort(([one], [other]) =>
      one < other ? -1 : 1,
    )) {
      if (node.kind === 'file') yield [`${path}/${name}`, node];
      else yield* this.files(node, `${path}/${name}`);
    }
  }

  /** The directory of a path, and the name there. */
  place(path: string, syscall: string): readonly [Directory, string] {
    const names = parts(path);
    const name = names.at(-1) ?? '';
    return [this.directory(`/${names.slice(0, -1).join('/')}`, syscall), name];
  }

  private change(entries: Renaming['entries']): void {
    for (const [directory, name, node] of entries) {
      if (node === undefined) directory.entries.delete(name);
      else directory.entries.set(name, node);
      directory.modified = this.now();
    }
    this.renamings.push({ entries });
  }
}

function parts(path: string): string[] {
  return path.split('/').filter((name) => name !== '');
}

function keep({ entries }: Renaming): void {
  for (const [directory, name, node] of entries) {
    if (node === undefined) directory.durable.delete(name);
    else directory.durable.set(name, node);
  }
}

/** Bytes that can be appended to without being copied each time. */
export class Bytes {
  private room: Buffer;
  length: number;

  constructor(content: Uint8Array = Buffer.alloc(0)) {
    this.room = Buffer.from(content);
    this.length = content.length;
  }

  /** A view of a range; its content may change later. */
  view(from = 0, to = this.length): Buffer {
    return this.room.subarray(Math.min(from, this.length), Math.min(to, this.length));
  }

  apply(change: Change): void {
    if ('bytes' in change) {
      this.resize(Math.max(this.length, change.offset + change.bytes.length));
      this.room.set(change.bytes, change.offset);
    } else {
      this.resize(change.length);
    }
  }

  private resize(length: number): void {
    if (length > this.room.length) {
      const larger = Buffer.alloc(2 * length);
      this.room.copy(larger, 0, 0, this.length);
      this.room = larger;
    } else if (length > this.length) {
      this.room.fill(0, this.length, length);
    }
    this.length = length;
  }
}

/** A write as the sectors that a disk may keep or lose. */
function* piecesOf(change: Change): Generator<Change> {
  if (!('bytes' in change)) {
    yield change;
    return;
  }
  const { offset, bytes } = change;
  for (let start = 0; start < bytes.byteLength; ) {
    const end = Math.min(bytes.byteLength, start + sector - ((offset + start) % sector));
    yield { offset: offset + start, bytes: bytes.subarray(start, end) };
    start = end;
  }
}
