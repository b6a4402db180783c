import { mailboxProblem } from '../../../api/address.ts';
import { UsageError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';
import { deleteRules } from '../account/delete-rules.ts';
import {
  type PolicyRules,
  type RuleKey,
  type RuleName,
  ruleKeys,
  ruleNames,
} from '../account/policy-rules.ts';
import { parseApproval } from './approval.ts';
import { comparedAddress, parsePatterns } from './pattern.ts';
import type { Place } from './places.ts';

/** A rule and where it is set. */
export interface Rule<Value> {
  readonly rule: RuleName;
  /** For messages: `MAILER_ALLOW_TO`, the path of a project file, `profile work`. */
  readonly place: string;
  /** The profile that it applies to; undefined if it applies to everything this user sends. */
  readonly profile: string | undefined;
  readonly value: Value;
}

export type ShownRule = Rule<readonly string[] | number | boolean | string>;

/** All rules that apply. Every one of them must be met. */
export type Policy = ReturnType<typeof policyOf>;

/** The rules of all places. Throws a `UsageError` for an invalid one; `named` is its name there. */
export function policyOf(
  places: readonly Place[],
  named = (rule: RuleName, place: string) => `${rule} in ${place}`,
) {
  const shown = places.flatMap((place) => ruleKeys.flatMap((key) => shownRule(key, place)));
  const of = <Key extends RuleKey, Value>(
    key: Key,
    make: (value: NonNullable<PolicyRules[Key]>, place: string) => Value,
  ): Rule<Value>[] =>
    places.flatMap(({ name: place, profile, rules }) => {
      const { [key]: given } = rules;
      if (given === undefined) return [];
      return [
        {
          rule: ruleNames[key],
          place,
          profile,
          value: make(given, named(ruleNames[key], place)),
        },
      ];
    });
  return {
    allowTo: of('allowTo', parsePatterns),
    denyTo: of('denyTo', parsePatterns),
    allowFrom: of('allowFrom', parsePatterns),
    maxRecipients: of('maxRecipients', (value) => value),
    maxPerDay: of('maxPerDay', (value) => value),
    /** Rules that turn campaigns off. */
    campaigns: of('campaigns', (value) => value).filter(({ value }) => !value),
    /** Rules that let only a person delete, or nobody; the strictest first. */
    deletes: of('deletes', (value) => value)
      .filter(({ value }) => value !== 'on')
      .sort((one, other) => deleteRules.indexOf(other.value) - deleteRules.indexOf(one.value)),
    /** Rules that allow only reading. */
    readOnly: of('readOnly', (value) => value).filter(({ value }) => value),
    approval: of('approval', parseApproval),
    redirectTo: of('redirectTo', mailbox),
    shown,
  };
}

function shownRule(key: RuleKey, { name: place, profile, rules }: Place): ShownRule[] {
  const { [key]: value } = rules;
  return value === undefined ? [] : [{ rule: ruleNames[key], place, profile, value }];
}

function mailbox(text: string, place: string): string {
  const isPattern = text.includes('*');
  const problem = isPattern ? 'Patterns are not allowed here.' : mailboxProblem(text);
  if (problem === undefined && comparedAddress(text) !== undefined) return text;
  throw new UsageError(`${place}: "${visible(text)}" is not an email address`, { hint: problem });
}
