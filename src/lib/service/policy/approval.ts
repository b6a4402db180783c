import { asciiDomain } from '../../../api/domain-name.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import { comparedAddress } from './pattern.ts';

/** What a person has to approve: all mail, mail to more recipients than these, or mail outside these domains. */
export type Approval =
  | { readonly kind: 'always' }
  | { readonly kind: 'above'; readonly recipients: number }
  | { readonly kind: 'outside'; readonly domains: readonly string[] };

/** Whom a command mails. */
export interface Audience {
  /** Recipients, copies included; undefined if they are not known. */
  readonly recipients: number | undefined;
  /** Their mailboxes; undefined if they are not known. */
  readonly mailboxes: readonly string[] | undefined;
}

/** Parses `always`, `above 50` or `outside example.com example.org`. Throws a `UsageError` that names `place`. */
export function parseApproval(text: string, place: string): Approval {
  const [kind = '', ...values] = text.trim().split(/[\s,]+/);
  if (kind === 'always' && values.length === 0) return { kind };
  const [first = ''] = values;
  if (kind === 'above' && values.length === 1 && /^\d{1,9}$/.test(first)) {
    return { kind, recipients: Number(first) };
  }
  const domains = values.flatMap((one) => asciiDomain(one) ?? []);
  if (kind === 'outside' && domains.length === values.length && domains.length > 0) {
    return { kind, domains };
  }
  throw new UsageError(
    `${place} has to be always, "above N" or "outside DOMAIN", not "${visible(text)}"`,
    { hint: 'For example: always, "above 50", "outside example.com"' },
  );
}

/** Whether a rule asks a person about less mail after a change. */
export function asksLess(before: string, after: string): boolean {
  const [one, other] = [before, after].map((text) => parseApproval(text, 'approval'));
  if (one === undefined || other === undefined || other.kind === 'always') return false;
  if (one.kind === 'above' && other.kind === 'above') return other.recipients > one.recipients;
  if (one.kind === 'outside' && other.kind === 'outside') {
    return other.domains.some((domain) => !one.domains.includes(domain));
  }
  return true;
}

/** Why a person is asked, as the end of a sentence, and about whom; undefined if nobody is. */
export function whyAsked(
  value: Approval,
  { recipients, mailboxes }: Audience,
): { readonly text: string; readonly mailboxes?: readonly string[] } | undefined {
  switch (value.kind) {
    case 'always':
      return { text: 'requires a person to approve this' };
    case 'above': {
      const isMore = recipients === undefined || recipients > value.recipients;
      return isMore
        ? {
            text: `requires a person to approve emails to more than ${value.recipients} recipients`,
          }
        : undefined;
    }
    case 'outside': {
      const outside = mailboxes?.filter((one) => !isInside(one, value.domains));
      if (outside?.length === 0) return undefined;
      return {
        text: `requires a person to approve mail outside ${value.domains.join(', ')}`,
        mailboxes: outside ?? [],
      };
    }
  }
}

function isInside(mailbox: string, domains: readonly string[]): boolean {
  const domain = comparedAddress(mailbox)?.domain;
  return domain !== undefined && domains.includes(domain);
}
