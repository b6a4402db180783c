import { PolicyError, type PolicyRefusal } from '../../base/errors.ts';
import { grouped, quantity } from '../../base/text/quantity.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { visible } from '../../base/text/visible.ts';
import type { RuleName } from '../account/policy-rules.ts';
import { type Audience, whyAsked } from './approval.ts';
import type { Exceeded } from './day-count.ts';
import { type ComparedAddress, comparedAddress, isAmong, isMailboxAmong } from './pattern.ts';
import type { Policy, Rule } from './policy.ts';
import { isOnlyTo } from './redirect.ts';

/** The most addresses a message names; the JSON has more. */
const maxNames = 5;
/** The most addresses in the JSON. */
const mostListed = 1000;

/** Why a rule does not allow something. */
export interface RefusedBy extends PolicyRefusal {
  readonly rule: RuleName;
  readonly message: string;
}

/** A rule that is not met. `why` follows the rule's name and place in the message. */
export function refusedBy(
  { rule, place }: Pick<Rule<unknown>, 'rule' | 'place'>,
  why: string,
  addresses: readonly string[] = [],
): RefusedBy {
  const who = withOverflowCount(addresses.slice(0, maxNames).map(visible), addresses.length).join(
    ', ',
  );
  const whom = who === '' ? '' : `${who}: `;
  return {
    rule,
    place,
    addresses: addresses.slice(0, mostListed),
    message: `${whom}${rule} in ${visible(place)} ${why}.`,
  };
}

export function policyError({ message, rule, place, addresses }: RefusedBy): PolicyError {
  return new PolicyError(message, {
    hint: `Nothing was ${rule === 'deletes' ? 'deleted' : 'sent'}. To see all rules: mailer policy show`,
    refusal: { rule, place, addresses },
  });
}

/** Why nothing may be changed at the service; undefined if it may. */
export function whyNotChanged({ readOnly: [rule] }: Policy): RefusedBy | undefined {
  return rule && refusedBy(rule, 'is on, so only reading is allowed');
}

/** Why a person has to approve this mail; undefined if no rule asks for it. */
export function whyApproval({ approval }: Policy, audience: Audience): RefusedBy | undefined {
  for (const rule of approval) {
    const why = whyAsked(rule.value, audience);
    if (why !== undefined) return refusedBy(rule, why.text, why.mailboxes);
  }
  return undefined;
}

/** The refusal by a limit per command. */
export function tooManyFor(limit: Rule<number>, recipients: number): RefusedBy {
  const allowed = quantity(limit.value, 'recipient');
  return refusedBy(limit, `allows ${allowed} per command, not ${grouped(recipients)}`);
}

/** The refusal by a limit per day. */
export function tooManyToday({ limit, used }: Exceeded, units: number): RefusedBy {
  const today = `${grouped(used)} ${used === 1 ? 'was' : 'were'} mailed today`;
  const more = `${grouped(units)} more ${units === 1 ? 'is' : 'are'} too many`;
  const allowed = quantity(limit.value, 'recipient');
  return refusedBy(limit, `allows ${allowed} per day (UTC); ${today}, so ${more}`);
}

/** Why nobody may be mailed if two rules redirect to different addresses; undefined if they agree. */
export function whyNotRedirected({ redirectTo }: Policy): RefusedBy | undefined {
  const [first, ...others] = redirectTo;
  const other = others.find(({ value }) => !isOnlyTo([first?.value ?? ''], value));
  return other && refusedBy(other, `differs from the one in ${visible(first?.place ?? '')}`);
}

/** Why these mailboxes may not be mailed; undefined if they may. */
export function whyNotTo(mailboxes: readonly string[], policy: Policy): RefusedBy | undefined {
  const { allowTo, denyTo } = policy;
  if (allowTo.length + denyTo.length === 0) return undefined;
  const parsed = mailboxes.map((mailbox) => ({ mailbox, address: comparedAddress(mailbox) }));
  for (const rule of allowTo) {
    const others = parsed.filter(
      ({ address }) => address === undefined || !isAmong(address, rule.value),
    );
    if (others.length > 0) return refusedBy(rule, 'does not allow this', others.map(named));
  }
  for (const rule of denyTo) {
    const denied = parsed.filter(
      ({ address }) => address === undefined || isMailboxAmong(address, rule.value),
    );
    if (denied.length > 0) return refusedBy(rule, 'denies this', denied.map(named));
  }
  return undefined;
}

/** Why this mailbox may not be a sender; undefined if it may. */
export function whyNotFrom(
  mailbox: string | null | undefined,
  { allowFrom }: Policy,
): RefusedBy | undefined {
  const address = mailbox ? comparedAddress(mailbox) : undefined;
  const rule = allowFrom.find(({ value }) => address === undefined || !isAmong(address, value));
  if (rule === undefined) return undefined;
  return mailbox
    ? refusedBy(rule, 'does not allow this sender', [named({ mailbox, address })])
    : refusedBy(rule, 'cannot be checked, because the sender is unknown');
}

/** The address as rules compare it; as written if they cannot compare it. */
function named({
  mailbox,
  address,
}: {
  mailbox: string;
  address: ComparedAddress | undefined;
}): string {
  return address === undefined ? mailbox : `${address.local}@${address.domain}`;
}

export function throwIf(refusal: RefusedBy | undefined): void {
  if (refusal !== undefined) throw policyError(refusal);
}

/** The error if it cannot be determined whether the rules are met. It names the first rule. */
export function unclear({ policy }: { readonly policy: Policy }, why: string): PolicyError {
  const { shown } = policy;
  const [rule = { rule: 'allow-to', place: '' } as const] = shown.filter(
    (one) => !['campaigns', 'deletes', 'read-only'].includes(one.rule) || shown.length === 1,
  );
  return policyError(refusedBy(rule, `cannot be checked: ${why}`));
}
