import { StorageFailure, storageFailureReason } from '../store/storage-failure.ts';
import type { Store } from '../store/store.ts';

/** A job for later. `subject` is the id of the email, campaign, domain, contact or contact book. */
export interface Job {
  /** Milliseconds since 1970. The results have this time, however late the job runs. */
  readonly dueAt: number;
  readonly kind: JobKind;
  readonly subject: string;
  /** JSON: the status and the recipient for `email.report`, the contact for `contact.store`. */
  readonly detail: string;
}

export type JobKind =
  | 'email.release'
  | 'email.report'
  | 'campaign.batch'
  | 'contact.store'
  | 'contact.confirm'
  | 'domain.verified';

export function addJob(store: Store, job: Omit<Job, 'detail'> & { detail?: string }): void {
  const { dueAt, kind, subject, detail = '' } = job;
  store.insert('jobs', { dueAt, kind, subject, detail });
}

export function removeJobs(store: Store, kind: JobKind, subject: string): void {
  store.run('DELETE FROM jobs WHERE subject = ? AND kind = ?', subject, kind);
}

/** Removes the jobs that are due at `dueBy`, and returns whether there were any. */
export function takeJob(store: Store, kind: JobKind, subject: string, dueBy: number): boolean {
  const sql = 'DELETE FROM jobs WHERE subject = ? AND kind = ? AND due_at <= ?';
  return store.run(sql, subject, kind, dueBy) > 0;
}

/** When a job is due; null if there is none. */
export function dueAt(store: Store, kind: JobKind, subject: string): number | null {
  const sql = 'SELECT due_at FROM jobs WHERE subject = ? AND kind = ? LIMIT 1';
  return store.value<number>(sql, subject, kind) ?? null;
}

/** After this many, other processes get a chance to write. */
const jobsPerTransaction = 200;

/**
 * Runs the jobs that are due at `now`, and those they make due, in order of time. A job is deleted in the
 * transaction that runs it, so none is lost and none runs twice. A job that fails is logged and not retried,
 * because it would fail at every later request.
 */
export function runDueJobs(
  store: Store,
  now: number,
  carryOut: (job: Job) => void,
  log: (line: string) => void,
): void {
  // Usually there are none, so nothing waits for other writers.
  while (store.value('SELECT 1 FROM jobs WHERE due_at <= ? LIMIT 1', now) !== undefined) {
    store.write(() => {
      for (let count = 0; count < jobsPerTransaction; count++) {
        const job = takeNext(store, now);
        if (job === undefined) return;
        store.run('SAVEPOINT job');
        try {
          carryOut(job);
        } catch (error) {
          if (error instanceof StorageFailure) throw error;
          store.run('ROLLBACK TO job');
          log(
            `${job.kind} of ${job.subject} failed and is not retried: ${storageFailureReason(error)}`,
          );
        }
        store.run('RELEASE job');
      }
    });
  }
}

function takeNext(store: Store, now: number): Job | undefined {
  return store.one<Job>(
    `DELETE FROM jobs
     WHERE id = (SELECT id FROM jobs WHERE due_at <= ? ORDER BY due_at, id LIMIT 1)
     RETURNING due_at, kind, subject, detail`,
    now,
  );
}
