import type { DkimReport, DmarcVerdict, ReceiverRule, SpfReport } from './deep-shapes.ts';
import { allKnown, anyKnown, type MaybeKnown } from './maybe-known.ts';

/** How a rule is kept: `unseen` cannot be seen in DNS, or not without the account. */
export type RuleState = 'met' | 'not met' | 'unseen';

/** What is known about the mail of a domain; null if it is not. */
export type Facts = ReturnType<typeof factsOf>;

const rules = {
  either: ['SPF or DKIM passes', ({ spf, dkim }: Facts) => anyKnown([spf, dkim])],
  both: ['SPF and DKIM pass', ({ spf, dkim }: Facts) => allKnown([spf, dkim])],
  dmarc: ['DMARC, at least p=none', ({ dmarc }: Facts) => dmarc],
  aligned: ['From aligned with SPF or DKIM', ({ aligned }: Facts) => aligned],
  replies: ['From takes replies', ({ replies }: Facts) => replies],
  reverse: ['PTR of the sending servers', unseen],
  tls: ['TLS', unseen],
  complaints: ['fewer than 0.3 % complaints', unseen],
  unsubscribe: ['one-click unsubscribe', unseen],
} as const;

type RuleName = keyof typeof rules;

/**
 * The rules of the receivers: Gmail and Yahoo since February 2024, Outlook since May 2025. Bulk senders have to keep
 * the others of a receiver, too.
 */
const receivers: readonly (readonly [
  receiver: ReceiverRule['receiver'],
  bulk: boolean,
  rules: readonly RuleName[],
])[] = [
  ['Gmail', false, ['either', 'reverse', 'tls', 'complaints']],
  ['Gmail', true, ['both', 'dmarc', 'aligned', 'unsubscribe']],
  ['Yahoo', false, ['either', 'reverse', 'complaints']],
  ['Yahoo', true, ['both', 'dmarc', 'aligned', 'unsubscribe']],
  ['Outlook', false, ['replies']],
  ['Outlook', true, ['both', 'dmarc', 'aligned', 'unsubscribe']],
];

/** Compares what is known about a domain with the rules of the receivers. */
export function receiverRules(facts: Facts): ReceiverRule[] {
  return receivers.flatMap(([receiver, bulk, names]) =>
    names.map((name) => {
      const [rule, isMet] = rules[name];
      const met = isMet(facts);
      return { receiver, bulk, rule, state: met === null ? 'unseen' : met ? 'met' : 'not met' };
    }),
  );
}

/** The facts in the reports about SPF, DKIM and DMARC. */
export function factsOf(
  [path]: readonly SpfReport[],
  dkim: readonly DkimReport[],
  dmarc: DmarcVerdict,
  { isKnown, replies }: { readonly isKnown: boolean; readonly replies: MaybeKnown },
) {
  const keys = dkim.map(({ usable }) => usable);
  return {
    // Of another domain, the From domain may not be the return path.
    spf: isKnown ? (path?.usable ?? null) : null,
    dkim: keys.length === 0 ? null : anyKnown(keys),
    /** Whether a usable DMARC record is in force. */
    dmarc: dmarc.policy !== null || (dmarc.organizationalDomain === null ? null : false),
    /** Whether SPF or DKIM passes for a domain aligned with From. */
    aligned: dmarc.passes,
    /** Whether the From domain takes mail. */
    replies,
  };
}

function unseen(_: Facts): null {
  return null;
}
