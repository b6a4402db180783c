import * as z from 'zod';
import { ruleNames } from '../account/policy-rules.ts';
import { policyShape } from '../account/policy-shape.ts';

/** What `--json` shows of policies. */

const rule = z.enum(ruleNames);
const place = z
  .string()
  .describe('a variable of the environment, the path of a project file, or `profile NAME`');
const lists = z.array(z.array(z.string()));

export const policyRule = z.looseObject({
  rule,
  value: z.string().describe('in words: addresses and patterns, a number, on or off'),
  place,
});

export const policyReply = z.looseObject({
  profile: z.string(),
  rules: z.array(policyRule).describe('all rules in force; each of them must be met'),
  effective: z
    .looseObject({
      allowTo: lists.describe('an address must be in each of these lists'),
      denyTo: z.array(z.string()),
      allowFrom: lists.describe('a sender must be in each of these lists'),
      maxRecipients: z.int().nullable(),
      maxPerDay: z.int().nullable(),
      campaigns: z.boolean(),
      redirectTo: z.string().nullable(),
    })
    .describe('what all of them come to'),
  mailedToday: z
    .array(z.looseObject({ place, limit: z.int(), mailed: z.int() }))
    .describe('for each `max-per-day`; days are in UTC'),
});

export const storedPolicy = z.looseObject({
  profile: z.string(),
  policy: policyShape.describe('its rules afterwards'),
});

export const checkedAddress = z.looseObject({
  address: z.string(),
  allowed: z.boolean(),
  rule: rule.nullable().describe('the first that does not allow it'),
  place: z.string().nullable().describe('where that stands'),
  redirectedTo: z.string().nullable().describe('who gets the email in its place'),
});

export type PolicyRuleRow = z.infer<typeof policyRule>;
export type PolicyReply = z.infer<typeof policyReply>;
export type StoredPolicy = z.infer<typeof storedPolicy>;
export type CheckedAddress = z.infer<typeof checkedAddress>;
