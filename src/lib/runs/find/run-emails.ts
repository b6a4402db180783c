import { NotFoundError } from '../../base/errors.ts';
import type { Context } from '../../command-line/command/context.ts';
import { readHeader } from '../bulk/journal/run-header.ts';
import { runsOf } from '../bulk/journal/run-store.ts';

/** The emails of a bulk run, and when they were created. */
export interface RunEmails {
  /** The name of its directory. */
  readonly name: string;
  readonly ids: ReadonlySet<string>;
  /** Where it was last sent. */
  readonly baseUrl: string | undefined;
  /** With the key of which profile; undefined if it was in the environment. */
  readonly profile: string | undefined;
  /** Milliseconds since 1970, with room for clocks that differ and responses that take long. */
  readonly from: number;
  readonly to: number;
}

/** What the clock of a service may differ from that of this machine, in milliseconds. */
const clockRoom = 10 * 60_000;

/** The accepted emails of a run, by the name of its directory. Throws if its journal cannot be read. */
export function runEmails(context: Pick<Context, 'flags' | 'system'>, name: string): RunEmails {
  const store = runsOf(context);
  const emails = store.look(name, (journal) => {
    const ids = new Set<string>();
    for (const { parts } of journal.outcomes()) {
      for (const { state, ids: some = [] } of parts) {
        if (state === 'accepted') for (const id of some) ids.add(id);
      }
    }
    const { first, last } = journal.begunBetween();
    const { baseUrl, line } = readHeader(journal) ?? {};
    const profile = line?.common.profile;
    return { name, ids, baseUrl, profile, from: first - clockRoom, to: last + clockRoom };
  });
  if (emails !== undefined) return emails;
  throw new NotFoundError(`The journal of run ${name} cannot be read.`);
}
