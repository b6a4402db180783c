import { UsageError } from '../../base/errors.ts';
import { oneAddress, parseAddresses } from '../../base/input/addresses.ts';
import { parseChoice } from '../../base/input/choice.ts';
import { parseDuration } from '../../base/input/duration.ts';
import { parseInteger } from '../../base/input/numbers.ts';
import { assertTimeZone } from '../../base/input/time-zone.ts';
import type { SettingName } from './setting-names.ts';

/** The value to store for the setting `name`. Throws a `UsageError` if it is invalid. */
export function checkSetting(name: SettingName, value: string): string {
  const trimmed = value.trim();
  if (trimmed === '') {
    throw new UsageError(`${name}: a value is missing`, {
      hint: `To remove the setting: mailer config unset ${name}`,
    });
  }
  checks[name](trimmed);
  return name === 'output' ? trimmed.toLowerCase() : trimmed;
}

const checks: Readonly<Record<SettingName, (value: string) => unknown>> = {
  from: (value) => oneAddress(value, 'from'),
  'reply-to': (value) => parseAddresses([value], 'reply-to'),
  timezone: (value) => assertTimeZone(value, 'timezone'),
  // `auto` is a table, or tab-separated lines if piped.
  output: parseChoice('output', ['auto', 'json']),
  timeout: parseDuration('timeout'),
  'local-mail-to': (value) => parseAddresses([value], 'local-mail-to'),
  retries: parseInteger('retries', { min: 0 }),
  log: parseChoice('log', ['on', 'off']),
};
