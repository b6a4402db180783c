import type { Policy, Rule, ShownRule } from './policy.ts';

/** The combined effect of all rules. */
export function effectiveOf(policy: Policy) {
  return {
    allowTo: listsOf(policy, 'allow-to'),
    denyTo: listsOf(policy, 'deny-to').flat(),
    allowFrom: listsOf(policy, 'allow-from'),
    maxRecipients: leastOf(policy.maxRecipients),
    maxPerDay: leastOf(policy.maxPerDay),
    campaigns: policy.campaigns.length === 0,
    deletes: policy.deletes[0]?.value ?? 'on',
    readOnly: policy.readOnly.length > 0,
    /** Every one of them asks. */
    approval: policy.shown.flatMap(({ rule, value }) =>
      rule === 'approval' ? [String(value)] : [],
    ),
    redirectTo: policy.redirectTo[0]?.value ?? null,
  };
}

function listsOf({ shown }: Policy, rule: ShownRule['rule']): (readonly string[])[] {
  return shown.flatMap((one) => (one.rule === rule && Array.isArray(one.value) ? [one.value] : []));
}

function leastOf(rules: readonly Rule<number>[]): number | null {
  return rules.length === 0 ? null : Math.min(...rules.map(({ value }) => value));
}

/** The value of a rule, for people. */
export function valueInWords(value: ShownRule['value']): string {
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'object') return value.length === 0 ? 'nobody' : value.join(', ');
  return String(value);
}
