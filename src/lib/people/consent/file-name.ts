import { basename } from 'node:path';
import { UsageError } from '../../base/errors.ts';
import { plain } from './cell.ts';
import { anyOf } from './column-name.ts';
import { suppressedFiles } from './words.ts';

const suppressed = anyOf(suppressedFiles);
/** Words that turn such a name into its contrary: `customers-without-bounces.csv`. */
const negation =
  /\b(not|non|no|without|minus|except|excl\w*|removed|ohne|nicht|sans|sin|senza|zonder)\b/;

/**
 * Throws a `UsageError` if the name of a file says that its people do not want email, and no column of it says who
 * does.
 */
export function refuseSuppressed(file: string): void {
  const words = plain(basename(file).replace(/\.[a-z]+(\.gz)?$/i, '')).replace(/[^\p{L}]+/gu, ' ');
  const [word] = suppressed.exec(words) ?? [];
  if (word === undefined || negation.test(words.replace(word, ''))) return;
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
