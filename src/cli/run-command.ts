import { keysIn } from '../lib/account/api-key.ts';
import type { CommonFlags } from '../lib/command/common-flags.ts';
import { type Context, createContext } from '../lib/command/context.ts';
import { InterruptedError, TerminatedError, UsageError, withHint } from '../lib/errors.ts';
import { DryRun, requestJson, requestText } from '../lib/http/dry-run.ts';
import { redact } from '../lib/http/redact.ts';
import { createTrace } from '../lib/http/trace.ts';
import { debugText } from '../lib/output/debug-text.ts';
import { type Format, formatOf, isJson } from '../lib/output/format.ts';
import { errorJson, errorText, toMailerError } from '../lib/output/print-error.ts';
import { carriedOut, failureOf } from '../lib/output/result.ts';
import { ClosedPipe, type Output, type System } from '../lib/system/system.ts';
import { createNotes } from '../lib/terminal/notes.ts';
import { canAsk } from '../lib/terminal/prompts.ts';
import { usesColor } from '../lib/terminal/uses-color.ts';
import { write } from '../lib/terminal/write.ts';
import { visibleLines } from '../lib/text/visible.ts';
import { wrapped } from '../lib/text/wrap.ts';
import { type Line, readLine } from './command-line.ts';
import { argumentsToAsk, askForArguments } from './missing-arguments.ts';
import { type Invocation, Page, parse } from './parse.ts';

/** How long a command may take to end after Ctrl-C, in milliseconds. */
const grace = 1000;

/** What is needed to report how a run ended. */
interface Run {
  readonly system: System;
  /** Keys that must not show, however they got into a text. */
  readonly secrets: Set<string>;
  format: Format;
  debug: boolean;
  /** What the line has about colour. */
  color: { readonly color?: boolean };
  /** What was done, for a failure afterwards. */
  done: string | undefined;
  /** Warnings that no later run can repeat. */
  unsaid: () => readonly string[];
}

/** Runs the words after the program's name and returns the exit code. Throws nothing. */
export async function runCommand(argv: readonly string[], system: System): Promise<number> {
  const state: Run = {
    system,
    secrets: new Set(),
    format: 'table',
    debug: false,
    color: {},
    done: undefined,
    unsaid: () => [],
  };
  try {
    return await soonAfterAbort(runLine(argv, state), system);
  } catch (error) {
    return reportError(withoutKeys(argv, error, state), state);
  }
}

async function runLine(argv: readonly string[], state: Run): Promise<number> {
  const { system, secrets } = state;
  const line = await readLine(argv);
  const { given } = line;
  // Also for a line that cannot be parsed.
  if (given.has('--json') || given.has('--jsonl') || given.has('--jq')) state.format = 'json';
  state.debug = given.has('--debug');
  state.color = { color: !given.has('--no-color') };
  const color = usesColor(system.env, system.stdout, state.color);
  const asked = argumentsToAsk(line);
  const asks = asked.length > 0 && canAsk(system, { ask: !given.has('--no-input') });
  if (asks) for (const argument of asked) argument.argOptional();
  let parsed: Invocation;
  try {
    parsed = parse(line, { width: system.stdout.columns || 80, color });
  } catch (error) {
    if (!(error instanceof Page)) throw error;
    await write(system.stdout, error.text, system.signal);
    return 0;
  }
  const { command, common: flags, options, values } = parsed;
  state.format = formatOf(flags);
  state.debug = flags.debug === true;
  const notes = createNotes({
    write: (text) => system.stderr.write(fitted(redact(text, secrets), system)),
    wait: () => isJson(state.format),
    quiet: () => state.format === 'quiet',
  });
  state.unsaid = notes.unsaid;
  const contextWith = (common: CommonFlags) =>
    createContext({
      system,
      words: line.words,
      flags: common,
      format: () => state.format,
      examines: command.examines === true,
      withoutAccount: command.withoutAccount === true,
      defaults: command.defaults,
      secrets,
      trace: createTrace(
        (text) => system.stderr.write(text),
        secrets,
        () => state.debug,
      ),
      notes,
    });
  let context = contextWith(flags);
  const settleFormat = async () => {
    if (formatOf(flags) !== 'table') return;
    state.format = formatOf(flags, await context.settings());
  };
  const output = await outputFor(flags.jq, context);
  try {
    await settleFormat();
    const known = flags.fields && (await fieldsKnown(line, options, flags.fields));
    const filled = asks
      ? await askForArguments(context, line.level, asked, { values, options })
      : { values, options };
    const recorded = await command.recordedFlags?.({ flags, system }, ...filled.values);
    if (recorded !== undefined) {
      context = contextWith({ ...recorded, ...flags });
      await settleFormat();
    }
    const common = context.flags;
    const result = await command.run(context, filled.options, ...filled.values);
    context.progress.stop();
    state.done = carriedOut(result);
    const [{ printResult }, { createPalette }] = await Promise.all([
      import('../lib/output/print.ts'),
      import('../lib/output/palette.ts'),
    ]);
    const timeZone = await context.givenTimeZone();
    const palette = await createPalette(usesColor(system.env, system.stdout, common));
    await printResult(result, {
      stdout: output,
      signal: system.signal,
      format: state.format,
      fields: common.fields,
      known,
      hasHeader: common.headerLine !== false,
      csvSafe: common.csvSafe,
      notes: context.notes,
      redact: (text) => redact(text, secrets),
      style: {
        now: state.format === 'table' ? await timeShown(context) : system.now(),
        // Asked of the system only when a time is shown.
        get timeZone() {
          return timeZone ?? system.timeZone;
        },
        offsets: await context.namesOffsets(),
        palette,
      },
    });
    await output.end?.();
    state.done = undefined;
    const failure = failureOf(result);
    if (failure !== undefined) throw failure;
    context.notes.flush();
    if (result.kind === 'text') await result.afterwards?.();
    return 0;
  } catch (error) {
    if (!(error instanceof DryRun)) throw await context.explained(error);
    const show = isJson(state.format) ? requestJson : requestText;
    await write(output, show(error.request), system.signal);
    await output.end?.();
    context.notes.say('Dry run: nothing was sent.');
    context.notes.flush();
    return 0;
  } finally {
    output.close?.();
    await context.close();
  }
}

