import { DamagedError, type DmarcReport } from './report.ts';

/** The most records of one report. */
const mostRecords = 500_000;

/** What to do with an element of a report. */
export interface ReportElement {
  readonly opened?: (draft: Draft) => void;
  /** Gets the text of an element without children, without blanks around it. */
  readonly text?: (draft: Draft, text: string) => void;
  readonly closed?: (draft: Draft) => void;
  readonly children?: ReadonlyMap<string, ReportElement>;
}

type Mutable<Type> = { -readonly [Key in keyof Type]: Type[Key] };

type DraftRow = Mutable<
  Omit<DmarcReport['rows'][number], 'reasons' | 'signatures' | 'spfResults'>
> & {
  /** As written; empty if the record is. */
  countText: string;
  readonly reasons: string[];
  readonly signatures: Mutable<DmarcReport['rows'][number]['signatures'][number]>[];
  readonly spfResults: Mutable<DmarcReport['rows'][number]['spfResults'][number]>[];
};

/**
 * A report that is being read. Names are in lower case, which also makes them texts of their own: one that was cut from
 * the report would keep all of it in memory.
 */
export interface Draft {
  reporter: string;
  id: string;
  begin: string;
  end: string;
  domain: string;
  readonly policy: Mutable<DmarcReport['policy']>;
  readonly rows: DraftRow[];
}

export function emptyDraft(): Draft {
  const policy = { p: null, sp: null, np: null, pct: null, testing: null, discoveryMethod: null };
  return { reporter: '', id: '', begin: '', end: '', domain: '', policy, rows: [] };
}

function emptyRow(): DraftRow {
  return {
    sourceIp: '',
    count: 0,
    countText: '',
    headerFrom: '',
    envelopeFrom: '',
    dkim: '',
    spf: '',
    disposition: '',
    reasons: [],
    signatures: [],
    spfResults: [],
  };
}

function parent(
  children: Readonly<Record<string, ReportElement>>,
  rest: ReportElement = {},
): ReportElement {
  return { ...rest, children: new Map(Object.entries(children)) };
}

function leaf(text: (draft: Draft, text: string) => void): ReportElement {
  return { text };
}

/** A text of the record that is being read. */
function ofRow(set: (row: DraftRow, text: string) => void): ReportElement {
  return leaf((draft, text) => {
    const row = draft.rows.at(-1);
    if (row !== undefined) set(row, text);
  });
}

function policyTag(tag: keyof DmarcReport['policy']): ReportElement {
  return leaf((draft, text) => {
    draft.policy[tag] = text === '' ? null : text.toLowerCase();
  });
}

const identifiers = parent({
  header_from: ofRow((row, text) => {
    row.headerFrom = domainName(text);
  }),
  envelope_from: ofRow((row, text) => {
    row.envelopeFrom = domainName(text);
  }),
});

/** The root of a report, with the elements that are of interest. */
export const feedback: ReportElement = parent({
  report_metadata: parent({
    org_name: leaf((draft, text) => {
      draft.reporter = text;
    }),
    report_id: leaf((draft, text) => {
      draft.id = text;
    }),
    date_range: parent({
      begin: leaf((draft, text) => {
        draft.begin = text;
      }),
      end: leaf((draft, text) => {
        draft.end = text;
      }),
    }),
  }),
  policy_published: parent({
    domain: leaf((draft, text) => {
      draft.domain = domainName(text);
    }),
    p: policyTag('p'),
    sp: policyTag('sp'),
    np: policyTag('np'),
    pct: policyTag('pct'),
    testing: policyTag('testing'),
    discovery_method: policyTag('discoveryMethod'),
  }),
  record: parent(
    {
      row: parent({
        source_ip: ofRow((row, text) => {
          row.sourceIp = text.toLowerCase();
        }),
        count: ofRow((row, text) => {
          row.countText = text;
        }),
        policy_evaluated: parent({
          disposition: ofRow((row, text) => {
            row.disposition = text.toLowerCase();
          }),
          dkim: ofRow((row, text) => {
            row.dkim = text.toLowerCase();
          }),
          spf: ofRow((row, text) => {
            row.spf = text.toLowerCase();
          }),
          reason: parent({
            type: ofRow((row, text) => {
              if (text !== '') row.reasons.push(text.toLowerCase());
            }),
          }),
        }),
      }),
      identifiers,
      // As in drafts of the first schema.
      identities: identifiers,
      auth_results: parent({
        dkim: parent(
          {
            domain: ofRow((row, text) => {
              const signature = row.signatures.at(-1);
              if (signature !== undefined) signature.domain = domainName(text);
            }),
            selector: ofRow((row, text) => {
              const signature = row.signatures.at(-1);
              if (signature !== undefined) signature.selector = text.toLowerCase();
            }),
            result: ofRow((row, text) => {
              const signature = row.signatures.at(-1);
              if (signature !== undefined) signature.verdict = text.toLowerCase();
            }),
          },
          {
            opened: (draft) =>
              draft.rows.at(-1)?.signatures.push({ domain: '', selector: '', verdict: '' }),
          },
        ),
        spf: parent(
          {
            domain: ofRow((row, text) => {
              const spf = row.spfResults.at(-1);
              if (spf !== undefined) spf.domain = domainName(text);
            }),
            result: ofRow((row, text) => {
              const spf = row.spfResults.at(-1);
              if (spf !== undefined) spf.verdict = text.toLowerCase();
            }),
          },
          { opened: (draft) => draft.rows.at(-1)?.spfResults.push({ domain: '', verdict: '' }) },
        ),
      }),
    },
    {
      opened: (draft) => {
        if (draft.rows.push(emptyRow()) <= mostRecords) return;
        throw new DamagedError(`has more than ${mostRecords} records`);
      },
      closed: (draft) => {
        const row = draft.rows.at(-1);
        if (row === undefined) return;
        if (row.countText === '' && row.sourceIp === '') draft.rows.pop();
        else row.count = countOf(row.countText);
      },
    },
  ),
});

/** The finished report. Throws a `DamagedError` without what a report cannot do without. */
export function finishedReport({ begin, end, ...draft }: Draft): DmarcReport {
  const from = secondsOf(begin);
  if (from === undefined) throw new DamagedError('does not state its period');
  const domain = draft.domain || draft.rows.find((row) => row.headerFrom !== '')?.headerFrom;
  if (domain === undefined) throw new DamagedError('does not state its domain');
  const to = secondsOf(end) ?? from;
  return { ...draft, domain, begin: from, end: Math.max(from, to) };
}

/** Seconds since 1970, between 1973 and 2100. The example of RFC 9990 is of 1979. */
function secondsOf(text: string): number | undefined {
  const number = /^\d{9,10}(?:\.\d+)?$/.test(text) ? Math.trunc(Number(text)) : Number.NaN;
  return number >= 100_000_000 && number <= 4_102_444_800 ? number : undefined;
}

function countOf(text: string): number {
  if (/^\d{1,12}$/.test(text)) return Number(text);
  throw new DamagedError(`has a record whose count is ${JSON.stringify(text.slice(0, 20))}`);
}

/** Some receivers write whole addresses, and some a dot at the end. */
function domainName(text: string): string {
  const name = text.toLowerCase();
  return /[@.>]/.test(name.slice(-1)) || name.includes('@')
    ? name.slice(name.lastIndexOf('@') + 1).replace(/[.>]+$/, '')
    : name;
}
