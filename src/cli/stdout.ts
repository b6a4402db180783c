import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Output } from '../lib/base/system/system.ts';
import { attempt } from '../shared/attempt.ts';

/** A stream of Node that may be a terminal. */
type Stream = NodeJS.WriteStream;

/** A stdout that is not a terminal. */
interface Plain {
  /** Where to write without a stream; undefined if only the stream can. */
  readonly descriptor: number | undefined;
  /** How many bytes it takes without blocking. */
  readonly capacity: number;
}

/**
 * A process's stdout. `open` creates Node's stream for it, which takes a few milliseconds. If stdout is not a
 * terminal, output is written without the stream as long as that does not block; the stream writes the rest,
 * and waits or reports why it cannot be written.
 */
export function openStdout(platform: NodeJS.Platform, open: () => Stream): Output {
  const plain = openPlain(platform);
  let left = plain?.capacity ?? 0;
  let stream: Stream | undefined;
  const opened = () => {
    stream ??= open();
    return stream;
  };
  return {
    get isTTY() {
      return plain === undefined && opened().isTTY;
    },
    get columns() {
      return plain === undefined ? opened().columns : 0;
    },
    write(text, done) {
      const bytes = Buffer.from(text);
      left -= bytes.length;
      const rest = left < 0 ? bytes : writeNow(plain?.descriptor, bytes);
      if (rest.length === 0) return done();
      left = 0;
      opened().write(rest, (error) => {
        // The stream's own error event is more specific. Bun emits it after this callback, Node before.
        if (error) setImmediate(done, error);
        else done();
      });
    },
  };
}

/** Bytes that every empty socket takes without blocking: those of macOS have the smallest buffer. */
const withoutPause = 8192;

/** Whether a descriptor may be a terminal; only Node's stream knows for certain. */
export function mayBeTerminal(descriptor: number): boolean {
  const stat = attempt(() => fstatSync(descriptor), undefined);
  return !(stat?.isFile() || stat?.isFIFO() || stat?.isSocket());
}

/** Undefined if stdout may be a terminal. */
function openPlain(platform: NodeJS.Platform): Plain | undefined {
  try {
    const stat = fstatSync(1);
    if (stat.isFile()) return { descriptor: 1, capacity: Infinity };
    if (stat.isFIFO()) {
      return { descriptor: platform === 'linux' ? openPipe() : undefined, capacity: Infinity };
    }
    // Node gives its child processes a socket. It buffers dozens of times as much before it blocks.
    if (stat.isSocket()) return { descriptor: 1, capacity: withoutPause };
  } catch {
    // The stream handles this.
  }
  return undefined;
}

/**
 * Opens stdout's pipe a second time: a full pipe must not block this process, and making stdout itself
 * non-blocking would affect every other process that writes to it.
 */
function openPipe(): number | undefined {
  return attempt(
    () => openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK),
    undefined,
  );
}

/** Writes what is taken without blocking, and returns the rest. */
function writeNow(descriptor: number | undefined, bytes: Uint8Array): Uint8Array {
  if (descriptor === undefined) return bytes;
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The pipe is full, nobody reads it, or the disk is full.
  }
  return rest;
}
