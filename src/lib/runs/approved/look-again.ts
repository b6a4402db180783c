import { join } from 'node:path';
import { ConflictError, UsageError } from '../../base/errors.ts';
import { accountInUse } from '../../command-line/command/account-in-use.ts';
import type { Context } from '../../command-line/command/context.ts';
import type { KeptEntry } from '../../command-line/outbox/outbox-shapes.ts';
import { accountNumber } from '../bulk/journal/account-number.ts';
import { howFar } from '../bulk/journal/counts.ts';
import { otherRuns, refuseSentAlready } from '../bulk/journal/find-run.ts';
import { openJournal } from '../bulk/journal/journal-file.ts';
import { aboutRuns, shortRunName } from '../bulk/journal/named-run.ts';
import { requireHeader } from '../bulk/journal/run-header.ts';
import { readLabel } from '../bulk/journal/run-label.ts';
import { directoryName, partsOfName } from '../bulk/journal/run-name.ts';
import { type RunStore, runFiles } from '../bulk/journal/run-store.ts';
import { whole } from '../bulk/journal/shard.ts';
import { othersInWords } from '../bulk/show/summary.ts';

/**
 * Looks at the other runs once more, as before a new one, because some may have begun since this one was prepared. Returns
 * the name that it gets among them, and those that it replaces. Throws a `ConflictError` if one of them has sent a part of
 * it, or may have.
 */
export async function lookAgain(
  context: Context,
  store: RunStore,
  prepared: string,
  { id, isAgain }: Pick<KeptEntry, 'id' | 'isAgain'>,
): Promise<{ readonly directory: string; readonly unsent: readonly string[] }> {
  const { header, first } = readPrepared(prepared);
  const { run, input, fingerprint, mailed, shape: parts, retry } = header;
  const account = await accountInUse(context);
  const claim = { account, sameAccount: false };
  const same = store.names().filter((name) => {
    const of = partsOfName(name).run;
    return of === run || of === first || store.label(name)?.first === first;
  });
  const number = accountNumber(store, same, claim);
  const directory = directoryName(run, number, whole);
  const own = same.filter((name) => partsOfName(name).account === number);
  const last = Math.max(1, ...own.map((name) => store.label(name)?.sending ?? 1));
  const next = last + 1;
  const anew = `To send every email again, prepare it with --again=${next}`;
  const other = isAgain ? own.find((name) => partsOfName(name).run === run) : own.at(-1);
  if (other !== undefined) {
    const found = store.read(other);
    const far = found === undefined ? '' : `: ${howFar(found.counts, found.header)}`;
    const short = shortRunName(other);
    throw new ConflictError(
      `Run ${short} began since entry ${id} of the outbox was prepared, and sends the same${far}.`,
      {
        hint: `Nothing was sent now. To look at that run: ${aboutRuns(context, 'get', short)}. ${anew}`,
      },
    );
  }
  if (isAgain || retry !== undefined) return { directory, unsent: [] };
  const name = input === '-' ? 'Its input' : input;
  const isOwn = (one: string) => own.includes(one);
  const about = { context, fingerprint, mailed, claim, input, name, parts };
  try {
    const others = otherRuns(store, { ...about, isOwn, next, anew });
    if (others.alike.length > 0) {
      refuseSentAlready(others, about, (await context.serviceClock('ask'))(), anew);
    }
    for (const lines of othersInWords(name, others, account, context)) context.notes.warn(...lines);
    return { directory, unsent: others.unsent };
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof ConflictError)) throw error;
    throw new ConflictError(`Entry ${id} of the outbox was not sent: ${error.message}`, {
      hint: error.details.hint,
      cause: error,
    });
  }
}

function readPrepared(path: string) {
  const journal = openJournal(join(path, runFiles.journal), { check: false });
  try {
    const header = requireHeader(journal, path);
    const { first = header.run } = readLabel(join(path, runFiles.label)) ?? {};
    return { header, first };
  } finally {
    journal.close();
  }
}
