import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { UsageError } from '../../../base/errors.ts';
import type { System } from '../../../base/system/system.ts';
import { visible } from '../../../base/text/visible.ts';
import { ruleKeys } from '../policy-rules.ts';
import { otherProfiles } from '../profiles.ts';
import { configDirectory, configPath } from './config-path.ts';
import { readConfigText } from './config-text.ts';
import type { Config } from './config-types.ts';
import { setAside } from './damage.ts';
import { linkAt } from './trust.ts';
import { UntrustedConfig } from './untrusted.ts';

/**
 * Throws a `UsageError` if a policy may be lost: if the configuration is not used because others can change it,
 * while a damaged one lies beside it, or if a link to it leads nowhere.
 */
export function refuseLostPolicy(
  system: Pick<System, 'env' | 'platform' | 'homeDirectory' | 'cwd' | 'user' | 'accountHome'>,
): void {
  let path: string;
  try {
    path = configPath(configDirectory(system));
    readConfigText(path, system);
  } catch (error) {
    // Other errors end the command unless it needs no configuration.
    if (!(error instanceof UntrustedConfig)) return;
    const message = `${error.message} It may have a policy, so nothing is sent.`;
    throw new UsageError(message, { ...error.details, cause: error });
  }
  const damaged = setAside(path);
  if (damaged.length > 0) {
    throw new UsageError(
      `The configuration was damaged and set aside as ${damaged.join(', ')}. It may have had a policy, so nothing is sent.`,
      {
        hint: 'Look for a policy in that file, set it again with mailer policy set, then delete the file.',
      },
    );
  }
  const link = brokenLink(path);
  if (link === undefined) return;
  throw new UsageError(
    `${link} is a link whose target is missing. The configuration there may have a policy, so nothing is sent.`,
    { hint: 'Restore the target, or remove the link.' },
  );
}

/** Throws a `UsageError` if the configuration has rules that would not apply where they are. */
export function refuseStrayPolicy(config: Config, profile: string): void {
  const stray = strayRules(config);
  if (stray.length > 0) {
    throw new UsageError(
      `The configuration has rules outside the policy of a profile (${stray.map(visible).join(', ')}), so nothing is sent.`,
      { hint: 'Move them into "policy" in a profile, or into .mailer.json.' },
    );
  }
  const hint = otherProfiles(config, profile);
  const policies = Object.values(config.profiles).map(({ policy }) => policy);
  if (hint === undefined || policies.every((policy) => policy === undefined)) return;
  throw new UsageError(
    `The current profile "${visible(profile)}" does not exist. It may have had a policy, so nothing is sent.`,
    { hint },
  );
}

/**
 * Where a configuration edited by hand has the name of a policy or a rule, however it is written, or rules at any
 * depth under another name, such as a misspelt `polcy` or `profile`.
 */
function strayRules({ profiles, ...config }: Config): string[] {
  const inForm = (name: string) => name.toLowerCase().replaceAll(/[-_]/g, '');
  const names = new Set(['policy', ...ruleKeys].map(inForm));
  const hasRules = ([name, value]: [string, unknown]): boolean =>
    names.has(inForm(name)) || (value instanceof Object && Object.entries(value).some(hasRules));
  const among = (object: object, path: string) =>
    Object.entries(object)
      .filter(hasRules)
      .map(([name]) => path + name);
  const inProfiles = Object.entries(profiles).flatMap(([name, { policy: _, ...others }]) =>
    among(others, `profiles.${name}.`),
  );
  return [...among(config, ''), ...inProfiles];
}

/** The link on a path whose target is missing. */
function brokenLink(path: string): string | undefined {
  if (existsSync(path)) return undefined;
  if (linkAt(path) !== undefined) return path;
  return dirname(path) === path ? undefined : brokenLink(dirname(path));
}
