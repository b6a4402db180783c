import { ConflictError, UsageError } from '../../../base/errors.ts';
import { lessThanDaily } from '../../../base/input/wall-clock.ts';
import { isSandbox } from '../../../command-line/command/account-in-use.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Fingerprint } from '../../../people/rows/open-input.ts';
import type { Claim } from './account-number.ts';
import { type Again, chooseSending, otherDivision, sendingsOf } from './choose-sending.ts';
import { howFar, isComplete, isUnsent } from './counts.ts';
import { type KnownAccount, relationTo } from './known-account.ts';
import { hasMailedSome, type MailedSketch, mailedTogether, partMailed } from './mailed-sketch.ts';
import { aboutRuns, resumeCommand, shortRunName } from './named-run.ts';
import type { RunHeader } from './run-header.ts';
import {
  directoryName,
  otherParts,
  partsOfName,
  type RunShape,
  type ShapeDigests,
  shapeDigests,
} from './run-name.ts';
import type { ReadRun, RunStore } from './run-store.ts';
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
  readonly before?: ReadRun | undefined;
  /** The latest run of the same input by another account, sandboxes apart. */
  readonly elsewhere?: ReadRun | undefined;
  /** Runs of the same input that sent nothing: this one replaces them. */
  readonly unsent?: readonly string[];
  /** Runs that together mailed many of these rows the same subject, with another text or from other bytes. */
  readonly alike?: readonly AlikeRun[];
  /** The number that `--again` needs for a new run. */
  readonly next?: number;
  /** Runs that only a newer version can read. */
  readonly newer?: readonly string[];
}

interface AlikeRun extends ReadRun {
  /** When its first request was begun, by the service's clock if that is known, in milliseconds since 1970. */
  readonly sentAt: number;
}

export interface FindOptions {
  readonly context: Pick<Context, 'flags' | 'system'>;
  readonly shape: RunShape;
  readonly fingerprint: Fingerprint;
  /** Who gets which subject, once the rows are read. */
  readonly mailed: MailedSketch | undefined;
  /** The account to send with; undefined if it is not known, as in a dry run. */
  readonly claim: Claim | undefined;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  /** Its name in messages. */
  readonly name: string;
  readonly shard: Shard;
  /** Which sending is asked for. */
  readonly again: Again;
}

/** What other runs are compared with. */
export interface LookOptions
  extends Pick<FindOptions, 'context' | 'fingerprint' | 'mailed' | 'claim' | 'input' | 'name'> {
  readonly parts: ShapeDigests;
  /** Whether a directory is of the same run, or of another sending of it. */
  readonly isOwn: (name: string) => boolean;
  /** The number that `--again` needs for a new run. */
  readonly next: number;
  /** What a hint says of that number. */
  readonly anew: string;
}

/**
 * The run that this command line refers to: an incomplete one, a complete one, or a new one. Throws a
 * `UsageError` if a new run could send an email twice: there is an incomplete run of the same file with other
 * content, flags or shards, or one whose journal cannot be read.
 */
