import { UsageError } from '../errors.ts';
import { visible } from '../text/visible.ts';

/** `name`, when it is a time zone that this machine knows; throws `UsageError` otherwise. */
export function assertTimeZone(name: string, flag: string): string {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name;
  } catch (cause) {
    throw new UsageError(`${flag}: "${visible(name)}" is not a time zone`, {
      hint: 'Use an IANA name, such as Europe/Berlin, America/New_York or UTC.',
      cause,
    });
  }
}
