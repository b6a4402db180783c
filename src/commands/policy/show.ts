import { schemas } from '../../json-schemas/load.ts';
import type { PolicyReply, PolicyRuleRow } from '../../json-schemas/policy.ts';
import { grouped } from '../../lib/base/text/quantity.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';
import { effectiveOf, valueInWords } from '../../lib/service/policy/effective.ts';

export const command = defineCommand({
  description:
    'Rules are set in the environment (MAILER_ALLOW_TO and others), in .mailer.json in the working directory and those above it, and in the profile. All of them apply together; no rule can relax another. docs/policy.md explains the rules.',
  effects: {},
  prints: [
    documentOf('the rules that apply, and the combined rules', schemas.policy('policyReply'), {
      line: schemas.policy('policyRule'),
    }),
  ],
  takes: ['sandbox', 'lists'],
  quiet: 'only the names of the rules',
  examples: {
    'mailer policy show': 'All rules, and where each is set',
    'mailer policy show --jq .effective': 'The combined rules',
  },
  async run(context) {
    const { policy, profile } = await context.policy();
    const rows = policy.shown.map(({ rule, value, place }): PolicyRuleRow => {
      return { rule, value: valueInWords(value), place };
    });
    const count = policy.maxPerDay.length === 0 ? undefined : await context.dayCount();
    const mailedToday = policy.maxPerDay.map((limit) => {
      return { place: limit.place, limit: limit.value, mailed: count?.used(limit) ?? 0 };
    });
    const rest = { profile, effective: effectiveOf(policy), mailedToday };
    return list<PolicyRuleRow>({
      pages: [{ rows, rest: rest satisfies Omit<PolicyReply, 'rules' | 'effective'> }],
      rowsIn: 'rules',
      columns: [
        { field: 'rule', header: 'Rule' },
        { field: 'value', header: 'Value', flexible: true, folds: true },
        { field: 'place', header: 'Place', flexible: true, folds: true },
      ],
      id: ({ rule }) => rule,
      empty: 'No rules: anybody may be mailed.',
      note: () => [
        ...(rows.length === 1 ? [] : ['An email is sent only if all rules allow it.']),
        ...mailedToday.map(
          ({ place, limit, mailed }) =>
            `Mailed today, in UTC: ${grouped(mailed)} of ${grouped(limit)} (${place}).`,
        ),
      ],
    });
  },
});
