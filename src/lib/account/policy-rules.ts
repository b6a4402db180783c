/** Rules about who may be mailed, from one place. Undefined means no rule; an empty list allows nobody. */
export interface PolicyRules {
  /** Addresses, and patterns such as `*@example.com`. */
  readonly allowTo?: readonly string[] | undefined;
  readonly denyTo?: readonly string[] | undefined;
  readonly allowFrom?: readonly string[] | undefined;
  /** Per command. */
  readonly maxRecipients?: number | undefined;
  readonly maxPerDay?: number | undefined;
  readonly campaigns?: boolean | undefined;
  /** Who gets the email in place of everybody. */
  readonly redirectTo?: string | undefined;
}

export type RuleKey = keyof PolicyRules;

/** The name of each rule in commands and messages, in the order shown. */
export const ruleNames = {
  allowTo: 'allow-to',
  denyTo: 'deny-to',
  allowFrom: 'allow-from',
  maxRecipients: 'max-recipients',
  maxPerDay: 'max-per-day',
  campaigns: 'campaigns',
  redirectTo: 'redirect-to',
} as const satisfies Record<RuleKey, string>;

export type RuleName = (typeof ruleNames)[RuleKey];

// The keys of an object literal are what its type says.
export const ruleKeys = Object.keys(ruleNames) as readonly RuleKey[];
