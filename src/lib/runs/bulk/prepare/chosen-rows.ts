import { attempt } from '../../../../shared/attempt.ts';
import { UsageError, when } from '../../../base/errors.ts';
import { parseAddresses } from '../../../base/input/addresses.ts';
import { withOverflowCount } from '../../../base/text/quoted-names.ts';
import { visible } from '../../../base/text/visible.ts';
import type { InputRow, Rows } from '../../../people/rows/row.ts';
import { type Common, emailOfRow, recipientKey, recipientsInWords } from './email-of-row.ts';
import type { RowColumns } from './row-columns.ts';

/** The rows of an input that are sent, when an earlier run of it is retried. */
export interface ChosenRows {
  readonly numbers: ReadonlySet<number>;
  /** The recipients that rows had in earlier runs, as far as they are known. */
  readonly recipients: ReadonlyMap<number, string>;
  /** SHA-256 of the input of the earlier run. */
  readonly digest: string;
}

/** Rows that an error names. */
const maxNames = 10;

/**
 * The chosen ones of the rows of an input. Unless it `isSame` as before, throws a `UsageError` that names the rows that
 * are for others than before, or that are missing: numbers alone would lead to other people.
 */
export async function* onlyChosen(
  rows: Rows,
  { numbers, recipients }: ChosenRows,
  isSame: boolean,
  common: Common,
  columns: Pick<RowColumns, 'take'>,
): Rows {
  const wrong: string[] = [];
  const missing = new Set(isSame ? numbers : [...recipients.keys(), ...numbers]);
  for await (const row of rows) {
    missing.delete(row.number);
    if (!isSame) {
      const before = recipients.get(row.number);
      const now = before === undefined ? undefined : await recipientsNow(row, common);
      if (before !== undefined && keyOf(before) !== keyOf(now)) {
        wrong.push(`row ${row.number} was for ${before}, and is ${aboutNow(now)}`);
      }
    }
    if (numbers.has(row.number)) yield row;
    // What a column means shows in all rows.
    else columns.take(row);
  }
  wrong.push(...[...missing].map((row) => `row ${row} is missing`));
  if (wrong.length > 0) throw otherRows(wrong);
}

async function recipientsNow(row: InputRow, common: Common): Promise<string | undefined> {
  const email = emailOfRow(row, common);
  return await email.then(
    recipientsInWords,
    when(UsageError, () => undefined),
  );
}

/** The addresses in a text, for comparing; the text itself if it has none. */
function keyOf(recipients: string | undefined): string {
  if (recipients === undefined) return '';
  return attempt(() => recipientKey({ to: parseAddresses([recipients], 'to') }), recipients);
}

function aboutNow(now: string | undefined): string {
  return now === undefined ? 'invalid now' : `for ${now} now`;
}

function otherRows(wrong: readonly string[]): UsageError {
  const lines = withOverflowCount(wrong.slice(0, maxNames).map(visible), wrong.length);
  return new UsageError(['The file has changed since that run:', ...lines].join('\n  '), {
    hint: 'Nothing was sent. Rows are matched by their number and recipient, so keep their order, and correct recipients only in invalid rows. To give the file as it was, or a corrected copy: --file FILE',
  });
}
