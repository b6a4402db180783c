import * as z from 'zod';
import { lenientObject } from '../api/lenient.ts';
import { deleteRules } from '../lib/service/account/delete-rules.ts';
import { ruleNames } from '../lib/service/account/policy-rules.ts';
import { policyShape } from '../lib/service/account/policy-shape.ts';

/** What `--json` shows of policies. */

const rule = z.enum(ruleNames);
const place = z
  .string()
  .describe('a variable of the environment, the path of a project file, or `profile NAME`');
const lists = z.array(z.array(z.string()));

export const policyRule = lenientObject({
  rule,
  value: z.string().describe('in words: addresses and patterns, a number, on or off'),
  place,
});

export const policyReply = lenientObject({
  profile: z.string(),
  rules: z.array(policyRule).describe('all rules that apply; a request must meet each of them'),
  effective: lenientObject({
    allowTo: lists.describe('an address must be in each of these lists'),
    denyTo: z.array(z.string()),
    allowFrom: lists.describe('a sender must be in each of these lists'),
    maxRecipients: z.int().nullable(),
    maxPerDay: z.int().nullable(),
    campaigns: z.boolean(),
    deletes: z.enum(deleteRules).describe('`ask`: only a person at a terminal; `off`: nobody'),
    readOnly: z.boolean(),
    approval: z
      .array(z.string())
      .describe('what a person has to approve: `always`, `above 50`, `outside example.com`'),
    redirectTo: z.string().nullable(),
  }).describe('the combined rules'),
  mailedToday: z
    .array(lenientObject({ place, limit: z.int(), mailed: z.int() }))
    .describe('for each `max-per-day`; days are in UTC'),
});

export const storedPolicy = lenientObject({
  profile: z.string(),
  policy: policyShape.describe('its rules afterwards'),
});

export const checkedAddress = lenientObject({
  address: z.string(),
  allowed: z.boolean(),
  rule: rule.nullable().describe('the first rule that does not allow it'),
  place: z.string().nullable().describe('where that rule is set'),
  approval: z
    .string()
    .nullable()
    .describe('where the rule is set by which a person has to approve an email to it alone'),
  redirectedTo: z.string().nullable().describe('the address that gets the email instead'),
});

export type PolicyRuleRow = z.infer<typeof policyRule>;
export type PolicyReply = z.infer<typeof policyReply>;
export type StoredPolicy = z.infer<typeof storedPolicy>;
export type CheckedAddress = z.infer<typeof checkedAddress>;
