import type { Config } from '../account/config/types.ts';
import type { PolicyRules } from '../account/policy-rules.ts';
import { profileNamed, withProfile } from '../account/profiles.ts';
import { storedRules } from './places.ts';
import { policyOf } from './policy.ts';

/** The part of the configuration file that `policy set` and `policy unset` use. */
interface ProfileFile {
  read(): Promise<Config>;
  update(change: (config: Config) => Config): Promise<Config>;
}

/**
 * Changes the rules of a profile and returns them. Throws a `UsageError` if the stored or the new rules are
 * invalid.
 */
export async function changeRules(
  file: ProfileFile,
  name: string,
  change: (rules: PolicyRules) => PolicyRules,
): Promise<PolicyRules> {
  const stored = profileNamed(await file.read(), name)?.policy;
  // Checked before `update`, whose callback is synchronous.
  const rules = defined(change(stored === undefined ? {} : await storedRules(name, stored)));
  policyOf([{ name: `profile ${name}`, profile: name, rules }]);
  await file.update((config) => {
    const { policy: _, ...profile } = profileNamed(config, name) ?? {};
    const isNone = Object.keys(rules).length === 0;
    return withProfile(config, name, isNone ? profile : { ...profile, policy: rules });
  });
  return rules;
}

function defined(rules: PolicyRules): PolicyRules {
  return Object.fromEntries(Object.entries(rules).filter(([, value]) => value !== undefined));
}
