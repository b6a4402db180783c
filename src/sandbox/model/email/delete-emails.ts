import type { Store } from '../../store/store.ts';

/**
 * Deletes emails, given by their `seq`, and their planned jobs. Campaigns keep their counts, and contacts
 * that unsubscribed stay so. Call it in a transaction. Returns the number of deleted emails.
 */
export function deleteEmails(store: Store, seqs: readonly number[]): number {
  const ids = 'SELECT id FROM emails WHERE seq IN (SELECT value FROM json_each(?))';
  store.run(`DELETE FROM events WHERE email_id IN (${ids})`, seqs);
  store.run(`DELETE FROM unsubscriptions WHERE email_id IN (${ids})`, seqs);
  store.run(
    `DELETE FROM jobs WHERE kind IN ('email.release', 'email.report') AND subject IN (${ids})`,
    seqs,
  );
  return store.run('DELETE FROM emails WHERE seq IN (SELECT value FROM json_each(?))', seqs);
}