/** Where the result goes: to stdout, with `--jq` through its filter, which is loaded only then. */
async function outputFor(
  expression: string | undefined,
  { system, notes, format }: Context,
): Promise<Output & { end?(): Promise<void>; close?(): void }> {
  if (expression === undefined) return system.stdout;
  const [{ startJq }, { filterOutput }] = await Promise.all([
    import('../lib/output/jq.ts'),
    import('../lib/output/filtered-output.ts'),
  ]);
  const { stdout, signal } = system;
  const jq = startJq(signal);
  try {
    await jq.check(expression);
  } catch (error) {
    jq.close();
    throw error;
  }
  return filterOutput({ jq, expression, stdout, signal, notes, byLine: format() === 'jsonl' });
}

/** The fields that the command has for `--fields`. Loaded late: few runs ask for some. */
async function fieldsKnown(
  { level }: Line,
  options: Invocation['options'],
  asked: readonly string[],
) {
  const { fieldsOfCommand } = await import('./fields-of-commands.ts');
  return await fieldsOfCommand(level.path, options, asked);
}

/** The time to which others are compared: `2 hours ago`. */
async function timeShown({ clock, system }: Context): Promise<number> {
  try {
    return (await clock())();
  } catch {
    // If the embedded service cannot be opened, the first request to it explains it.
    return system.now();
  }
}

/** The outcome of `work`, but no later than a moment after the run was aborted. */
async function soonAfterAbort<Value>(work: Promise<Value>, { signal }: System): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const abort = new Promise<never>((_, reject) => {
    const after = () => {
      timer = setTimeout(() => reject(signal.reason), grace);
    };
    if (signal.aborted) after();
    else signal.addEventListener('abort', after, { once: true });
  });
  try {
    return await Promise.race([work, abort]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error about words that may be keys says where a key belongs; they are then shown nowhere. */
function withoutKeys(argv: readonly string[], thrown: unknown, { secrets }: Run): unknown {
  const keys = keysIn(argv);
  if (!(thrown instanceof UsageError) || keys.length === 0) return thrown;
  for (const key of keys) secrets.add(key);
  if (redact(thrown.message, keys) === thrown.message) return thrown;
  const { hint } = thrown.details;
  const own = `Other users and logs see a key on a command line. Give it on stdin: printf %s "$KEY" | mailer login --with-token`;
  return withHint(thrown, hint === undefined ? own : `${own}\n${hint}`);
}

/** Reports on stderr how the run failed, and returns its exit code. */
function reportError(thrown: unknown, run: Run): number {
  const { system, format, secrets, debug, color, done } = run;
  // Whatever an aborted run ended with, the abort is the reason.
  const isOther = system.signal.aborted && !isInterruption(thrown);
  const reason: unknown = isOther ? system.signal.reason : thrown;
  if (reason instanceof ClosedPipe) return 0;
  const known = toMailerError(reason);
  const { hint = [] } = known.details;
  const hints = [done ?? hint, ...run.unsaid()].flat();
  const error = withHint(known, hints.join('\n') || undefined);
  const saysMore = error.outcomeUnknown || hints.length > 0;
  if (isInterruption(error) && !saysMore) return error.exitCode;
  const text = isJson(format)
    ? errorJson(error, system.stderr.isTTY === true)
    : errorText(error, usesColor(system.env, system.stderr, color));
  const shown = redact(text, secrets);
  system.stderr.write(isJson(format) ? shown : fitted(shown, system));
  if (debug && thrown instanceof Error) {
    // The messages may be the service's.
    system.stderr.write(visibleLines(redact(debugText(thrown, error.message), secrets)));
  }
  return error.exitCode;
}

/** Sentences as wide as the terminal, when it is one. Keys are no longer in them: a line may end in one. */
function fitted(text: string, { stderr }: System): string {
  return stderr.isTTY === true ? wrapped(text, stderr.columns || 80) : text;
}

function isInterruption(error: unknown): boolean {
  return error instanceof InterruptedError || error instanceof TerminatedError;
}
