import type { Context } from '../../command/context.ts';
import { UsageError } from '../../errors.ts';
import type { Fingerprint } from '../input/open-input.ts';
import {
  type Again,
  chooseSending,
  otherDivision,
  type Sendings,
  sendingsOf,
} from './choose-sending.ts';
import { type Counts, howFar, isComplete, isUnsent } from './counts.ts';
import { resumeCommand } from './named-run.ts';
import { type RunHeader, readHeader } from './run-header.ts';
import {
  directoryName,
  otherParts,
  partsOfName,
  type RunCommand,
  shapeDigests,
} from './run-name.ts';
import type { RunStore } from './run-store.ts';
import type { Shard } from './shard.ts';

/** A run by its name, and the directory name of this shard of it. */
export interface FoundRun {
  readonly run: string;
  /** The name of the first sending of the same input. */
  readonly first: string;
  readonly sending: number;
  readonly directory: string;
  /** Whether there is a journal of it. */
  readonly known: boolean;
  /** An earlier, complete run of the same input. */
  readonly before?: EarlierRun | undefined;
  /** Runs of the same input that sent nothing: this one replaces them. */
  readonly unsent?: readonly string[];
}

/** A complete run of the same file. */
export interface EarlierRun {
  readonly counts: Counts;
  readonly header: RunHeader;
}

export interface FindOptions {
  readonly context: Pick<Context, 'flags' | 'system'>;
  readonly command: RunCommand;
  readonly fingerprint: Fingerprint;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  /** Its name in messages. */
  readonly name: string;
  readonly shard: Shard;
  /** Which sending is asked for. */
  readonly again: Again;
}

/**
 * The run that this command line refers to: an incomplete one, a complete one, or a new one. Throws a
 * `UsageError` if a new run could send an email twice: there is an incomplete run of the same file with other
 * content, flags or shards, or one whose journal cannot be read.
 */
export function findRun(store: RunStore, options: FindOptions): FoundRun {
  const { command, fingerprint, shard, again } = options;
  const sendings = sendingsOf(store, command, fingerprint);
  const sending = chooseSending(store, sendings, shard, again);
  const run = sendings.nameOf(sending);
  const directory = directoryName(run, shard);
  const found = { run, first: sendings.nameOf(1), sending, directory };
  // Opening an unreadable journal reports the problem.
  if (store.has(directory)) return { ...found, known: true };
  const other = otherDivision(sendings, sending, shard);
  if (other !== undefined) throw dividedOtherwise(options, other);
  if (again !== undefined) return { ...found, known: false };
  const { complete, unsent } = otherRuns(store, options, sendings, run);
  return { ...found, known: false, before: complete.at(-1), unsent };
}

function dividedOtherwise({ context }: FindOptions, directory: string): UsageError {
  const { shard } = partsOfName(directory);
  if (shard === undefined) {
    return new UsageError(
      'This run was started without --shard. With it, emails could be sent twice.',
      {
        hint: `Nothing was sent. To resume it without --shard: ${resumeCommand(context, directory)}`,
      },
    );
  }
  return new UsageError(
    `This run was started with --shard ${shard}. With other shards, emails could be sent twice.`,
    { hint: 'Nothing was sent. Use the same number of shards.' },
  );
}

/**
 * Complete runs of the same input, the latest last, and unsent ones. Throws a `UsageError` if another run has
 * sent a part of it, or may have.
 */
function otherRuns(store: RunStore, options: FindOptions, sendings: Sendings, run: string) {
  // Other processes may have created shards of this run by now.
  const own = new Set([run, ...sendings.numbers.map(sendings.nameOf)]);
  const next = Math.max(sendings.numbers.at(-1) ?? 0, 1) + 1;
  const anew = `To start a new run that sends every email again: --again=${next}`;
  const complete: EarlierRun[] = [];
  const unsent: string[] = [];
  for (const name of store.names().filter((one) => !own.has(partsOfName(one).run))) {
    const other = store.look(name, (journal) => ({
      header: readHeader(journal),
      counts: journal.counts(),
    }));
    if (other?.header === undefined) {
      refuseUnreadable(store, name, options, anew);
      continue;
    }
    const { header, counts } = other;
    if (header.contacts !== undefined) continue;
    if (!isOfSame({ ...header, digest: header.fingerprint.digest }, options)) continue;
    if (isComplete(counts)) {
      if (!isUnsent(counts)) complete.push({ counts, header });
      continue;
    }
    // Nothing was accepted: the user is correcting what was rejected.
    if (isUnsent(counts)) {
      unsent.push(name);
      continue;
    }
    throw new UsageError(
      `${options.name} has an incomplete run: ${howFar(counts, header)}. ${whatChanged(header, options)}`,
      { hint: `To resume it: ${resumeCommand(options.context, name)}. ${anew}` },
    );
  }
  complete.sort((one, other) => one.header.begunAt - other.header.begunAt);
  return { complete, unsent };
}

/** Throws if a run that cannot be read may have sent some of this input. */
function refuseUnreadable(store: RunStore, name: string, options: FindOptions, anew: string): void {
  const about = store.label(name);
  if (about !== undefined && (about.book !== undefined || !isOfSame(about, options))) return;
  throw new UsageError(
    `${options.name} may have an incomplete run: ${about === undefined ? 'the journal of a run, perhaps of this file,' : 'the journal of a run of it'} cannot be read: ${store.path(name)}`,
    {
      hint: `To see what was sent: mailer email list. If none of it was, move that directory away. ${anew}`,
    },
  );
}

/** Whether a run has the same input, by content or by path, and the same service. */
function isOfSame(
  about: { readonly baseUrl: string; readonly input: string; readonly digest: string },
  { command, input, fingerprint }: FindOptions,
): boolean {
  const samePath = input !== '-' && about.input === input;
  return about.baseUrl === command.baseUrl && (samePath || about.digest === fingerprint.digest);
}

function whatChanged(
  { fingerprint: before, shape }: RunHeader,
  { fingerprint: now, command }: FindOptions,
): string {
  if (before.digest === now.digest) {
    const parts = shape === undefined ? [] : otherParts(shape, shapeDigests(command.shape));
    return parts.length === 0
      ? 'The flags, settings, templates or attachments have changed.'
      : `Changed since, by a flag, a setting or a file: ${parts.join(', ')}.`;
  }
  const size =
    before.bytes === now.bytes
      ? `It has ${now.bytes} bytes as before, but its content differs.`
      : `It had ${before.bytes} bytes and has ${now.bytes} now.`;
  const modified =
    now.modified === undefined || now.modified === before.modified
      ? ''
      : ` It was modified ${new Date(now.modified).toISOString()}.`;
  return `The file has changed since. ${size}${modified}`;
}

/**
 * Removes an unsent run that another one replaces, so that its own command line cannot resume it later.
 * Throws a `UsageError` if a process holds it, or has sent some of it meanwhile.
 */
export function removeUnsent(store: RunStore, name: string): void {
  const taken = store.take(name);
  const counts = store.look(name, (journal) => journal.counts());
  if (counts !== undefined && isUnsent(counts)) {
    taken.remove();
    return;
  }
  taken.release();
  // Another process has removed it for the same reason.
  if (!store.has(name)) return;
  throw new UsageError('Another process has just sent some of this file. Nothing was sent here.');
}
