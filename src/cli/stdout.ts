import { constants, fstatSync, openSync, writeSync } from 'node:fs';
import type { Output } from '../lib/system/system.ts';

/** A stream of Node's that may be a terminal. */
type Stream = NodeJS.WriteStream;

/** A stdout that is no terminal. */
interface Plain {
  /** To write to without a stream; undefined where only the stream knows how. */
  readonly descriptor: number | undefined;
  /** How many bytes it takes without a pause. */
  readonly capacity: number;
}

/**
 * A process's stdout. `open` makes Node's stream for it, which takes a few milliseconds. Where that
 * is no terminal, its output goes without it as long as nothing has to be waited for; the rest is
 * the stream's, which waits, or says why it cannot be written.
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
        // The stream's own event says more. Bun tells of it later than here, Node does not.
        if (error) setImmediate(done, error);
        else done();
      });
    },
  };
}

/** Bytes that a socket takes without a pause, in any case. */
const withoutPause = 4096;

/** Whether a descriptor may be a terminal, which only a stream of Node's knows for certain. */
export function mayBeTerminal(descriptor: number): boolean {
  try {
    const stat = fstatSync(descriptor);
    return !(stat.isFile() || stat.isFIFO() || stat.isSocket());
  } catch {
    return true;
  }
}

/** Undefined for what may be a terminal. */
function openPlain(platform: NodeJS.Platform): Plain | undefined {
  try {
    const stat = fstatSync(1);
    if (stat.isFile()) return { descriptor: 1, capacity: Infinity };
    if (stat.isFIFO()) {
      return { descriptor: platform === 'linux' ? openPipe() : undefined, capacity: Infinity };
    }
    // Another Node gives one to what it starts. It holds dozens of times as much before it waits.
    if (stat.isSocket()) return { descriptor: 1, capacity: withoutPause };
  } catch {
    // The stream knows what to do.
  }
  return undefined;
}

/**
 * The pipe that stdout is, opened once more: a full one must not make this process wait, and that
 * cannot be said of stdout itself without saying it to all others who write to it.
 */
function openPipe(): number | undefined {
  try {
    return openSync('/proc/self/fd/1', constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}

/** Writes what is taken at once, and returns the rest. */
function writeNow(descriptor: number | undefined, bytes: Uint8Array): Uint8Array {
  if (descriptor === undefined) return bytes;
  let rest = bytes;
  try {
    while (rest.length > 0) rest = rest.subarray(writeSync(descriptor, rest));
  } catch {
    // The pipe is full or nobody reads it, or the disk is full.
  }
  return rest;
}
