import { raw } from 'jq-wasm/inline';
import { UsageError } from '../errors.ts';

/** What an expression makes of JSON: its values, each on a line as JSON, and how it failed. */
export interface Filtered {
  readonly lines: readonly string[];
  /** What the expression has written to stderr, as with `debug`. */
  readonly notes: string;
  readonly error?: UsageError;
}

/** Exit code of jq for an expression that is none. */
const doesNotCompile = 3;

/** Before an expression: one that begins with a minus is no option. */
const optionsEnd = ['--'];

/** Throws a `UsageError` with jq's message if an expression is none. Runs nothing of it. */
export async function checkExpression(expression: string): Promise<void> {
  // Without input there is nothing to run it on.
  const { exitCode, stderr } = await raw('', expression, optionsEnd);
  if (exitCode === doesNotCompile) throw failed(stderr);
}

/** Applies an expression to each of the JSON texts in a text, as jq 1.8 does. Numbers stay exact. */
export async function applyExpression(expression: string, json: string): Promise<Filtered> {
  try {
    const { stdout, stderr, exitCode } = await raw(json, expression, ['-c', ...optionsEnd]);
    const lines = stdout === '' ? [] : stdout.split('\n');
    return exitCode === 0
      ? { lines, notes: stderr }
      : { lines, notes: '', error: failed(stderr || `jq ended with exit code ${exitCode}`) };
  } catch (error) {
    return {
      lines: [],
      notes: '',
      error: new UsageError('--jq: not enough memory for this expression', {
        hint: 'Use --json or --jsonl, and pipe it to jq.',
        cause: error,
      }),
    };
  }
}

/** jq's message without what is the same in each: its name, and the number of errors. */
function failed(stderr: string): UsageError {
  const message = stderr
    .replace(/^jq: (?:error(?: \(at [^)]*\))?:? ?)?/, '')
    .replace(/\s*jq: \d+ compile errors?\s*$/, '');
  return new UsageError(`--jq: ${message}`);
}
