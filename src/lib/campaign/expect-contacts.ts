import { PolicyError, UsageError } from '../errors.ts';
import { grouped } from '../text/quantity.ts';

/** How many contacts a campaign may go to, both ends included. */
export type ExpectedContacts = ReturnType<typeof parseExpected>;

/** The flag by which a campaign only starts if it goes to that many contacts. */
export const expectContactsFlag = [
  '--expect-contacts <n>',
  'start only if this many contacts of its book are subscribed, such as 240 or 200..300',
  parseExpected,
] as const;

function parseExpected(value: string) {
  const [, least = '', most = least] = /^(\d+)(?:\.\.(\d+))?$/.exec(value) ?? [];
  const expected = { least: Number(least), most: Number(most) };
  if (least === '' || !Number.isSafeInteger(expected.most) || expected.least > expected.most) {
    throw new UsageError(
      `--expect-contacts: "${value}" is neither a number nor a range such as 200..300`,
    );
  }
  return expected;
}

/** Throws a `PolicyError` unless the campaign goes to as many contacts as expected; an unknown number is undefined. */
export function assertExpected(
  { least, most }: ExpectedContacts,
  contacts: number | undefined,
  goesTo: string,
): void {
  if (contacts !== undefined && contacts >= least && contacts <= most) return;
  const expected = least === most ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
  const instead = contacts === undefined ? '' : `, not ${expected}`;
  throw new PolicyError(`--expect-contacts: the campaign would go to ${goesTo}${instead}.`, {
    hint: 'Nothing was started.',
  });
}
