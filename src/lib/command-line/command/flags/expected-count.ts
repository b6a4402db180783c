import { UsageError } from '../../../base/errors.ts';
import { grouped } from '../../../base/text/quantity.ts';

/** How many there may be, both ends included. */
export interface ExpectedCount {
  readonly least: number;
  readonly most: number;
}

/** Makes what reads the value of a flag such as `--expect-contacts`: a number, or a range such as `200..300`. */
export function expectedCount(flag: `--${string}`): (value: string) => ExpectedCount {
  return (value) => {
    const [, least = '', most = least] = /^(\d+)(?:\.\.(\d+))?$/.exec(value) ?? [];
    const expected = { least: Number(least), most: Number(most) };
    if (least === '' || !Number.isSafeInteger(expected.most) || expected.least > expected.most) {
      throw new UsageError(`${flag}: "${value}" is neither a number nor a range such as 200..300`);
    }
    return expected;
  };
}

/** Whether a number is as expected; one that is not known is not. */
export function isExpected({ least, most }: ExpectedCount, count: number | undefined): boolean {
  return count !== undefined && count >= least && count <= most;
}

/** The expected number in words: `200 to 300`. */
export function expectedInWords({ least, most }: ExpectedCount): string {
  return least === most ? grouped(least) : `${grouped(least)} to ${grouped(most)}`;
}
