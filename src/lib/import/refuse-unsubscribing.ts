import type { ConsentColumn } from '../consent/consent.ts';
import { UsageError } from '../errors.ts';
import { quantity } from '../text/quantity.ts';
import { withMore } from '../text/quoted-names.ts';
import { type ShellSystem, shellQuote } from '../text/shell-quote.ts';
import type { ComparedRows } from './compare.ts';

/**
 * Throws a `UsageError` if contacts that are subscribed in the book would be unsubscribed because of columns whose
 * meaning only their names tell: an import cannot undo that.
 */
export function refuseUnsubscribing(
  { count, rows }: ComparedRows['perhapsToUnsubscribe'],
  columns: readonly ConsentColumn[],
  system: ShellSystem,
): void {
  if (count === 0) return;
  const perhaps = columns.filter((one) => !one.isStated && one.no > 0);
  const names = perhaps.map(({ name }) => JSON.stringify(name)).join(' and ');
  const flags = perhaps.map(({ name, isInverted }) =>
    shellQuote(['--map', `${isInverted ? 'unsubscribed' : 'subscribed'}=${name}`], system),
  );
  const ignore = perhaps.map(({ name }) => shellQuote(['--ignore-column', name], system));
  const those = withMore(rows.map(String), count).join(', ');
  throw new UsageError(
    `${quantity(count, 'contact')} in the book would be unsubscribed because of ${names}, and an import cannot undo that: ${rows.length === 1 ? 'row' : 'rows'} ${those}.`,
    {
      hint: `Nothing was sent. To unsubscribe them: ${flags.join(' ')}\nTo leave them subscribed: ${ignore.join(' ')}`,
    },
  );
}
