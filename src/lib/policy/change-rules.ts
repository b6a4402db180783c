import type { ConfigFile } from '../account/config/config.ts';
import type { PolicyRules } from '../account/policy-rules.ts';
import { storedRules } from '../account/policy-shape.ts';
import { profileNamed, withProfile } from '../account/profiles.ts';
import { defined } from '../json/defined.ts';
import { policyOf } from './policy.ts';

/**
 * Changes the rules of a profile and returns them. Throws a `UsageError` if the stored or the new rules are
 * invalid.
 */
export async function changeRules(
  file: Pick<ConfigFile, 'update'>,
  name: string,
  change: (rules: PolicyRules) => PolicyRules,
): Promise<PolicyRules> {
  let rules: PolicyRules = {};
  await file.update((config) => {
    const { policy: stored, ...profile } = profileNamed(config, name) ?? {};
    rules = defined(change(stored === undefined ? {} : storedRules(name, stored)));
    policyOf([{ name: `profile ${name}`, profile: name, rules }]);
    const isNone = Object.keys(rules).length === 0;
    return withProfile(config, name, isNone ? profile : { ...profile, policy: rules });
  });
  return rules;
}
