import type { SendBody } from '../../../api/email.ts';
import type { Policy, Rule } from './policy.ts';
import { allRecipients, redirected, redirectHeader } from './redirect.ts';
import { throwIf, unclear, whyNotFrom, whyNotRedirected, whyNotTo } from './refusal.ts';

/** What a policy makes of one email. */
export interface ExaminedEmail {
  /** As it leaves. */
  readonly email: SendBody;
  /** Whom it was for, if it is redirected. */
  readonly redirectedFor: readonly string[];
  /** The rule that redirects it, perhaps when a bulk run was prepared. */
  readonly redirect: Rule<string> | undefined;
}

/** Applies the policy to one email. Throws a `PolicyError` if a rule does not allow it. */
export function emailUnder(policy: Policy, given: SendBody): ExaminedEmail {
  const [redirect] = policy.redirectTo;
  const email = policy.redirectTo.reduce((one, { value }) => redirected(one, value), given);
  throwIf(
    whyNotRedirected(policy) ??
      whyNotTo(allRecipients(email), policy) ??
      whyNotFrom(email.from, policy),
  );
  refuseHeaders(given, policy);
  return {
    email,
    redirectedFor: email === given ? [] : allRecipients(given),
    redirect: email.headers?.[redirectHeader] === undefined ? undefined : redirect,
  };
}

function refuseHeaders({ headers = {} }: SendBody, policy: Policy): void {
  if (policy.shown.length === 0) return;
  const header = Object.keys(headers).find((name) => namesPeople.test(name) || ofRelays.test(name));
  if (header === undefined) return;
  throw unclear({ policy }, `the header ${header} may change recipients or sender`);
}

const namesPeople = /^(?:resent-|apparently-|original-)?(?:to|cc|bcc|from|sender)$|^return-path$/i;

/**
 * Headers by which mail programs ask for receipts to other people, and relays add recipients or take another sender:
 * of Mandrill, SendGrid, SparkPost, Mailgun and Amazon SES, in this order.
 */
const ofRelays =
  /^(?:(?:disposition-notification|return-receipt|read-receipt|x-confirm-reading|errors|warnings|x-(?:envelope|original|rcpt)|envelope|delivered)-to|x-pmrqc|return-receipt-requested|registered-mail-reply-requested-by|x-errors-to|x-mc-bccaddress|x-smtpapi|x-msys-api|x-mailgun-(?:recipient-variables|rewrite-sender-header)|x-ses-(?:source|from|return-path)-arn)$/i;
