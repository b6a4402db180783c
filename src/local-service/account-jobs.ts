import type { LoggedRequest } from '../sandbox/http/logged-requests.ts';
import type { SmtpDelivery } from '../sandbox/mail/deliver/delivery.ts';
import type { SandboxAccount } from '../sandbox/open.ts';

/** Takes a request that was recorded, and the test account that it was for. */
export type OnRequest = (request: LoggedRequest, account: string | undefined) => void;

interface AccountJobs {
  readonly calls: ReturnType<SandboxAccount['callWebhooks']>;
  readonly delivery: SmtpDelivery | undefined;
  readonly newRequests: () => LoggedRequest[];
}

/** What a served sandbox does without requests, for each account in use. */
export function createAccountJobs(heard: OnRequest) {
  const attended = new Map<SandboxAccount, AccountJobs>();

  async function leave(account: SandboxAccount, { calls, delivery }: AccountJobs): Promise<number> {
    attended.delete(account);
    const waiting = (await delivery?.stop()) ?? 0;
    await calls.stop();
    account.removeTemporaryWebhooks();
    return waiting;
  }

  /** Ends with accounts that a reset deleted; when they are used again, they are made again. */
  function leaveGone(): void {
    for (const [account, it] of attended) {
      const isDeleted = account.name !== undefined && account.isGone();
      // There is nothing left to store.
      if (isDeleted) void leave(account, it).catch(() => {});
    }
  }

  return {
    /** Begins with an account. */
    add(account: SandboxAccount, delivery: SmtpDelivery | undefined): void {
      const newRequests = account.followRequests();
      newRequests();
      attended.set(account, { calls: account.callWebhooks(), delivery, newRequests });
    },
    /** Runs due jobs, sends mail and calls. Links in mail start with `origin`. Throws the first failure. */
    work(origin: string): void {
      leaveGone();
      const failures: unknown[] = [];
      for (const [account, { calls, delivery, newRequests }] of attended) {
        try {
          account.catchUp(origin);
          delivery?.work();
          calls.work();
          for (const request of newRequests()) heard(request, account.name);
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw failures[0];
    },
    /** Ends with all accounts. Resolves to how many emails wait for an SMTP server. */
    async stop(): Promise<number> {
      leaveGone();
      const left = await Promise.all([...attended].map((pair) => leave(...pair)));
      return left.reduce((sum, waiting) => sum + waiting, 0);
    },
  };
}
