import { UsageError } from '../../base/errors.ts';
import { asMeant } from '../../base/text/column-names.ts';
import { quotedNames } from '../../base/text/quoted-names.ts';
import { consentValue } from '../consent/cell.ts';
import { meaningOfName } from '../consent/column-name.ts';
import { meaningIn, rules } from '../consent/rules.ts';

/**
 * Sees the rows of people who are to be unsubscribed together, each with its cells by the names of their columns: one that
 * says of some of them that they want no email, and not of others, was perhaps forgotten.
 */
export function createTogether() {
  const columns = new Set<string>();
  let isNo = false;
  let isOther = false;
  return {
    see(cells: Readonly<Record<string, string>>): void {
      let saysNo = false;
      let saysOther = false;
      for (const [name, cell] of Object.entries(cells)) {
        // In what this program lists, it is whether they are subscribed until now.
        const kind = asMeant(name) === 'subscribed' ? undefined : meaningOfName(name);
        if (kind === undefined || rules[kind].reads === 'none') continue;
        const value = consentValue(cell);
        const said = value === 'active' ? 'yes' : meaningIn(kind, value);
        if (said === 'yes' || said === 'no') columns.add(name);
        saysNo ||= said === 'no';
        saysOther ||= said === 'yes' || rules[kind].reads === 'inverted';
      }
      isNo ||= saysNo;
      isOther ||= saysOther && !saysNo;
    },
    /** Throws a `UsageError` if some want no email, and others do. */
    refuse(): void {
      if (!(isNo && isOther)) return;
      throw new UsageError(
        `stdin: ${quotedNames([...columns])} ${columns.size === 1 ? 'says' : 'say'} that only some of these people want no email`,
        {
          hint: 'Nothing was changed. Leave out the others. If all are meant, give only the column of addresses.',
        },
      );
    },
  };
}
