import type { SendBody } from '../../api/email.ts';
import type { ToFollow } from '../email/follow.ts';
import { addressees } from '../email/recipients.ts';
import type { BodyReader } from './bodies.ts';
import type { Journal } from './journal.ts';

/** The emails of a run that were accepted, in input order, with everybody they go to. */
export async function acceptedEmails(journal: Journal, bodies: BodyReader): Promise<ToFollow[]> {
  const accepted: (ToFollow & { readonly place: number })[] = [];
  for (const { chunk, parts } of journal.outcomes()) {
    // Written by `prepare`.
    const emails = JSON.parse((await bodies.read(chunk)).toString('utf8')) as SendBody[];
    for (const { positions, ids = [] } of parts) {
      for (const [index, id] of ids.entries()) {
        const position = positions?.[index] ?? index;
        const email = emails[position];
        const place = chunk.rows[position]?.[0] ?? 0;
        accepted.push({ id, place, ...(email && { sentTo: addressees(email) }) });
      }
    }
  }
  return accepted.toSorted((one, other) => one.place - other.place);
}
