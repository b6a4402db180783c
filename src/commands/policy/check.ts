import { schemas } from '../../json-schemas/load.ts';
import type { CheckedAddress } from '../../json-schemas/policy.ts';
import { withHint } from '../../lib/base/errors.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { rowsOf } from '../../lib/command-line/command/prints.ts';
import { list } from '../../lib/command-line/output/result.ts';

export const command = defineCommand({
  description:
    'Each address is checked against allow-to and deny-to, and against the limits as if it were the only recipient. Under redirect-to, the address that gets the email instead is checked. Nothing is sent.',
  effects: {},
  exits: { 2: 'at least one address is not allowed or not valid' },
  prints: [rowsOf('the addresses', schemas.policy('checkedAddress'))],
  takes: ['sandbox', 'lists'],
  quiet: 'only the addresses that are allowed',
  examples: {
    'mailer policy check ana@example.org': 'Check one address',
    'mailer policy check "$TO" --quiet': 'In a script: the exit code is 2 if it may not be mailed',
  },
  flags: (command) => command.argument('<address...>', 'email addresses'),
  async run(context, _options, given) {
    const [{ parseAddresses }, refusals] = await Promise.all([
      import('../../lib/base/input/addresses.ts'),
      import('../../lib/service/policy/refusal.ts'),
    ]);
    const { policyError, tooManyFor, tooManyToday, whyApproval } = refusals;
    const { whyNotChanged, whyNotRedirected, whyNotTo } = refusals;
    const { policy } = await context.policy();
    const { maxRecipients, maxPerDay } = policy;
    const unclear = whyNotRedirected(policy);
    const redirect = unclear === undefined ? policy.redirectTo[0]?.value : undefined;
    const none = maxRecipients.find(({ value }) => value === 0);
    const count = maxPerDay.length === 0 ? undefined : await context.dayCount();
    const reached = maxPerDay
      .map((limit) => ({ limit, used: count?.used(limit) ?? 0 }))
      .find(({ limit, used }) => used >= limit.value);
    const whyNot = (recipients: readonly string[]) =>
      whyNotChanged(policy) ??
      unclear ??
      whyNotTo(recipients, policy) ??
      (none && tooManyFor(none, 1)) ??
      (reached && tooManyToday(reached, 1));
    const addresses = [parseAddresses(given, 'ADDRESS')].flat();
    const rows = addresses.map((address): CheckedAddress => {
      const refusal = whyNot([redirect ?? address]);
      return {
        address,
        allowed: refusal === undefined,
        rule: refusal?.rule ?? null,
        place: refusal?.place ?? null,
        approval:
          whyApproval(policy, { recipients: 1, mailboxes: [redirect ?? address] })?.place ?? null,
        redirectedTo: redirect ?? null,
      };
    });
    const refusal = whyNot(redirect === undefined ? addresses : [redirect]);
    const { quiet } = context.flags;
    const shown = quiet === true ? rows.filter(({ allowed }) => allowed) : rows;
    return list<CheckedAddress>({
      pages: [{ rows: shown }],
      columns: [
        { field: 'address', header: 'Address', flexible: true },
        { field: 'allowed', header: 'Allowed', cell: ({ allowed }) => (allowed ? 'yes' : 'no') },
        { field: 'rule', header: 'Rule' },
        { field: 'place', header: 'Place', flexible: true },
        {
          field: 'approval',
          header: 'Needs approval',
          onlyFor: ({ approval }) => approval !== null,
        },
        {
          field: 'redirectedTo',
          header: 'Redirected to',
          onlyFor: ({ redirectedTo }) => redirectedTo !== null,
        },
      ],
      id: ({ address }) => address,
      empty: '',
      failure: withHint(refusal && policyError(refusal), 'To see all rules: mailer policy show'),
    });
  },
});
