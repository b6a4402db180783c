import { StorageFailure, storageFailureReason } from '../store/storage-failure.ts';
import type { Store } from '../store/store.ts';

/** A job for later. `subject` is the id of the email, campaign or domain. */
export interface Job {
  /** Milliseconds since 1970. What the job does happens at this time, however late it is run. */
  readonly dueAt: number;
  readonly kind: JobKind;
  readonly subject: string;
  /** For `email.report`: the status and the recipient, as JSON. Else empty. */
  readonly detail: string;
}

export type JobKind =
  | 'email.release'
  | 'email.report'
  | 'campaign.batch'
  | 'contact.confirm'
  | 'domain.verified';

/** Adds a job. */
export function addJob(store: Store, job: Omit<Job, 'detail'> & { detail?: string }): void {
  store.run(
    'INSERT INTO jobs (due_at, kind, subject, detail) VALUES (?, ?, ?, ?)',
    job.dueAt,
    job.kind,
    job.subject,
    job.detail ?? '',
  );
}

/** Removes the jobs of this kind and subject. */
export function removeJobs(store: Store, kind: JobKind, subject: string): void {
  store.run('DELETE FROM jobs WHERE subject = ? AND kind = ?', subject, kind);
}

/** Removes the jobs of this kind and subject that are due by then; whether there were any. */
export function takeJob(store: Store, kind: JobKind, subject: string, dueBy: number): boolean {
  const sql = 'DELETE FROM jobs WHERE subject = ? AND kind = ? AND due_at <= ?';
  return store.run(sql, subject, kind, dueBy) > 0;
}

/** When a job of this kind and subject is due; null if none is on the list. */
export function dueAt(store: Store, kind: JobKind, subject: string): number | null {
  const sql = 'SELECT due_at AS dueAt FROM jobs WHERE subject = ? AND kind = ? LIMIT 1';
  return store.one<{ dueAt: number }>(sql, subject, kind)?.dueAt ?? null;
}

/** Jobs that run before other processes get their turn. */
const jobsPerTransaction = 200;

/**
 * Processes what is due at `now`, in the order of the due times, including what that in turn
 * makes due. Each job is taken off the list in the transaction that carries it out, so none is
 * lost and none runs twice. One that fails by itself changes nothing and is dropped, and `log` is
 * told: it would fail at every request from now on, and no other would be answered any more.
 */
export function runDueJobs(
  store: Store,
  now: number,
  carryOut: (job: Job) => void,
  log: (line: string) => void,
): void {
  // Most requests find nothing due, and then need not wait for other writers.
  while (store.one('SELECT 1 FROM jobs WHERE due_at <= ? LIMIT 1', now) !== undefined) {
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
  const job = store.one<Job & { id: number }>(
    `SELECT id, due_at AS dueAt, kind, subject, detail FROM jobs
     WHERE due_at <= ? ORDER BY due_at, id LIMIT 1`,
    now,
  );
  if (job !== undefined) store.run('DELETE FROM jobs WHERE id = ?', job.id);
  return job;
}
