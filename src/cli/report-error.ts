import {
  type ErrorCode,
  InterruptedError,
  type MailerError,
  NotFoundError,
  problemOf,
  TerminatedError,
  toError,
  UsageError,
  withHint,
} from '../lib/base/errors.ts';
import { ClosedPipe, type System } from '../lib/base/system/system.ts';
import { usesColor } from '../lib/base/terminal/uses-color.ts';
import { hintFor } from '../lib/base/text/job-hint.ts';
import { visible, visibleLines } from '../lib/base/text/visible.ts';
import { wrapped } from '../lib/base/text/wrap.ts';
import type { Context } from '../lib/command-line/command/context.ts';
import type { CommandEnd, CommandLog } from '../lib/command-line/log/command-log.ts';
import { afterChange, type HowFar, inWords } from '../lib/command-line/output/carried-out.ts';
import { debugText } from '../lib/command-line/output/debug-text.ts';
import { type Format, isJson } from '../lib/command-line/output/format.ts';
import { errorJson, errorText, toMailerError } from '../lib/command-line/output/print-error.ts';
import { keysIn } from '../lib/service/account/api-key.ts';
import { redact } from '../lib/service/http/redact.ts';

/** What is needed to report how a run failed. */
export interface Run {
  readonly system: System;
  /** Runs another line: see `Context`. */
  readonly runLine: Context['runLine'];
  /** Keys that must never be shown, whatever text they are in. */
  readonly secrets: Set<string>;
  format: Format;
  debug: boolean;
  /** What the line says about colour. */
  color: { readonly color?: boolean };
  /** The log of the command, and what it says of itself. */
  readonly log: { command?: CommandLog | undefined };
  carriedOut: CommandEnd;
  /** What was changed or sent before a failure; undefined if nothing. */
  done: () => HowFar | undefined;
  /** The command's own exit codes, if it has any. */
  exitCodes: Readonly<Record<ErrorCode, number>> | undefined;
  /** By how much the service's clock is ahead, in milliseconds, once a command was begun by the wrong one. */
  clockAhead?: number;
  /** Warnings that were not shown yet and that no later run can repeat. */
  unsaid: () => readonly string[];
}

/** Hides the words that may be keys in all output. If the error mentions one, it says where a key belongs. */
function withoutKeys(argv: readonly string[], thrown: unknown, { secrets }: Run): unknown {
  const keys = keysIn(argv);
  const isAboutWords = thrown instanceof UsageError || thrown instanceof NotFoundError;
  if (!isAboutWords || keys.length === 0) return thrown;
  for (const key of keys) secrets.add(key);
  if (redact(thrown.message, keys) === thrown.message) return thrown;
  const { hint } = thrown.details;
  const own = `Other users and logs see a key on a command line. Give it on stdin: printf %s "$KEY" | mailer login --with-token`;
  // A command with a key in it is not what to do next.
  const isUsable = hint !== undefined && redact(hint, keys) === hint;
  return withHint(thrown, isUsable ? `${own}\n${hint}` : own);
}

/** Reports on stderr how the run failed, and returns its exit code. Never shows words that may be keys. */
export async function reportError(
  argv: readonly string[],
  failure: unknown,
  run: Run,
): Promise<number> {
  const thrown = withoutKeys(argv, failure, run);
  const { system, format, secrets, debug, color } = run;
  // Whatever error ended an aborted run, the abort is the reason.
  const isOther = system.signal.aborted && !isInterruption(thrown);
  const reason: unknown = isOther ? system.signal.reason : thrown;
  if (reason instanceof ClosedPipe) return 0;
  const known = toldOf(toMailerError(reason), run.done());
  const { outbox } = known.details;
  if (outbox !== undefined) run.carriedOut = { ids: [outbox] };
  const hints = [known.details.hint ?? [], ...run.unsaid()]
    .flat()
    .map((hint) => hintFor(system.env, hint));
  const error = withHint(known, hints.join('\n') || undefined);
  const exitCode = error.details.exitCode ?? run.exitCodes?.[error.code] ?? error.exitCode;
  if (exitCode === 0) {
    // For callers that would do it again.
    const text = [`Warning: ${error.message}`, ...hints]
      .map((line) => `${visible(line)}\n`)
      .join('');
    system.stderr.write(fitted(redact(text, secrets), system));
    return 0;
  }
  const saysMore = error.outcomeUnknown || hints.length > 0;
  if (isInterruption(error) && !saysMore) return exitCode;
  const text = isJson(format)
    ? errorJson(error, { indent: system.stderr.isTTY === true, next: await nextOf(error, system) })
    : errorText(error, usesColor(system.env, system.stderr, color));
  const shown = redact(text, secrets);
  system.stderr.write(isJson(format) ? shown : fitted(shown, system));
  if (debug && thrown instanceof Error) {
    // The messages may come from the service.
    system.stderr.write(visibleLines(redact(debugText(thrown, error.message), secrets)));
  }
  return exitCode;
}

/** The next step that a program may take by itself. */
async function nextOf({ details }: MailerError, system: System) {
  if (details.hint === undefined) return undefined;
  const { safeNextStep } = await import('./next-step.ts');
  return await safeNextStep(details.hint, system);
}

/** The error, or one that says what was carried out before it. */
function toldOf(error: MailerError, progress: HowFar | undefined): MailerError {
  if (progress === undefined) return error;
  if (!isInterruption(error)) return afterChange(error, progress);
  const { ids, run, next = [] } = progress;
  const hint = [inWords(progress), next].flat().join('\n');
  return progress.isShowing ? toError({ ...problemOf(error), ids, run, hint }) : error;
}

/** Wraps sentences to a terminal's width. Keys must be hidden before, since wrapping could split one. */
export function fitted(text: string, { stderr }: System): string {
  return stderr.isTTY === true ? wrapped(text, stderr.columns || 80) : text;
}

function isInterruption(error: unknown): boolean {
  return error instanceof InterruptedError || error instanceof TerminatedError;
}
