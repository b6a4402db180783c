import type { Context } from '../../../command-line/command/context.ts';
import { createLook, mustLook } from '../../../command-line/command/in-doubt/look.ts';
import { type Begun, signatureOf } from '../../../command-line/command/in-doubt/match-emails.ts';
import type { Clocks } from '../../../service/http/clocks.ts';
import type { Journal } from '../journal/journal.ts';
import type { BegunPart } from '../journal/run-parts.ts';
import { emailsOf } from './part-emails.ts';

interface FindOptions {
  readonly context: Context;
  readonly journal: Journal;
  readonly clocks: Clocks;
  /** Resolves when a request may be sent. */
  readonly turn: () => Promise<void>;
}

/** Looks for the emails of requests that an earlier process began, and that had no response. */
export function createFindBegun({ context, journal, clocks, turn }: FindOptions) {
  const { call, report, system } = context;
  /** Ids that the run has already, which are of other emails. */
  const owned = new Set<string>();
  let isRead = false;
  const readOwned = () => {
    if (isRead) return;
    isRead = true;
    for (const { parts } of journal.outcomes()) {
      for (const { ids = [] } of parts) for (const id of ids) owned.add(id);
    }
  };
  /** By how many requests without a response each email may be owned, those included that others are sending. */
  const owners = () => {
    const signatures = new Map<string, number>();
    for (const part of journal.unanswered()) {
      const own = new Set(emailsOf(part, journal).map(({ email }) => signatureOf(email)));
      for (const one of own) signatures.set(one, (signatures.get(one) ?? 0) + 1);
    }
    return (signature: string) => signatures.get(signature) ?? 0;
  };
  const look = createLook({
    list: (input) => call('email.list', input, { turn }),
    clocks,
    system,
    report,
  });
  return {
    /** Whether a request must be looked for before it is repeated. */
    isNeeded: ({ begun }: BegunPart): boolean => mustLook(begun, clocks),
    /** Tells the ids of emails that are certainly of another request. */
    accepted: (ids: readonly string[]): void => {
      if (!isRead) return;
      for (const id of ids) owned.add(id);
    },
    /** The journal has what was accepted before. Looks for the emails of a request; undefined as soon as `isRunning` returns false. */
    async find(part: BegunPart, isRunning: () => boolean): Promise<Begun | undefined> {
      readOwned();
      const emails = emailsOf(part, journal).map(({ email }) => email);
      const isOthers = (id: string) => owned.has(id);
      const found = await look({ emails, begun: part.begun, isOthers, owners }, isRunning);
      if (found !== undefined && 'ids' in found) for (const id of found.ids) owned.add(id);
      return found;
    },
  };
}
