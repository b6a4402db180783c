import { PolicyError, type PolicyRefusal } from '../errors.ts';
import { withMore } from '../text/quoted-names.ts';
import { visible } from '../text/visible.ts';
import type { Exceeded } from './day-count.ts';
import {
  type ComparedAddress,
  comparedAddress,
  matches,
  matchesMailbox,
  type Pattern,
} from './pattern.ts';
import type { Policy, Rule } from './policy.ts';

/** Addresses that a message names; the others are in the JSON. */
const mostNamed = 5;
/** Addresses in the JSON at most. */
const mostListed = 1000;

/** Why a rule does not allow something. */
export interface RefusedBy extends PolicyRefusal {
  /** As a sentence. */
  readonly message: string;
}

/** A rule that is not met, and why, in words that follow its name and place. */
export function refusedBy(
  { rule, place }: Pick<Rule<unknown>, 'rule' | 'place'>,
  why: string,
  addresses: readonly string[] = [],
): RefusedBy {
  const who = withMore(addresses.slice(0, mostNamed).map(visible), addresses.length).join(', ');
  const whom = who === '' ? '' : `${who}: `;
  return {
    rule,
    place,
    addresses: addresses.slice(0, mostListed),
    message: `${whom}${rule} in ${visible(place)} ${why}.`,
  };
}

/** The error that a refusal is. */
export function policyError(
  { message, rule, place, addresses }: RefusedBy,
  cause?: unknown,
): PolicyError {
  return new PolicyError(message, {
    hint: 'Nothing was sent. To see all rules: mailer policy show',
    refusal: { rule, place, addresses },
    cause,
  });
}

/** What is said of a rule that allows a command fewer than so many. */
export function tooManyFor(limit: Rule<number>, recipients: number): RefusedBy {
  return refusedBy(limit, `allows ${limit.value}, not ${recipients}`);
}

/** The same of a rule that allows fewer today. */
export function tooManyToday({ limit, used }: Exceeded, units: number): RefusedBy {
  const today = used === 0 ? '' : `; ${used} were mailed today, in UTC`;
  return refusedBy(limit, `allows ${limit.value}, not ${units} more${today}`);
}

/** Why these may not be mailed; undefined if they all may. */
export function whyNotTo(mailboxes: readonly string[], policy: Policy): RefusedBy | undefined {
  const { allowTo, denyTo } = policy;
  if (allowTo.length + denyTo.length === 0) return undefined;
  const parsed = mailboxes.map((mailbox) => ({ mailbox, address: comparedAddress(mailbox) }));
  for (const rule of allowTo) {
    const others = parsed.filter(({ address }) => !isAmong(address, rule.value));
    if (others.length > 0) return refusedBy(rule, 'does not allow this', others.map(named));
  }
  for (const rule of denyTo) {
    const denied = parsed.filter(
      ({ address }) =>
        address === undefined || rule.value.some((pattern) => matchesMailbox(pattern, address)),
    );
    if (denied.length > 0) return refusedBy(rule, 'denies this', denied.map(named));
  }
  return undefined;
}

/** Why this may not be a sender; undefined if it may. */
export function whyNotFrom(
  mailbox: string | null | undefined,
  { allowFrom }: Policy,
): RefusedBy | undefined {
  const address = mailbox ? comparedAddress(mailbox) : undefined;
  const rule = allowFrom.find(({ value }) => !isAmong(address, value));
  if (rule === undefined) return undefined;
  return mailbox
    ? refusedBy(rule, 'does not allow this sender', [named({ mailbox, address })])
    : refusedBy(rule, 'cannot be checked, because the sender is unknown');
}

function isAmong(address: ComparedAddress | undefined, patterns: readonly Pattern[]): boolean {
  return address !== undefined && patterns.some((pattern) => matches(pattern, address));
}

/** The address as rules compare it; what they cannot compare, as it was written. */
function named({
  mailbox,
  address,
}: {
  mailbox: string;
  address: ComparedAddress | undefined;
}): string {
  return address === undefined ? mailbox : `${address.local}@${address.domain}`;
}
