import { defineCommand } from '../../lib/command/command.ts';
import type { CheckedAddress } from '../../lib/json-schemas/policy.ts';
import { list } from '../../lib/output/result.ts';

export const command = defineCommand({
  takes: ['sandbox', 'lists'],
  quiet: 'only the addresses that are allowed',
  examples: [
    ['mailer policy check ana@example.org', 'Check one address'],
    ['mailer policy check "$TO" --quiet', 'In a script: the exit code is 2 if it may not'],
  ],
  flags: (command) => command.argument('<address...>', 'email addresses'),
  async run(context, _options, given) {
    const [{ parseAddresses }, { policyError, tooManyFor, tooManyToday, whyNotTo }] =
      await Promise.all([
        import('../../lib/input/addresses.ts'),
        import('../../lib/policy/refusal.ts'),
      ]);
    const { policy } = await context.policy();
    const [redirect] = policy.redirectTo;
    const none = policy.maxRecipients.find(({ value }) => value === 0);
    const noneToday = policy.maxPerDay.find(({ value }) => value === 0);
    const nobody =
      (none && tooManyFor(none, 1)) ??
      (noneToday && tooManyToday({ limit: noneToday, used: 0 }, 1));
    const addresses = [parseAddresses(given, 'ADDRESS')].flat();
    const checked = addresses.map((address) => {
      const refusal = whyNotTo([redirect?.value ?? address], policy) ?? nobody;
      return { address, refusal };
    });
    const rows = checked.map(
      ({ address, refusal }): CheckedAddress => ({
        address,
        allowed: refusal === undefined,
        rule: ruleIn(refusal),
        place: refusal?.place ?? null,
        redirectedTo: redirect?.value ?? null,
      }),
    );
    const refused = checked.filter(({ refusal }) => refusal !== undefined);
    const first =
      whyNotTo(
        refused.map(({ address }) => redirect?.value ?? address),
        policy,
      ) ?? refused[0]?.refusal;
    const { quiet } = context.flags;
    const shown = quiet === true ? rows.filter(({ allowed }) => allowed) : rows;
    return list<CheckedAddress>({
      pages: [{ reply: rows, rows: shown }],
      rowsIn: undefined,
      columns: [
        { field: 'address', header: 'Address', cell: ({ address }) => address, flexible: true },
        { field: 'allowed', header: 'Allowed', cell: ({ allowed }) => (allowed ? 'yes' : 'no') },
        { field: 'rule', header: 'Rule', cell: ({ rule }) => rule },
        { field: 'place', header: 'Place', cell: ({ place }) => place, flexible: true },
        {
          field: 'redirectedTo',
          header: 'Redirected to',
          cell: ({ redirectedTo }) => redirectedTo,
          onlyFor: ({ redirectedTo }) => redirectedTo !== null,
        },
      ],
      id: ({ address }) => address,
      empty: '',
      failure: first && policyError(first),
    });
  },
});

const rules = ['allow-to', 'deny-to', 'max-recipients', 'max-per-day'] as const;

function ruleIn(refusal: { readonly rule: string } | undefined): CheckedAddress['rule'] {
  return rules.find((rule) => rule === refusal?.rule) ?? null;
}
