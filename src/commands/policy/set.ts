import { schemas } from '../../json-schemas/load.ts';
import type { StoredPolicy } from '../../json-schemas/policy.ts';
import { UsageError } from '../../lib/base/errors.ts';
import { refuseFileName } from '../../lib/base/input/file-name-values.ts';
import { parseInteger } from '../../lib/base/input/numbers.ts';
import { defined } from '../../lib/base/json/defined.ts';
import { chosenProfile } from '../../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import type { Context } from '../../lib/command-line/command/context.ts';
import { nothingToDo } from '../../lib/command-line/command/flags/allow-empty.ts';
import { choice, onOff } from '../../lib/command-line/command/flags/choice.ts';
import { repeatableOption } from '../../lib/command-line/command/flags/repeatable.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { deleteRules } from '../../lib/service/account/delete-rules.ts';
import type { PolicyRules, RuleKey, RuleName } from '../../lib/service/account/policy-rules.ts';

export const command = defineCommand({
  description:
    'The rules belong to a profile: the current one, or the one that --profile names. They protect from mistakes, not from people who can change them. docs/policy.md explains the rules.',
  effects: { local: true },
  prints: [documentOf('the rules of the profile', schemas.policy('storedPolicy'))],
  takes: ['confirmation', 'files'],
  quiet: 'print nothing',
  examples: {
    "mailer policy set --allow-to '*@example.com'": 'Allow only recipients at example.com',
    'mailer policy set --redirect-to me@example.com --campaigns off':
      'Send every email to yourself instead',
    'mailer policy set --add --deny-to-file bounced.txt':
      'Never mail these addresses again, nor those denied already',
    'mailer policy set --max-recipients 50 --max-per-day 500': 'Limits',
  },
  flags: (command) =>
    command
      .addOption(
        repeatableOption(
          '--allow-to <addresses>',
          'recipients who are allowed: addresses, and patterns such as *@example.com; repeat, or separate with commas',
        ),
      )
      .addOption(repeatableOption('--deny-to <addresses>', 'recipients who are not allowed'))
      .option(
        '--deny-to-file <path>',
        'the same from a file, one or more addresses per line; - for stdin',
      )
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
      .addOption(
        choice(
          '--deletes <on|ask|off>',
          deleteRules,
          'who may delete at the service: anybody, only a person who is asked at a terminal, or nobody',
        ),
      )
      .addOption(choice('--read-only <on|off>', onOff, 'whether only reading is allowed'))
      .option(
        '--approval <what>',
        'what a person has to approve: always, "above N" or "outside DOMAIN"',
      )
      .option('--redirect-to <address>', 'address that gets every email instead of its recipients')
      .option('--add', 'add to the lists that are set, instead of replacing them')
      .option('--allow-empty', 'end with 0 if --deny-to-file has no addresses'),
  async run(context, options) {
    const [{ changeRules }, { distinctPatterns }, { splitEntries }, { policyOf }] =
      await Promise.all([
        import('../../lib/service/policy/change-rules.ts'),
        import('../../lib/service/policy/pattern.ts'),
        import('../../lib/service/policy/places.ts'),
        import('../../lib/service/policy/policy.ts'),
      ]);
    const list = (rule: RuleName, values: readonly string[] | undefined) => {
      const items = values && splitEntries(values.join(','));
      if (items?.length !== 0) return items;
      const nobody = rule === 'deny-to' ? '' : "To allow nobody: --deny-to '*@*'. ";
      throw new UsageError(`--${rule} has no addresses.`, {
        hint: `${nobody}To remove the rule: mailer policy unset ${rule}`,
      });
    };
    const { campaigns, readOnly, denyToFile } = options;
    for (const one of options.denyTo ?? []) {
      refuseFileName(context.files, '--deny-to', one, { fileFlag: '--deny-to-file' });
    }
    const denied = denyToFile === undefined ? [] : await deniedIn(context, denyToFile);
    if (denyToFile !== undefined && denied.length === 0 && options.allowEmpty !== true) {
      throw nothingToDo('--deny-to-file has no addresses.', 'The policy has not changed.');
    }
    const flagged = list('deny-to', options.denyTo);
    const given: PolicyRules = {
      allowTo: list('allow-to', options.allowTo),
      denyTo:
        flagged === undefined && denied.length === 0 ? undefined : [...(flagged ?? []), ...denied],
      allowFrom: list('allow-from', options.allowFrom),
      maxRecipients: options.maxRecipients,
      maxPerDay: options.maxPerDay,
      campaigns: campaigns && campaigns === 'on',
      deletes: options.deletes,
      readOnly: readOnly && readOnly === 'on',
      approval: options.approval?.trim(),
      redirectTo: options.redirectTo?.trim(),
    };
    const changes = Object.entries(defined(given));
    if (changes.length === 0 && denyToFile === undefined) {
      throw new UsageError('There is no rule to set.', {
        hint: "For example: mailer policy set --allow-to '*@example.com'",
      });
    }
    // Throws for an invalid value, by its flag.
    policyOf([{ name: 'flags', profile: undefined, rules: given }], (rule) => `--${rule}`);
    const { name } = await chosenProfile(context);
    const policy = await changeRules(context, name, (rules) => ({
      ...rules,
      ...Object.fromEntries(
        changes.map(([key, value]) => {
          if (!Array.isArray(value)) return [key, value];
          // The keys of `changes` are those of rules.
          const before = options.add === true ? rules[key as RuleKey] : [];
          const all = [...(Array.isArray(before) ? before : []), ...value];
          return [key, distinctPatterns(all, `profile ${name}`)];
        }),
      ),
    }));
    const reply = { profile: name, policy } as const;
    return done({
      reply: reply satisfies Omit<StoredPolicy, 'policy'>,
      ids: [],
      message: `Set in profile ${name}. To see all rules: mailer policy show`,
    });
  },
});

/** Addresses and patterns in a file. */
async function deniedIn({ files }: Context, path: string): Promise<readonly string[]> {
  const flag = '--deny-to-file';
  const [{ readAddressList }, { parsePatterns }] = await Promise.all([
    import('../../lib/base/input/address-list.ts'),
    import('../../lib/service/policy/pattern.ts'),
  ]);
  const denied = await readAddressList(files, path, flag, (text) => text.includes('*'));
  // Throws for a pattern that no address could match, by this flag.
  parsePatterns(denied, flag);
  return denied;
}
