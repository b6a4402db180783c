import { UsageError } from '../errors.ts';
import { oneAddress, parseAddresses } from '../input/addresses.ts';
import { parseDuration } from '../input/duration.ts';
import { parseInteger } from '../input/numbers.ts';
import { assertTimeZone } from '../input/time-zone.ts';
import { visible } from '../text/visible.ts';
import type { SettingName } from './setting-names.ts';

/** Values of the setting `output`: `auto` is a table, or tab-separated lines if piped. */
const outputs = ['auto', 'json'];

/** The value to store for the setting `name`. Throws a `UsageError` if it is invalid. */
export function checkSetting(name: SettingName, value: string): string {
  const trimmed = value.trim();
  if (trimmed === '') {
    throw new UsageError(`${name}: a value is missing`, {
      hint: `To remove the setting: mailer config unset ${name}`,
    });
  }
  checks[name](trimmed);
  return trimmed;
}

const checks: Readonly<Record<SettingName, (value: string) => unknown>> = {
  from: (value) => oneAddress(value, 'from'),
  'reply-to': (value) => parseAddresses([value], 'reply-to'),
  timezone: (value) => assertTimeZone(value, 'timezone'),
  output: oneOfOutputs,
  timeout: parseDuration('timeout'),
  'local-mail-to': (value) => parseAddresses([value], 'local-mail-to'),
  retries: parseInteger('retries', { min: 0 }),
};

function oneOfOutputs(value: string): void {
  if (outputs.includes(value)) return;
  throw new UsageError(`output: "${visible(value)}" is not one of ${outputs.join(', ')}`);
}
