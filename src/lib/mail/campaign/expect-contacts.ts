import { PolicyError } from '../../base/errors.ts';
import {
  type ExpectedCount,
  expectedCount,
  expectedInWords,
  isExpected,
} from '../../command-line/command/flags/expected-count.ts';

/** The flag by which a campaign only starts if it goes to that many contacts. */
export const expectContactsFlag = [
  '--expect-contacts <n>',
  'start only if this many contacts of its book are subscribed, such as 240 or 200..300',
  expectedCount('--expect-contacts'),
] as const;

/** Throws a `PolicyError` unless the campaign goes to as many contacts as expected; an unknown number is undefined. */
export function assertExpected(
  expected: ExpectedCount,
  contacts: number | undefined,
  goesTo: string,
): void {
  if (isExpected(expected, contacts)) return;
  const instead = contacts === undefined ? '' : `, not ${expectedInWords(expected)}`;
  throw new PolicyError(`--expect-contacts: the campaign would go to ${goesTo}${instead}.`, {
    hint: 'Nothing was started.',
  });
}
