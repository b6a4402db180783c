import type { EmailStatus } from '../../api/email-status.ts';
import type { Store } from '../store/store.ts';
import { sendCampaignBatch } from './campaign/campaign-run.ts';
import { sendConfirmation } from './contact/double-opt-in.ts';
import { storeQueuedContact } from './contact/queued-contacts.ts';
import { endVerification } from './domains.ts';
import { recordEvent, releaseEmail } from './email/emails.ts';
import { type Job, type JobKind, runDueJobs } from './jobs.ts';

/**
 * Runs the jobs due at `now` (milliseconds since 1970). Links in mail start with `origin`; `log` gets
 * failures.
 */
export function catchUp(
  store: Store,
  now: number,
  origin: string,
  log: (line: string) => void,
): void {
  const work: Record<JobKind, (job: Job) => void> = {
    'email.release': (job) => releaseEmail(store, job.subject, job.dueAt),
    'email.report': (job) => {
      // Only `releaseEmail` and seed files add these jobs, with this detail.
      const report = JSON.parse(job.detail) as {
        status: EmailStatus;
        recipient: string;
        data?: object;
      };
      recordEvent(store, { emailId: job.subject, ...report }, job.dueAt);
    },
    'campaign.batch': (job) => sendCampaignBatch(store, job.subject, job.dueAt, origin),
    'contact.store': (job) => storeQueuedContact(store, job),
    'contact.confirm': (job) => sendConfirmation(store, job.subject, job.dueAt, origin),
    'domain.verified': (job) => endVerification(store, Number(job.subject), job.dueAt),
  };
  runDueJobs(store, now, (job) => work[job.kind](job), log);
}
