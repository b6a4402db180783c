import { share } from '../../base/text/percent.ts';
import { grouped } from '../../base/text/quantity.ts';
import type { Column } from '../../command-line/output/result.ts';
import type { Grouping } from './flags.ts';
import type { ReportGroup } from './report-shapes.ts';

/** The fewest columns of a terminal that has room for all. */
const wide = 100;

/** The columns of a table of groups. A terminal shows those that tell something and fit, pipes all. */
export function columnsFor(by: Grouping, terminalWidth = wide): readonly Column<ReportGroup>[] {
  const isNarrow = terminalWidth < wide && by === 'source';
  return [
    { field: 'domain', header: 'Domain', inDetails: true },
    ...keys[by],
    {
      field: 'messages',
      header: 'Messages',
      cell: ({ messages }) => grouped(messages),
      inWords: true,
    },
    part('aligned', 'Aligned'),
    part('dkimAligned', 'DKIM'),
    part('spfAligned', 'SPF'),
    inPipes(part('quarantined', 'Quarantined')),
    inPipes(part('rejected', 'Rejected')),
    { field: 'applied', header: 'Applied', flexible: true },
    {
      field: 'reasons',
      header: 'Reasons',
      flexible: true,
      onlyFor: ({ reasons }) => !isNarrow && reasons.length > 0,
    },
    {
      field: 'headerFrom',
      header: 'From',
      cell: ({ headerFrom, domain }) => headerFrom.filter((one) => one !== domain),
      flexible: true,
      inWords: true,
      onlyFor: ({ headerFrom, domain }) =>
        by === 'source' && !isNarrow && headerFrom.some((one) => one !== domain),
    },
    inPipes({ field: 'envelopeFrom', header: 'Envelope', cell: (row) => row.envelopeFrom }),
    {
      field: 'signedBy',
      header: 'Signed by',
      cell: ({ signedBy }) => [...new Set(signedBy.map(domainOf))],
      flexible: true,
      inWords: true,
      onlyFor: ({ signedBy }) => by !== 'selector' && signedBy.length > 0,
    },
    inPipes({ field: 'spfDomains', header: 'SPF domains', cell: (row) => row.spfDomains }),
    inPipes({ field: 'firstDay', header: 'First' }),
    inPipes({ field: 'lastDay', header: 'Last' }),
  ];
}

const origin: Column<ReportGroup> = {
  field: 'origin',
  header: 'Origin',
  cell: (row) => row.origin,
  onlyFor: (row) => row.origin !== 'unknown',
};

/** What names a row. */
const keys: Readonly<Record<Grouping, readonly Column<ReportGroup>[]>> = {
  source: [{ field: 'source', header: 'Source', folds: true }, origin],
  selector: [
    {
      field: 'selector',
      header: 'Selector',
      cell: ({ selector }) => selector || '(none)',
      inWords: true,
    },
    { field: 'signer', header: 'Signer', flexible: true },
    origin,
  ],
  day: [{ field: 'day', header: 'Day' }],
};

/** A number of messages, for people as the share of all. */
function part(
  field: 'aligned' | 'dkimAligned' | 'spfAligned' | 'quarantined' | 'rejected',
  header: string,
): Column<ReportGroup> {
  return { field, header, cell: (row) => share(row[field], row.messages), inWords: true };
}

function inPipes(column: Column<ReportGroup>): Column<ReportGroup> {
  return { ...column, onlyFor: () => false };
}

/** The domain in the name of a DKIM key. */
function domainOf(key: string): string {
  return key.slice(key.lastIndexOf('._domainkey.') + 1).replace(/^_domainkey\./, '');
}
