import { UsageError } from '../errors.ts';
import type { Fingerprint } from './input/open-input.ts';
import { directoryName, type RunCommand, runName } from './run-identity.ts';
import { isComplete, type RunMeta, readMeta } from './run-meta.ts';
import type { RunStore } from './run-store.ts';
import type { Shard } from './shard.ts';

/** A run by its name, and the name of the directory of this share of it. */
export interface FoundRun {
  readonly run: string;
  readonly directory: string;
  /** Whether there is a journal of it. */
  readonly known: boolean;
}

export interface FindOptions {
  readonly command: RunCommand;
  readonly fingerprint: Fingerprint;
  /** Absolute path of the input, or `-`. */
  readonly input: string;
  /** What to call it. */
  readonly name: string;
  readonly shard: Shard;
  /** Whether a complete run is to be sent once more. */
  readonly again: boolean;
}

/**
 * The run that this command line means: the one under way, the one that is complete, or a new one.
 *
 * Throws a `UsageError` where a new run could send an email twice: the same file is half sent with
 * other content or other flags, or the same run was begun with other shares.
 */
export function findRun(store: RunStore, options: FindOptions): FoundRun {
  const { command, fingerprint, shard, again } = options;
  const named = (count: number) => {
    const run = runName(command, fingerprint, count);
    return { run, directory: directoryName(run, shard) };
  };
  let count = 0;
  while (store.has(named(count + 1).directory)) count++;
  const latest = named(count);
  if (store.has(latest.directory)) {
    const complete = store.look(latest.directory, (journal) => isComplete(journal.counts()));
    // A journal that cannot be read is opened, and says so there.
    if (complete !== true || !again) return { ...latest, known: true };
    return { ...named(count + 1), known: false };
  }
  refuseOtherShares(store, latest.run, shard);
  if (!again) refuseHalfSent(store, options, latest.run);
  return { ...latest, known: false };
}

function refuseOtherShares(store: RunStore, run: string, shard: Shard): void {
  const whole = directoryName(run, { ...shard, index: 1, count: 1 });
  const others = store.names().filter((name) => {
    if (shard.count === 1) return name.startsWith(`${run}-`);
    return name === whole || (name.startsWith(`${run}-`) && !name.endsWith(`of${shard.count}`));
  });
  const [other] = others;
  if (other === undefined) return;
  const share = store.look(other, readMeta)?.shard;
  throw new UsageError(
    share === undefined
      ? 'This run was begun as a whole. In shares, emails could go out twice.'
      : `This run was begun in shares (--shard ${share}). Divided otherwise, emails could go out twice.`,
    { hint: 'Go on as it was begun. Nothing was sent.' },
  );
}

/** Refuses to begin anew what another run has sent a part of. */
function refuseHalfSent(store: RunStore, options: FindOptions, run: string): void {
  const { input, name: called, fingerprint, command } = options;
  for (const name of store.names()) {
    const other = store.look(name, (journal) => ({
      meta: readMeta(journal),
      counts: journal.counts(),
    }));
    if (other?.meta === undefined || other.meta.run === run || isComplete(other.counts)) continue;
    const { meta, counts } = other;
    const sameContent = meta.fingerprint.digest === fingerprint.digest;
    const samePath = input !== '-' && meta.input === input;
    if (meta.baseUrl !== command.baseUrl || !(sameContent || samePath)) continue;
    throw new UsageError(
      `${called} is half sent: ${counts.accepted} of ${meta.emails} emails are accepted. ${whatChanged(meta, fingerprint, sameContent)}`,
      {
        hint: 'To go on, run the command as it was. To begin a new run all the same, which sends to everybody in it: --again',
      },
    );
  }
}

function whatChanged(
  { fingerprint: before }: RunMeta,
  now: Fingerprint,
  sameContent: boolean,
): string {
  if (sameContent) return 'The flags, settings, templates or attachments are others now.';
  const size =
    before.bytes === now.bytes
      ? `It has ${now.bytes} bytes as before, but others.`
      : `It had ${before.bytes} bytes and has ${now.bytes} now.`;
  const modified =
    now.modified === undefined || now.modified === before.modified
      ? ''
      : ` It was modified ${new Date(now.modified).toISOString()}.`;
  return `The file has changed since. ${size}${modified}`;
}