export function findRun(store: RunStore, options: FindOptions): FoundRun {
  const { shape, fingerprint, claim, shard, again } = options;
  const sendings = sendingsOf(store, shape, fingerprint, claim);
  const sentOtherwise = (name: string) => {
    const about = store.label(name);
    return about?.digest === fingerprint.digest && !isElsewhere(name, about.account, options);
  };
  const sending = chooseSending(store, sendings, shard, again, sentOtherwise);
  const run = sendings.nameOf(sending);
  const directory = directoryName(run, sendings.account, shard);
  const found = { run, first: sendings.nameOf(1), sending, directory };
  // Opening an unreadable journal reports the problem.
  if (store.has(directory)) return { ...found, known: true };
  const other = otherDivision(sendings, sending, shard);
  if (other !== undefined) throw dividedOtherwise(options, other);
  if (again !== undefined) return { ...found, known: false };
  // Other processes may have created shards of this run by now.
  const own = new Set([run, ...sendings.numbers.map(sendings.nameOf)]);
  const isOwn = (name: string) => {
    const parts = partsOfName(name);
    return parts.account === sendings.account && own.has(parts.run);
  };
  const next = Math.max(sendings.numbers.at(-1) ?? 0, 1) + 1;
  const look = { ...options, parts: shapeDigests(shape), isOwn, next, anew: startAnew(next) };
  return { ...found, known: false, ...otherRuns(store, look) };
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
 * Other runs of the same input: the latest complete one, the latest by another account, and unsent ones. Throws
 * a `UsageError` if another run of this account has sent a part of it, or may have.
 */
export function otherRuns(store: RunStore, options: LookOptions) {
  const { isOwn, next, anew } = options;
  const sent: ReadRun[] = [];
  const elsewhere: ReadRun[] = [];
  const alike: ReadRun[] = [];
  const unsent: string[] = [];
  const newer: string[] = [];
  for (const name of store.names().filter((one) => !isOwn(one))) {
    const other = store.read(name);
    if (other === undefined) {
      refuseUnreadable(store, name, options, anew);
      if (store.isNewer(name) && !isElsewhere(name, store.label(name)?.account, options)) {
        newer.push(name);
      }
      continue;
    }
    const { header, counts } = other;
    const about = { ...header, digest: header.fingerprint.digest };
    const isSame = isOfSame(about, options);
    const isOfMany = isSame || partMailedBy([other], options) > 0;
    if (isElsewhere(name, header.account, options)) {
      const isTrial = header.account.services.some(isSandbox);
      if (isOfMany && !isUnsent(counts) && !isTrial) elsewhere.push(other);
      continue;
    }
    if (isComplete(counts) || !isSame) {
      if (isUnsent(counts)) continue;
      if (isOfMany) sent.push(other);
      if (isAlike(header, options)) alike.push(other);
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
  const isMany = partMailedBy(alike, options) > 0;
  const sentAt = ({ name, header }: ReadRun) =>
    store.look(name, (journal) => journal.begunBetween().first) ?? header.begunAt;
  return {
    ...{ before: latest(sent), elsewhere: latest(elsewhere), unsent, next, newer },
    alike: isMany ? alike.map((one) => ({ ...one, sentAt: sentAt(one) })) : [],
  };
}

/** Throws a `ConflictError` if runs of the last day, up to `now`, have sent what this one sends, with another text or from a file in another form. */
export function refuseSentAlready(
  { alike = [], next = 2 }: Pick<FoundRun, 'alike' | 'next'>,
  options: RepeatOptions,
  now: number,
  anew = startAnew(next),
): void {
  const recent = alike.filter(({ sentAt }) => now - sentAt < lessThanDaily);
  const alone = latest(recent.filter((one) => partMailedBy([one], options) > 0));
  const last = alone ?? latest(recent);
  const runs = alone === undefined ? recent : [alone];
  const part = partMailedBy(runs, options);
  if (last !== undefined && part > 0) {
    throw sentAlready(last, { part, runs: runs.length }, options, anew);
  }
}

type RepeatOptions = Pick<FindOptions, 'context' | 'name' | 'fingerprint' | 'mailed'>;

function startAnew(next: number): string {
  return `To start a new run that sends every email again: --again=${next}`;
}

function latest<Run extends ReadRun>(runs: readonly Run[]): Run | undefined {
  return runs.toSorted((one, other) => one.header.begunAt - other.header.begunAt).at(-1);
}

/** The part of the people whom runs have mailed the same subject; 0 if that may be another email. */
function partMailedBy(runs: readonly ReadRun[], { mailed }: Pick<FindOptions, 'mailed'>): number {
  if (mailed === undefined) return 0;
  return partMailed(mailed, mailedTogether(runs.flatMap(({ header }) => header.mailed ?? [])));
}

/** Flags that choose rows or show times: with others, a person means another run, and is warned. */
const ofRows: readonly string[] = ['timeZone', 'unique', 'skipInvalid'];

/** Whether a run mailed some of the rows, otherwise than this one; and is no trial, which only the sender got. */
function isAlike(before: RunHeader, options: LookOptions): boolean {
  const { fingerprint, mailed } = options;
  const parts = otherParts(before.shape, options.parts);
  return (
    before.redirect === undefined &&
    mailed !== undefined &&
    before.mailed !== undefined &&
    hasMailedSome(mailed, before.mailed) &&
    (before.fingerprint.digest !== fingerprint.digest ||
      parts.some((part) => !ofRows.includes(part)))
  );
}

function sentAlready(
  { name, counts, header, sentAt }: AlikeRun,
  { part, runs }: { readonly part: number; readonly runs: number },
  options: RepeatOptions,
  anew: string,
): ConflictError {
  const { context, name: file } = options;
  const when = new Date(sentAt).toISOString();
  const short = shortRunName(name);
  const rows = `${part === 1 ? 'The rows' : `${Math.round(part * 100)}% of the rows`} of ${file.replace(/^This/, 'this')}`;
  const isSameFile = header.fingerprint.digest === options.fingerprint.digest;
  const ofOne = isSameFile
    ? `${file} was sent at ${when} with the same subject but another text or other flags`
    : `${rows} were sent at ${when} with the same subject`;
  const what =
    runs === 1
      ? ofOne
      : `${rows} were sent with the same subject by ${runs} runs within a day, the last one at ${when}`;
  return new ConflictError(`${what}: run ${short}, ${howFar(counts, header)}.`, {
    hint: `Nothing was sent. To look at that run: ${aboutRuns(context, 'get', short)}. ${anew}`,
  });
}

/** Throws if a run that cannot be read may have sent some of this input. */
function refuseUnreadable(store: RunStore, name: string, options: LookOptions, anew: string): void {
  const about = store.label(name);
  if (about !== undefined && !isOfSame(about, options)) return;
  if (isElsewhere(name, about?.account, options)) return;
  store.refuseNewer(name);
  throw new UsageError(
    `${options.name} may have an incomplete run: ${about === undefined ? 'the journal of a run, perhaps of this file,' : 'the journal of a run of it'} cannot be read: ${store.path(name)}`,
    {
      hint: `To see what was sent: mailer email list. If none of it was, move that directory away. ${anew}`,
    },
  );
}

/** Whether a run has the same input, by content or by path. */
function isOfSame(
  about: { readonly input: string; readonly digest: string },
  { input, fingerprint }: Pick<FindOptions, 'input' | 'fingerprint'>,
): boolean {
  const samePath = input !== '-' && about.input === input;
  return samePath || about.digest === fingerprint.digest;
}

/** Whether a run is certainly of another account than the one in use. */
function isElsewhere(
  name: string,
  known: KnownAccount | undefined,
  { claim }: Pick<FindOptions, 'claim'>,
): boolean {
  if (known === undefined || claim === undefined || claim.sameAccount) return false;
  return relationTo(known, partsOfName(name).run, claim.account) === 'other account';
}

function whatChanged(
  { fingerprint: before, shape }: RunHeader,
  { fingerprint: now, parts: partsNow }: LookOptions,
): string {
  if (before.digest === now.digest) {
    const parts = otherParts(shape, partsNow);
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
