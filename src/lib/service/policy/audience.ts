import type { Audience } from './approval.ts';
import { comparedAddress } from './pattern.ts';

/** How many recipients, domains and first recipients are shown to who approves. */
const [mostDomains, mostFirst] = [20, 5] as const;

/** Adds up whom many emails go to, in memory for their domains only. */
export function createAudience() {
  const domains = new Map<string, { recipients: number; readonly example: string }>();
  const first: string[] = [];
  let recipients = 0;
  return {
    add(mailboxes: readonly string[]): void {
      for (const mailbox of mailboxes) {
        recipients++;
        if (first.length < mostFirst) first.push(mailbox);
        const domain = comparedAddress(mailbox)?.domain ?? '';
        const known = domains.get(domain);
        if (known === undefined) domains.set(domain, { recipients: 1, example: mailbox });
        else known.recipients++;
      }
    },
    /** For the rules; one mailbox stands for those of its domain. */
    audience(): Audience {
      return { recipients, mailboxes: [...domains.values()].map(({ example }) => example) };
    },
    /** For people: the largest domains first. */
    shown() {
      const largest = [...domains].sort(([, one], [, other]) => other.recipients - one.recipients);
      return {
        recipients,
        domains: largest
          .slice(0, mostDomains)
          .map(([domain, one]) => ({ domain, recipients: one.recipients })),
        first,
      };
    },
  };
}
