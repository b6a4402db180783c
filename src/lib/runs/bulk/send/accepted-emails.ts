import type { SendBody } from '../../../../api/email.ts';
import { sentBy } from '../../../mail/email/recipients.ts';
import type { ToFollow } from '../../../mail/email/wait/follow.ts';
import type { Journal } from '../journal/journal.ts';
import type { OpenRun } from '../journal/run-store.ts';

/** Emails that `--wait` follows, at most: those with several recipients are requested one by one, in every round. */
export const mostToFollow = 1000;

/** The journal's name for them, once it keeps them. */
const keptName = 'accepted';

/** The accepted emails of a run, in input order, with all their recipients. */
export function acceptedEmails({ journal }: OpenRun): readonly ToFollow[] {
  const kept = journal.meta(keptName);
  // Written by deleteAcceptedBodies.
  return kept === undefined ? readAccepted(journal) : (JSON.parse(kept) as ToFollow[]);
}

/**
 * Removes the bodies of a run that can send nothing any more. If it may be followed later, the journal keeps
 * what that needs of them.
 */
export function deleteAcceptedBodies({ journal }: OpenRun): void {
  const { accepted, refused, unknown, ...open } = journal.counts();
  if (open.ready + open.begun + unknown > 0 || !journal.hasBodies()) return;
  try {
    if (accepted + refused <= mostToFollow) {
      journal.setMeta(keptName, JSON.stringify(readAccepted(journal)));
    }
    journal.removeBodies();
  } catch {
    // Everything is sent, so this must not fail the command. The same command line tries it again.
  }
}

function readAccepted(journal: Journal): readonly ToFollow[] {
  // Without bodies, there is still what the service says about its emails.
  const hasBodies = journal.hasBodies();
  const accepted: (ToFollow & { readonly place: number })[] = [];
  for (const { chunk, parts } of journal.outcomes()) {
    // Written by `prepare`.
    const emails = hasBodies ? (JSON.parse(journal.body(chunk).toString()) as SendBody[]) : [];
    const rows = chunk.rows();
    for (const { state, positions, ids = [] } of parts) {
      if (state !== 'accepted') continue;
      for (const [index, id] of ids.entries()) {
        const position = positions?.[index] ?? index;
        const email = emails[position];
        const place = rows[position]?.[0] ?? 0;
        accepted.push({ id, place, ...(email && sentBy(email)) });
      }
    }
  }
  return accepted
    .toSorted((one, other) => one.place - other.place)
    .map(({ place: _, ...email }) => email);
}
