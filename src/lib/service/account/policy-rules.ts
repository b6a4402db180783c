import type { ReadonlyInfer } from '../../base/json/readonly-infer.ts';
import type { policyShape } from './policy-shape.ts';

/** Rules about who may be mailed, and what may be changed and deleted, from one place. Undefined means no rule; an empty list allows nobody. */
export type PolicyRules = ReadonlyInfer<typeof policyShape>;

export type RuleKey = keyof PolicyRules;

/** The name of each rule in commands and messages, in the order shown. */
export const ruleNames = {
  allowTo: 'allow-to',
  denyTo: 'deny-to',
  allowFrom: 'allow-from',
  maxRecipients: 'max-recipients',
  maxPerDay: 'max-per-day',
  campaigns: 'campaigns',
  deletes: 'deletes',
  readOnly: 'read-only',
  approval: 'approval',
  redirectTo: 'redirect-to',
} as const satisfies Record<RuleKey, string>;

export type RuleName = (typeof ruleNames)[RuleKey];

// The keys of an object literal are what its type says.
export const ruleKeys = Object.keys(ruleNames) as readonly RuleKey[];
