import { UsageError } from '../../base/errors.ts';
import { parseChoice } from '../../base/input/choice.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import type { System } from '../../base/system/system.ts';
import { visible } from '../../base/text/visible.ts';
import type { Profile } from '../account/config/config-types.ts';
import { deleteRules } from '../account/delete-rules.ts';
import { type PolicyRules, type RuleKey, ruleNames } from '../account/policy-rules.ts';
import { readProjectFile } from '../account/project-file.ts';

/** A place where rules are set, and its rules. */
export interface Place {
  /** For messages: `MAILER_ALLOW_TO`, the path of a project file, `profile work`. */
  readonly name: string;
  /** The profile that contains them, if any. */
  readonly profile: string | undefined;
  readonly rules: PolicyRules;
}

/** The profile in use. */
export interface NamedProfile {
  readonly name: string;
  readonly profile: Profile | undefined;
}

/**
 * All places with rules: the environment, project files, the profile. Throws a `UsageError` for invalid
 * rules: a policy that is silently ignored is worse than none.
 */
export async function policyPlaces(
  system: Pick<System, 'env' | 'cwd' | 'user'>,
  { name, profile }: NamedProfile,
): Promise<readonly Place[]> {
  const { policies } = await readProjectFile(system);
  return [
    ...placesInEnv(system.env),
    ...policies.map(({ path, rules, isForeign }): Place => {
      if (isForeign && rules.redirectTo !== undefined) throw leadsAway(path);
      return { name: path, profile: undefined, rules };
    }),
    ...(profile?.policy === undefined
      ? []
      : [
          {
            name: `profile ${name}`,
            profile: name,
            rules: (await import('../account/policy-shape.ts')).storedRules(name, profile.policy),
          },
        ]),
  ];
}

/** Other rules of such a file only restrict what is sent; this one could redirect it to a stranger. */
function leadsAway(path: string): UsageError {
  return new UsageError(
    `${visible(path)} redirects emails, but other users can change it, so nothing is sent.`,
    { hint: 'Make it and its directory writable only by you, or use MAILER_REDIRECT_TO.' },
  );
}

/** The environment variable for a rule: `MAILER_ALLOW_TO` for `allow-to`. */
function variableOf(key: RuleKey): string {
  return `MAILER_${ruleNames[key].toUpperCase().replaceAll('-', '_')}`;
}

/**
 * The rules of the environment. Unlike other variables, an empty one is not ignored: an empty list allows
 * nobody, and any other empty rule is an error.
 */
function placesInEnv(env: System['env']): Place[] {
  const place = <Value>(
    key: RuleKey,
    read: (text: string, variable: string) => Value | undefined,
  ): Place[] => {
    const name = variableOf(key);
    const text = env[name]?.trim();
    const value = text === undefined ? undefined : read(text, name);
    return value === undefined ? [] : [{ name, profile: undefined, rules: { [key]: value } }];
  };
  return [
    ...place('allowTo', splitEntries),
    ...place('denyTo', (text) => (text === '' ? undefined : splitEntries(text))),
    ...place('allowFrom', splitEntries),
    ...place('maxRecipients', numberIn),
    ...place('maxPerDay', numberIn),
    ...place('campaigns', switchIn),
    ...place('deletes', (text, name) => parseChoice(name, deleteRules)(given(text, name))),
    ...place('readOnly', switchIn),
    ...place('approval', given),
    ...place('redirectTo', given),
  ];
}

/** The items of a list, separated by commas or white space. */
export function splitEntries(text: string): string[] {
  return text.split(/[\s,]+/).filter((one) => one !== '');
}

function switchIn(text: string, name: string): boolean {
  return parseChoice(name, ['on', 'off'])(given(text, name)) === 'on';
}

function numberIn(text: string, name: string): number {
  return parseInteger(name, { min: 0 })(given(text, name));
}

function given(text: string, name: string): string {
  if (text !== '') return text;
  throw new UsageError(`${name} is empty, so the rule has no value.`, {
    hint: `Nothing was sent. Give it a value, or unset ${name}.`,
  });
}
