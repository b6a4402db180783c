import { schemas } from '../../json-schemas/load.ts';
import type { StoredPolicy } from '../../json-schemas/policy.ts';
import { NotFoundError, UsageError } from '../../lib/base/errors.ts';
import { visible } from '../../lib/base/text/visible.ts';
import { chosenProfile } from '../../lib/command-line/command/chosen-profile.ts';
import { defineCommand } from '../../lib/command-line/command/command.ts';
import { documentOf } from '../../lib/command-line/command/prints.ts';
import { done } from '../../lib/command-line/output/result.ts';
import { ruleKeys, ruleNames } from '../../lib/service/account/policy-rules.ts';
import { profileNamed, withProfile } from '../../lib/service/account/profiles.ts';

const names: readonly string[] = Object.values(ruleNames);
const inOtherPlaces = 'To see the rules of all places: mailer policy show';

export const command = defineCommand({
  description: 'Rules in the environment and in .mailer.json do not change.',
  effects: { local: true },
  prints: [documentOf('the rules of the profile', schemas.policy('storedPolicy'))],
  takes: ['confirmation'],
  quiet: 'print nothing',
  examples: {
    'mailer policy unset max-per-day': 'Remove one rule',
    'mailer policy unset --all': 'Remove all rules of the profile',
  },
  offers: { rule: names },
  flags: (command) =>
    command
      .argument('[rule...]', `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`)
      .option('--all', 'all rules, also damaged ones'),
  async run(context, options, given) {
    const unknown = given.find((one) => !names.includes(one));
    if (unknown !== undefined) {
      throw new NotFoundError(`There is no rule "${visible(unknown)}".`, {
        hint: `Rules: ${names.join(', ')}`,
      });
    }
    if (options.all === true ? given.length > 0 : given.length === 0) {
      throw new UsageError('Name the rules to remove, or remove all of them with --all.');
    }
    const { name } = await chosenProfile(context);
    const file = await context.configFile();
    if (options.all === true) {
      const reply = { profile: name, policy: {} } satisfies StoredPolicy;
      const profile = profileNamed(await file.read(), name);
      if (profile?.policy === undefined) {
        const message = `Profile ${name} has no rules. ${inOtherPlaces}`;
        return done({ reply, ids: [], message, isNothing: true });
      }
      const { rulesLost } = await import('../../lib/service/policy/change-rules.ts');
      const rules = rulesLost(name, profile).map((rule) => `  ${visible(rule)}`);
      await context.prompts.confirm(
        `Remove all rules of profile ${name}? Only rules in other places will then apply.`,
        'Nothing was removed',
        rules,
      );
      if (!context.prompts.asks) context.notes.say(...rules);
      await file.update((config) => {
        const { policy: _, ...profile } = profileNamed(config, name) ?? {};
        return withProfile(config, name, profile);
      });
      return done({ reply, ids: [], message: `Removed all rules of profile ${name}.` });
    }
    const { changeRules } = await import('../../lib/service/policy/change-rules.ts');
    let removed: readonly (typeof ruleKeys)[number][] = [];
    const policy = await changeRules(context, name, (rules) => {
      removed = ruleKeys.filter((key) => given.includes(ruleNames[key]) && key in rules);
      return { ...rules, ...Object.fromEntries(removed.map((key) => [key, undefined])) };
    });
    const gone = removed.map((key) => ruleNames[key]);
    const reply = { profile: name, policy } as const;
    return done({
      reply: reply satisfies Omit<StoredPolicy, 'policy'>,
      ids: [],
      isNothing: gone.length === 0,
      message:
        gone.length === 0
          ? `Profile ${name} has no rule ${given.join(' or ')}. ${inOtherPlaces}`
          : `Removed ${gone.join(', ')} from profile ${name}. Rules in other places still apply: mailer policy show`,
    });
  },
});
