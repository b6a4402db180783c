import type { Store } from '../../store/store.ts';

/** Marks an email that nobody has opened in the inbox. Call it in a transaction. */
export function markUnread(store: Store, emailId: string): void {
  store.run('INSERT INTO unread (seq) SELECT seq FROM emails WHERE id = ?', emailId);
}

/** How many emails nobody has opened in the inbox. */
export function countUnread(store: Store): number {
  return store.value<number>('SELECT count(*) FROM unread') ?? 0;
}

/** Marks an email as read. Other processes are waited for only if it is unread. */
export function markRead(store: Store, emailId: string): void {
  const sql = 'SELECT seq FROM unread WHERE seq = (SELECT seq FROM emails WHERE id = ?)';
  const seq = store.value<number>(sql, emailId);
  if (seq !== undefined) store.write(() => store.run('DELETE FROM unread WHERE seq = ?', seq));
}

/** Marks all emails as read. Call it in a transaction. */
export function markAllRead(store: Store): void {
  store.run('DELETE FROM unread');
}
