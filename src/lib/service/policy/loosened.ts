import { compact } from '../../base/text/compact.ts';
import { withOverflowCount } from '../../base/text/quoted-names.ts';
import { deleteRules } from '../account/delete-rules.ts';
import { type PolicyRules, type RuleKey, ruleKeys, ruleNames } from '../account/policy-rules.ts';
import { asksLess } from './approval.ts';
import { valueInWords } from './effective.ts';
import { areCovered } from './pattern.ts';

/** Whether rules allow more after a change than before, by rule. */
const isLooser: {
  readonly [Key in RuleKey]: (before: PolicyRules[Key], after: PolicyRules[Key]) => boolean;
} = {
  allowTo: allowsMore,
  allowFrom: allowsMore,
  denyTo: (before = [], after = []) => !areCovered(before, after),
  maxRecipients: isHigher,
  maxPerDay: isHigher,
  campaigns: (before, after) => before === false && after !== false,
  deletes: (before = 'on', after = 'on') =>
    deleteRules.indexOf(after) < deleteRules.indexOf(before),
  readOnly: (before, after) => before === true && after !== true,
  approval: (before, after) =>
    before !== undefined && (after === undefined || asksLess(before, after)),
  redirectTo: (before, after) => before !== undefined && before !== after,
};

/** The rules that allow more after a change, in lines such as `campaigns: off → none`. */
export function loosened(before: PolicyRules, after: PolicyRules): readonly string[] {
  return ruleKeys.flatMap((key) => {
    // The functions are kept by the key of their rule.
    const looser = isLooser[key] as (one: unknown, other: unknown) => boolean;
    if (!looser(before[key], after[key])) return [];
    return [`${ruleNames[key]}: ${changeInWords(before[key], after[key])}`];
  });
}

function changeInWords(before: PolicyRules[RuleKey], after: PolicyRules[RuleKey]): string {
  if (!(Array.isArray(before) && Array.isArray(after)))
    return `${inWords(before)} → ${inWords(after)}`;
  const added = after.filter((entry) => !before.includes(entry));
  const removed = before.filter((entry) => !after.includes(entry));
  return compact(
    added.length > 0 && `with ${named(added)}`,
    removed.length > 0 && `without ${named(removed)}`,
  ).join(', ');
}

/** Entries of a list that are named. */
const maxNames = 5;

function named(entries: readonly string[]): string {
  return withOverflowCount(entries.slice(0, maxNames), entries.length).join(', ');
}

function inWords(value: PolicyRules[RuleKey]): string {
  return value === undefined ? 'no rule' : valueInWords(value);
}

/** A list allows more if it is removed, or has an entry that the one before did not cover. */
function allowsMore(before: readonly string[] | undefined, after: readonly string[] | undefined) {
  if (before === undefined) return false;
  return after === undefined || !areCovered(after, before);
}

function isHigher(before: number | undefined, after: number | undefined): boolean {
  return before !== undefined && (after === undefined || after > before);
}
