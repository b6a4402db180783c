import { UsageError } from '../../base/errors.ts';
import { defined } from '../../base/json/defined.ts';
import type { Notes } from '../../base/terminal/notes.ts';
import type { Prompts } from '../../base/terminal/prompts.ts';
import { visible } from '../../base/text/visible.ts';
import type { ConfigFile } from '../account/config/config.ts';
import type { Profile } from '../account/config/config-types.ts';
import type { PolicyRules } from '../account/policy-rules.ts';
import { storedRules } from '../account/policy-shape.ts';
import { profileNamed, withProfile } from '../account/profiles.ts';
import { loosened } from './loosened.ts';
import { policyOf } from './policy.ts';

interface Asker {
  readonly configFile: () => Promise<Pick<ConfigFile, 'read' | 'update'>>;
  readonly prompts: Pick<Prompts, 'asks' | 'confirm'>;
  readonly notes: Pick<Notes, 'say'>;
}

/**
 * Changes the rules of a profile and returns them. What makes them looser is shown and asks first. Throws a `UsageError`
 * if the stored or the new rules are invalid, or if the answer is no.
 */
export async function changeRules(
  { configFile, prompts, notes }: Asker,
  name: string,
  change: (rules: PolicyRules) => PolicyRules,
): Promise<PolicyRules> {
  const file = await configFile();
  const rulesIn = (profile: Profile) => rulesOfProfile(name, profile);
  const before = rulesIn(profileNamed(await file.read(), name) ?? {});
  const looser = loosened(before, defined(change(before)));
  if (looser.length > 0) {
    const lines = looser.map((line) => `  ${line}`);
    const above = [
      `This makes the policy of profile ${visible(name)} looser:`,
      ...lines.map(visible),
    ];
    await prompts.confirm('Change the policy?', 'Nothing was changed', above);
    if (!prompts.asks) notes.say(...above);
  }
  let rules: PolicyRules = {};
  await file.update((config) => {
    const profile = profileNamed(config, name) ?? {};
    const now = rulesIn(profile);
    rules = defined(change(now));
    if (loosened(now, rules).some((line) => !looser.includes(line))) throw changedMeanwhile(name);
    policyOf([{ name: `profile ${name}`, profile: name, rules }]);
    const isNone = Object.keys(rules).length === 0;
    const { policy: _, ...others } = profile;
    return withProfile(config, name, isNone ? others : { ...others, policy: rules });
  });
  return rules;
}

/** The rules of a profile. Throws a `UsageError` if they are damaged. */
export function rulesOfProfile(name: string, { policy }: Profile): PolicyRules {
  return policy === undefined ? {} : storedRules(name, policy);
}

function changedMeanwhile(name: string): UsageError {
  return new UsageError(`Another command has changed the policy of profile ${visible(name)}.`, {
    hint: 'Nothing was changed. Run the command again.',
  });
}
