import { basename } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { asMeant, isAddressName } from '../../base/text/column-names.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { shortened } from '../../base/text/shortened.ts';
import type { InputRow } from '../rows/row.ts';
import { consentValue, mentionsRefusal, plain } from './cell.ts';
import { anyOf } from './column-name.ts';
import { suppressedFiles } from './words.ts';

/** A row of no person that may say who those below it are. */
interface Heading {
  readonly row: number;
  readonly texts: readonly string[];
  readonly isHeader: boolean;
}

/** Finds the header of another file between rows, and lines such as "Unsubscribed since 2024". */
export function createHeadings() {
  let last: Heading | undefined;
  let doubtful: Heading | undefined;
  return {
    /** Takes a row; whether it is of no person, so that its cells say nothing. */
    take(row: InputRow): boolean {
      const address = addressOf(row);
      const texts = address?.includes('@') === true ? undefined : textsOf(row);
      if (texts === undefined || texts.some((text) => text.includes('@'))) {
        doubtful ??= last;
        return false;
      }
      const isHeader = isNamesOfColumns(row, texts, address);
      const [text = ''] = address === undefined ? texts : [address];
      const isTitle = address !== undefined || texts.length === 1;
      const isHeading = isHeader || (isTitle && saysNo(text));
      if (isHeading && !(isHeader && isSameHeader(row))) {
        last = { row: row.number, texts: isHeader ? texts : [text], isHeader };
      }
      return isHeading;
    },
    /** Throws a `UsageError` if people stand below such a row. */
    refuse(file: string): void {
      if (doubtful === undefined) return;
      const { row, texts, isHeader } = doubtful;
      const what = isHeader
        ? 'is another header, so cells below it may mean something else'
        : 'is not a person, and may say that the people below it want no email';
      throw new UsageError(
        `${file}: row ${row} ${what}: ${quotedNames(texts.slice(0, 6).map((text) => shortened(text, 80)))}`,
        {
          hint: `Nothing was sent. Put the rows below it into a file of their own${isHeader ? ', under this header' : '; if the row says nothing about them, remove it'}.`,
        },
      );
    },
  };
}

function addressOf(row: InputRow): string | undefined {
  if ('problem' in row) return undefined;
  const address = row.fields.email ?? row.fields.to;
  return typeof address === 'string' ? address : undefined;
}

function textsOf(row: InputRow): readonly string[] {
  if ('problem' in row) return row.texts ?? [];
  const cells = row.scope();
  return row.columns.flatMap((name) => (cells[name] === undefined ? [] : String(cells[name])));
}

/** Whether a row has names of columns where others have an address. */
function isNamesOfColumns(
  row: InputRow,
  texts: readonly string[],
  address: string | undefined,
): boolean {
  if (!texts.some(isAddressName)) return false;
  if ('problem' in row || (address !== undefined && isAddressName(address))) return true;
  const names = row.columns.map(asMeant);
  return address !== undefined && texts.filter((text) => names.includes(asMeant(text))).length > 1;
}

/** Whether the names of a row are those of the columns above. */
function isSameHeader(row: InputRow): boolean {
  if ('problem' in row) return false;
  const cells = row.scope();
  return row.columns.every((name) => asMeant(name) === asMeant(String(cells[name] ?? name)));
}

/** Whether a title, such as of a file, says that its people do not want email, or are gone. */
function saysNo(text: string): boolean {
  return (
    suppressedIn(text) !== undefined ||
    mentionsRefusal(text) ||
    ['no', 'inactive', 'ended'].includes(consentValue(text))
  );
}

const suppressed = anyOf(suppressedFiles);
/** Words that turn such a name into its contrary: `customers-without-bounces.csv`. */
const negation =
  /\b(not|non|no|without|minus|except|excl\w*|removed|ohne|nicht|sans|sin|senza|zonder)\b/;

/** The word by which a title says that its people do not want email. */
function suppressedIn(title: string): string | undefined {
  const words = plain(title).replace(/[^\p{L}]+/gu, ' ');
  const [word] = suppressed.exec(words) ?? [];
  return word === undefined || negation.test(words.replace(word, '')) ? undefined : word;
}

/**
 * Throws a `UsageError` if the name of a file says that its people do not want email, and no column of it says who
 * does.
 */
export function refuseSuppressed(file: string): void {
  const word = suppressedIn(basename(file).replace(/\.[a-z]+(\.gz)?$/i, ''));
  if (word === undefined) return;
  throw new UsageError(
    `${file}: by its name, these people may not want email (${JSON.stringify(word)}), and no column says who does.`,
    {
      hint: [
        'Nothing was sent.',
        'If they do not want email: --map unsubscribed=COLUMN, for a column that has yes or a date in each row.',
        'If the name means something else: --ignore-file-name',
      ].join('\n'),
    },
  );
}
