import type { Argument } from '@commander-js/extra-typings';
import type { Output } from '../lib/base/system/system.ts';
import { createNotes } from '../lib/base/terminal/notes.ts';
import { usesColor } from '../lib/base/terminal/uses-color.ts';
import { write } from '../lib/base/terminal/write.ts';
import { type Context, createContext } from '../lib/command-line/command/context.ts';
import type { CommonFlags } from '../lib/command-line/command/flags/common-flags.ts';
import { carriedOut } from '../lib/command-line/output/carried-out.ts';
import type { FilteredOutput } from '../lib/command-line/output/filtered-output.ts';
import { formatOf, isJson } from '../lib/command-line/output/format.ts';
import { createPalette } from '../lib/command-line/output/palette.ts';
import { failureOf, type Result } from '../lib/command-line/output/result.ts';
import { refuseQuotedVariables } from '../lib/service/account/quoted-variables.ts';
import { DryRun, requestJson, requestText, verdictInWords } from '../lib/service/http/dry-run.ts';
import { Held } from '../lib/service/http/held.ts';
import { redact } from '../lib/service/http/redact.ts';
import { createTrace } from '../lib/service/http/trace.ts';
import type { Line } from './command-line.ts';
import { askForArguments } from './missing-arguments.ts';
import type { Invocation } from './parse.ts';
import { fitted, type Run } from './report-error.ts';

/** Runs the command of a line, asks for the arguments in `asked`, and prints the result. */
export async function execute(
  line: Line,
  parsed: Invocation,
  asked: readonly Argument[],
  state: Run,
): Promise<number> {
  const { system, secrets } = state;
  const { command, common: flags, options, values } = parsed;
  state.format = formatOf(flags);
  state.debug = flags.debug === true;
  const notes = createNotes({
    write: (text) => system.stderr.write(fitted(redact(text, secrets), system)),
    wait: () => isJson(state.format),
    quiet: () => state.format === 'quiet',
  });
  state.unsaid = notes.unsaid;
  let changed = false;
  state.done = () => (changed ? { what: 'A part was carried out.', isShowing: false } : undefined);
  const contextWith = (common: CommonFlags) =>
    createContext({
      system,
      words: line.words,
      flags: common,
      format: () => state.format,
      command,
      secrets,
      trace: createTrace(
        (text) => system.stderr.write(text),
        secrets,
        () => state.debug,
      ),
      notes,
      models: async (words) => (await import('./model/list.ts')).modelsOf(words),
      runLine: state.runLine,
      changed: () => {
        changed = true;
      },
      log: state.log,
      ahead: state.clockAhead,
    });
  const isStored = command.takes?.includes('approval') === true;
  let context = contextWith(flags);
  const settleFormat = async () => {
    // In a pipe, a script must get the same from every account.
    if (formatOf(flags) !== 'table' || system.stdout.isTTY !== true) return;
    state.format = formatOf(flags, await context.settings());
  };
  const output = await outputFor(flags.jq, context);
  try {
    refuseQuotedVariables(system.env);
    await settleFormat();
    const known = flags.fields && (await fieldsKnown(parsed, flags.fields));
    const filled =
      asked.length > 0
        ? await askForArguments(context, line.level, asked, { values, options })
        : { values, options };
    const recorded = await command.recordedFlags?.(context, ...filled.values);
    if (recorded !== undefined) {
      await context.close();
      context = contextWith({ ...recorded, ...flags });
      await settleFormat();
    }
    const common = context.flags;
    // Before anything is sent, because a wrong name is an error.
    const showsTimes = command.takes?.includes('times') === true;
    const timeZone = showsTimes ? await context.givenTimeZone() : undefined;
    const offsets = showsTimes && state.format === 'table' && (await context.namesOffsets());
    const result = await command
      .run(context, filled.options, ...filled.values)
      .catch(async (error: unknown) => {
        if (!(error instanceof Held)) throw error;
        const { storeHeld } = await import('../lib/command-line/outbox/prepare.ts');
        return await storeHeld(context, error, isStored);
      });
    context.progress.stop();
    const done = carriedOut(result) ?? (changed ? {} : undefined);
    state.carriedOut = done ?? {};
    state.done = () => done && { ...done, failure: failureOf(result), isShowing: true };
    const { printResult } = await import('../lib/command-line/output/print.ts');
    const palette = await createPalette(usesColor(system.env, system.stdout, common));
    try {
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
          // A getter, because the system is asked only when a time is shown.
          get timeZone() {
            return timeZone ?? system.timeZone;
          },
          offsets,
          palette,
        },
      });
      await output.end?.();
    } catch (error) {
      if (result.kind === 'text') await result.afterwards?.(AbortSignal.abort(error));
      throw error;
    }
    if (output.printed?.() === 0 && state.format === 'json') sayWhereRowsAre(result, context);
    state.done = () => undefined;
    const failure = failureOf(result);
    if (failure !== undefined) throw failure;
    context.notes.flush();
    if (result.kind === 'text') await result.afterwards?.(system.signal);
    return 0;
  } catch (error) {
    if (!(error instanceof DryRun)) throw await context.explained(error);
    const isIndented = state.format === 'json' && system.stdout.isTTY === true;
    const text = isJson(state.format)
      ? await requestJson(error, { isIndented })
      : requestText(error);
    await write(output, text, system.signal);
    await output.end?.();
    // JSON output already has the verdict.
    if (!isJson(state.format)) context.notes.say(...verdictInWords(error, { isStored }));
    context.notes.say('Dry run: nothing was sent.');
    context.notes.flush();
    return 0;
  } finally {
    output.close?.();
    await context.close();
  }
}

/** After a filter that printed nothing, perhaps because it expects the rows where the document is an object. */
function sayWhereRowsAre(result: Result, { notes, flags }: Context): void {
  const place = result.kind === 'list' ? result.rowsIn : undefined;
  if (place === undefined || flags.jq?.includes(place) === true) return;
  notes.say(
    `--jq printed nothing: the document is an object, and its rows are in .${place}. To filter each row: --jsonl --jq EXPRESSION`,
  );
}

/** Where the result goes: to stdout, or through the filter of `--jq`, which is loaded only then. */
async function outputFor(
  expression: string | undefined,
  { system, notes, format }: Context,
): Promise<Output & Partial<FilteredOutput>> {
  if (expression === undefined) return system.stdout;
  const [{ startJq }, { filterOutput }] = await Promise.all([
    import('../lib/command-line/output/jq.ts'),
    import('../lib/command-line/output/filtered-output.ts'),
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

/** The fields of the command for `--fields`. Loaded late because few runs use it. */
async function fieldsKnown({ command, options }: Invocation, asked: readonly string[]) {
  const { printedFields } = await import('./printed-fields.ts');
  return await printedFields(command, options, asked);
}

/** The time that others are shown relative to, as in `2 hours ago`. */
async function timeShown({ flags, clock, system, serviceNow }: Context): Promise<number> {
  try {
    return flags.sandbox === true ? (await clock())() : serviceNow();
  } catch {
    // If the embedded service cannot be opened, the first request to it reports why.
    return system.now();
  }
}
