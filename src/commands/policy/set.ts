import type { PolicyRules, RuleName } from '../../lib/account/policy-rules.ts';
import { chosenProfile } from '../../lib/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command/command.ts';
import { choice, onOff } from '../../lib/command/flags/choice.ts';
import { repeatableOption } from '../../lib/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command/prints.ts';
import { UsageError } from '../../lib/errors.ts';
import { parseInteger } from '../../lib/input/numbers.ts';
import { schemas } from '../../lib/json-schemas/load.ts';
import type { StoredPolicy } from '../../lib/json-schemas/policy.ts';
import { done } from '../../lib/output/result.ts';

export const command = defineCommand({
  description:
    'The rules belong to a profile: the current one, or the one that --profile names. They protect from mistakes, not from people who can change them. docs/policy.md explains the rules.',
  effects: { local: true },
  prints: [documentOf('the rules of the profile', schemas.policy('storedPolicy'))],
  quiet: 'print nothing',
  examples: [
    ["mailer policy set --allow-to '*@example.com'", 'Allow only recipients at example.com'],
    [
      'mailer policy set --redirect-to me@example.com --campaigns off',
      'Send every email to yourself instead',
    ],
    ['mailer policy set --max-recipients 50 --max-per-day 500', 'Limits'],
  ],
  flags: (command) =>
    command
      .addOption(
        repeatableOption(
          '--allow-to <addresses>',
          'recipients who are allowed: addresses, and patterns such as *@example.com; repeat, or separate with commas',
        ),
      )
      .addOption(repeatableOption('--deny-to <addresses>', 'recipients who are not allowed'))
      .addOption(repeatableOption('--allow-from <addresses>', 'senders who are allowed'))
      .option(
        '--max-recipients <n>',
        'maximum recipients per command, copies included',
        parseInteger('--max-recipients', { min: 0 }),
      )
      .option(
        '--max-per-day <n>',
        'maximum recipients per day, in UTC',
        parseInteger('--max-per-day', { min: 0 }),
      )
      .addOption(
        choice('--campaigns <on|off>', onOff, 'whether campaigns may be created and started'),
      )
      .option('--redirect-to <address>', 'address that gets every email instead of its recipients'),
  async run(context, options) {
    const [{ changeRules }, { splitEntries }, { policyOf }] = await Promise.all([
      import('../../lib/policy/change-rules.ts'),
      import('../../lib/policy/places.ts'),
      import('../../lib/policy/policy.ts'),
    ]);
    const list = (rule: RuleName, values: readonly string[] | undefined) => {
      const items = values && splitEntries(values.join(','));
      if (items?.length !== 0) return items;
      const nobody = rule === 'deny-to' ? '' : "To allow nobody: --deny-to '*@*'. ";
      throw new UsageError(`--${rule} has no addresses.`, {
        hint: `${nobody}To remove the rule: mailer policy unset ${rule}`,
      });
    };
    const { campaigns } = options;
    const given: PolicyRules = {
      allowTo: list('allow-to', options.allowTo),
      denyTo: list('deny-to', options.denyTo),
      allowFrom: list('allow-from', options.allowFrom),
      maxRecipients: options.maxRecipients,
      maxPerDay: options.maxPerDay,
      campaigns: campaigns && campaigns === 'on',
      redirectTo: options.redirectTo?.trim(),
    };
    const changes = Object.entries(given).filter(([, value]) => value !== undefined);
    if (changes.length === 0) {
      throw new UsageError('There is no rule to set.', {
        hint: "For example: mailer policy set --allow-to '*@example.com'",
      });
    }
    // Throws for an invalid value, by its flag.
    policyOf([{ name: 'flags', profile: undefined, rules: given }], (rule) => `--${rule}`);
    const { name } = await chosenProfile(context);
    const policy = await changeRules(await context.configFile(), name, (rules) => ({
      ...rules,
      ...Object.fromEntries(changes),
    }));
    const reply = { profile: name, policy } as const;
    return done({
      reply: reply satisfies Omit<StoredPolicy, 'policy'>,
      ids: [],
      message: `Set in profile ${name}. To see all rules: mailer policy show`,
    });
  },
});
