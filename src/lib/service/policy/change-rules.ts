import { attempt } from '../../../shared/attempt.ts';
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
  const heading = `This makes the policy of profile ${visible(name)} looser:`;
  await confirmLooser({ prompts, notes }, heading, looser, 'Change the policy?');
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

/** Shows the rules that allow more, if there are any, and asks. Throws a `UsageError` on a no, or without a terminal. */
export async function confirmLooser(
  { prompts, notes }: Pick<Asker, 'prompts' | 'notes'>,
  heading: string,
  looser: readonly string[],
  question: string,
): Promise<void> {
  if (looser.length === 0) return;
  const above = [heading, ...looser.map((line) => `  ${visible(line)}`)];
  if (!prompts.asks) notes.say(...above);
  await prompts.confirm(question, 'Nothing was changed', above);
}

/** The rules of a profile that no longer apply with another one, or with none, in lines. */
export function rulesLost(
  name: string,
  profile: Profile,
  [otherName, other]: readonly [name: string, profile: Profile] = ['', {}],
): readonly string[] {
  if (profile.policy === undefined) return [];
  const before = attempt(() => rulesOfProfile(name, profile), undefined);
  // Damaged rules let nothing pass, so that they are no looser.
  const after = attempt(() => rulesOfProfile(otherName, other), undefined);
  if (after === undefined) return [];
  return before === undefined ? ['damaged rules'] : loosened(before, after);
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
