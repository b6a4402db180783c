import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { SendBody } from '../../../api/email.ts';
import { sentBy } from '../../email/recipients.ts';
import type { ToFollow } from '../../email/wait/follow.ts';
import { type OpenRun, openRunBodies, removeRunBodies, runFiles } from '../journal/run-store.ts';

/** Emails that `--wait` follows, at most: those with several recipients are requested one by one, in every round. */
export const mostToFollow = 1000;

/** The journal's name for them, once it keeps them. */
const keptName = 'accepted';

/** The accepted emails of a run, in input order, with all their recipients. */
export async function acceptedEmails(run: OpenRun): Promise<readonly ToFollow[]> {
  const kept = run.journal.meta(keptName);
  // Written by letGoOfBodies.
  return kept === undefined ? await readAccepted(run) : (JSON.parse(kept) as ToFollow[]);
}

/**
 * Removes the bodies of a run that can send nothing any more. If it may be followed later, the journal keeps
 * what that needs of them.
 */
export async function letGoOfBodies(run: OpenRun): Promise<void> {
  const { accepted, refused, unknown, ...open } = run.journal.counts();
  if (open.ready + open.begun + unknown > 0) return;
  const path = join(run.directory, runFiles.bodies);
  if (!existsSync(path)) return;
  try {
    if (accepted + refused <= mostToFollow) {
      run.journal.setMeta(keptName, JSON.stringify(await readAccepted(run)));
    }
    removeRunBodies(run);
  } catch {
    // Everything is sent, so this must not fail the command. The same command line tries it again.
  }
}

async function readAccepted(run: OpenRun): Promise<readonly ToFollow[]> {
  // Without bodies, there is still what the service says about its emails.
  const path = join(run.directory, runFiles.bodies);
  const bodies = existsSync(path) ? openRunBodies(run) : undefined;
  try {
    const accepted: (ToFollow & { readonly place: number })[] = [];
    for (const { chunk, parts } of run.journal.outcomes()) {
      const json = bodies?.read(chunk) ?? '[]';
      // Written by `prepare`.
      const emails = JSON.parse(json.toString()) as SendBody[];
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
  } finally {
    bodies?.close();
  }
}
