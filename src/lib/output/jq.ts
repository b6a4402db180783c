import { Worker } from 'node:worker_threads';
import code from 'jq-wasm/text' with { type: 'text' };
import { UsageError } from '../errors.ts';

/** What an expression makes of JSON: its values, each on a line as JSON, and how it failed. */
export interface Filtered {
  readonly lines: readonly string[];
  /** What the expression has written to stderr, as with `debug`. */
  readonly notes: string;
  readonly error?: UsageError;
}

/** jq in a thread of its own: an expression may run forever, and signals are still heard. */
export interface Jq {
  /** Throws a `UsageError` with jq's message if an expression is none. Runs nothing of it. */
  check(expression: string): Promise<void>;
  /** Applies an expression to each of the JSON texts in a text, as jq 1.8 does. Numbers stay exact. */
  apply(expression: string, json: string): Promise<Filtered>;
  /** Ends the thread. */
  close(): void;
}

/** What jq-wasm returns, or its error as text. */
type Ended =
  | { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly failure: string };

/**
 * The thread. It runs from text, as the executable has no files of its own. jq-wasm prints when it
 * runs out of memory; that is for nobody.
 */
const threadCode = `
console.error = () => {};
const loaded = { exports: {} };
((module, exports) => {${code}
})(loaded, loaded.exports);
const { parentPort } = process.getBuiltinModule('node:worker_threads');
parentPort.on('message', ({ json, args }) => {
  loaded.exports.raw(json, ...args).then(
    (ended) => parentPort.postMessage(ended),
    (error) => parentPort.postMessage({ failure: String(error) }),
  );
});`;

/** Exit code of jq for an expression that is none. */
const doesNotCompile = 3;

/** Before an expression: one that begins with a minus is no option. */
const optionsEnd = '--';

/** Starts jq, which ends when the signal aborts. It takes one call at a time. */
export function startJq(signal: AbortSignal): Jq {
  const thread = new Worker(threadCode, { eval: true });
  // It keeps the process alive only while it works.
  thread.unref();
  const close = () => {
    signal.removeEventListener('abort', close);
    void thread.terminate();
  };
  signal.addEventListener('abort', close, { once: true });
  const call = async (json: string, expression: string, options: readonly string[]) => {
    signal.throwIfAborted();
    thread.ref();
    try {
      return await answer(thread, signal, { json, args: [expression, options] });
    } finally {
      thread.unref();
    }
  };
  return {
    async check(expression) {
      // Without input there is nothing to run it on.
      const ended = await call('', expression, [optionsEnd]);
      if ('failure' in ended) throw tooLarge(ended.failure);
      if (ended.exitCode === doesNotCompile) throw failed(ended.stderr);
    },
    async apply(expression, json) {
      const ended = await call(json, expression, ['-c', optionsEnd]);
      if ('failure' in ended) return { lines: [], notes: '', error: tooLarge(ended.failure) };
      const { stdout, stderr, exitCode } = ended;
      const lines = stdout === '' ? [] : stdout.split('\n');
      return exitCode === 0
        ? { lines, notes: stderr }
        : { lines, notes: '', error: failed(stderr || `jq ended with exit code ${exitCode}`) };
    },
    close,
  };
}

/** Sends the thread a message and waits for its answer. Throws the signal's reason if that comes first. */
async function answer(thread: Worker, signal: AbortSignal, message: unknown): Promise<Ended> {
  const listening = new AbortController();
  try {
    return await new Promise<Ended>((resolve, reject) => {
      const fail = (error: unknown) => resolve({ failure: String(error) });
      thread.once('message', resolve);
      thread.once('error', fail);
      signal.addEventListener('abort', () => reject(signal.reason), { signal: listening.signal });
      thread.postMessage(message);
    });
  } finally {
    listening.abort();
    thread.removeAllListeners('message');
    thread.removeAllListeners('error');
    // An error that nobody waits for would end the process.
    thread.on('error', () => {});
  }
}

/** What is too much for jq's memory ends it with an error. */
function tooLarge(cause: string): UsageError {
  return new UsageError('--jq: not enough memory for this expression', {
    hint: 'Use --json or --jsonl, and pipe it to jq.',
    cause,
  });
}

/** jq's message without what is the same in each: its name, and the number of errors. */
function failed(stderr: string): UsageError {
  const message = stderr
    .replace(/^jq: (?:error(?: \(at [^)]*\))?:? ?)?/, '')
    .replace(/\s*jq: \d+ compile errors?\s*$/, '');
  return new UsageError(`--jq: ${message}`);
}
