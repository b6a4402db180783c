import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import code from 'jq-wasm/text' with { type: 'text' };
import { BadReplyError, type MailerError, UsageError } from '../../base/errors.ts';

/** The results of an expression, each as one line of JSON, and how it failed. */
export interface Filtered {
  readonly lines: readonly string[];
  /** What the expression wrote to stderr, for example with `debug`. */
  readonly notes: string;
  readonly error?: MailerError;
}

/** jq in its own thread, so that signals are handled even if an expression runs forever. */
export type Jq = ReturnType<typeof startJq>;

/** The result of jq-wasm, or its error as text. */
type Ended =
  | { readonly stdout: string; readonly stderr: string; readonly exitCode: number }
  | { readonly failure: string };

/**
 * The thread. It starts from text, because the executable has no files of its own. When jq-wasm
 * runs out of memory it prints a message, which is dropped.
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

/** jq's exit code for an invalid expression. */
const doesNotCompile = 3;

/** Goes before the expression, so that a leading minus does not make it an option. */
const optionsEnd = '--';

/** Starts jq, which takes one call at a time. It ends when the signal aborts. */
export function startJq(signal: AbortSignal) {
  const thread = new Worker(threadCode, { eval: true });
  // Without a listener, an error between two calls would end the process.
  thread.on('error', () => {});
  // The thread keeps the process alive only while it works.
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
    /** Throws a `UsageError` with jq's message for an invalid expression. Does not run it. */
    async check(expression: string): Promise<void> {
      // Empty input, so that the expression is compiled and not run.
      const ended = await call('', expression, [optionsEnd]);
      if ('failure' in ended) throw tooLarge(ended.failure);
      if (ended.exitCode === doesNotCompile) throw failed(ended.stderr);
    },
    /** Applies an expression to each JSON text in a string, as jq 1.8 does. Numbers stay exact. */
    async apply(expression: string, json: string): Promise<Filtered> {
      const ended = await call(json, expression, ['-c', optionsEnd]);
      if ('failure' in ended) return { lines: [], notes: '', error: tooLarge(ended.failure) };
      const { stdout, stderr, exitCode } = ended;
      const lines = stdout === '' ? [] : stdout.split('\n');
      return exitCode === 0
        ? { lines, notes: stderr }
        : { lines, notes: '', error: failed(stderr || `jq ended with exit code ${exitCode}`) };
    },
    /** Ends the thread. */
    close,
  };
}

/** Sends the thread a message and waits for the answer. Throws the signal's reason on an abort. */
async function answer(thread: Worker, signal: AbortSignal, message: unknown): Promise<Ended> {
  const answered: Promise<Ended[]> = once(thread, 'message', { signal });
  thread.postMessage(message);
  try {
    const [ended] = await answered;
    return ended ?? { failure: 'The thread has ended.' };
  } catch (error) {
    signal.throwIfAborted();
    return { failure: String(error) };
  }
}

/** jq ends with an error if it runs out of memory. */
function tooLarge(cause: string): UsageError {
  return new UsageError('--jq: not enough memory for this expression', {
    hint: 'Use --json or --jsonl, and pipe it to jq.',
    cause,
  });
}

/** jq's message without the constant parts: its name and the number of errors. */
function failed(stderr: string): MailerError {
  // About the JSON, such as half of a surrogate pair; the expression is not at fault.
  const [, reason] = /^jq: parse error: (.*)/.exec(stderr) ?? [];
  if (reason !== undefined) {
    const hint = 'To see the response as it is, use --json.';
    return new BadReplyError(`--jq cannot read the response: ${reason}`, { hint });
  }

  const message = stderr
    .replace(/^jq: (?:error(?: \(at [^)]*\))?:? ?)?/, '')
    .replace(/\s*jq: \d+ compile errors?\s*$/, '');
  return new UsageError(`--jq: ${message}`);
}
