import { NotFoundError } from '../../base/errors.ts';
import { visible } from '../../base/text/visible.ts';

/** Settings a profile may hold; names as typed in `mailer config set`. */
export const settingNames = [
  'from',
  'reply-to',
  'timezone',
  'output',
  'timeout',
  'retries',
  'local-mail-to',
  'log',
] as const;

export type SettingName = (typeof settingNames)[number];

/** Returns `name` if it is a setting; otherwise throws a `NotFoundError` that lists them. */
export function checkSettingName(name: string): SettingName {
  const known = settingNames.find((candidate) => candidate === name);
  if (known !== undefined) return known;
  throw new NotFoundError(`There is no setting "${visible(name)}".`, {
    hint: `Settings: ${settingNames.join(', ')}`,
  });
}
