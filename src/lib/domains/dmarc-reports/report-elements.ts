import { DamagedError, type DmarcReport, type ReportRow, type Signature } from './report.ts';

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

/** What is filled in step by step. */
type Mutable<Value> = { -readonly [Key in keyof Value]: Mutable<Value[Key]> };

type DraftRow = Mutable<ReportRow> & {
  /** As written; empty if the record is. */
  countText: string;
};

/**
 * A report that is being read. Names are in lower case, which also makes them texts of their own: one that was cut from
 * the report would keep all of it in memory.
 */
export interface Draft extends Omit<Mutable<DmarcReport>, 'begin' | 'end' | 'rows'> {
  begin: string;
  end: string;
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

function inLowerCase(text: string): string {
  return text.toLowerCase();
}

function asWritten(text: string): string {
  return text;
}

function ofReport(name: Exclude<keyof Draft, 'policy' | 'rows'>, read = asWritten): ReportElement {
  return leaf((draft, text) => {
    draft[name] = read(text);
  });
}

function policyTag(tag: keyof DmarcReport['policy']): ReportElement {
  return leaf((draft, text) => {
    draft.policy[tag] = text === '' ? null : text.toLowerCase();
  });
}

/** A text of the record that is being read. */
function ofRow(
  name: Exclude<keyof DraftRow, 'count' | 'reasons' | 'signatures' | 'spfResults'>,
  read = inLowerCase,
): ReportElement {
  return leaf((draft, text) => {
    const row = draft.rows.at(-1);
    if (row !== undefined) row[name] = read(text);
  });
}

/** A text of the newest signature, or result of SPF, in that record. */
function ofResult(
  list: 'signatures' | 'spfResults',
  name: keyof Signature,
  read = inLowerCase,
): ReportElement {
  return leaf((draft, text) => {
    const result: Partial<Mutable<Signature>> | undefined = draft.rows.at(-1)?.[list].at(-1);
    if (result !== undefined) result[name] = read(text);
  });
}

const identifiers = parent({
  header_from: ofRow('headerFrom', domainName),
  envelope_from: ofRow('envelopeFrom', domainName),
});

/** The root of a report, with the elements that are of interest. */
export const feedback: ReportElement = parent({
  report_metadata: parent({
    org_name: ofReport('reporter'),
    report_id: ofReport('id'),
    date_range: parent({ begin: ofReport('begin'), end: ofReport('end') }),
  }),
  policy_published: parent({
    domain: ofReport('domain', domainName),
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
        source_ip: ofRow('sourceIp'),
        count: ofRow('countText', asWritten),
        policy_evaluated: parent({
          disposition: ofRow('disposition'),
          dkim: ofRow('dkim'),
          spf: ofRow('spf'),
          reason: parent({
            type: leaf((draft, text) => {
              if (text !== '') draft.rows.at(-1)?.reasons.push(text.toLowerCase());
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
            domain: ofResult('signatures', 'domain', domainName),
            selector: ofResult('signatures', 'selector'),
            result: ofResult('signatures', 'verdict'),
          },
          {
            opened: (draft) =>
              draft.rows.at(-1)?.signatures.push({ domain: '', selector: '', verdict: '' }),
          },
        ),
        spf: parent(
          {
            domain: ofResult('spfResults', 'domain', domainName),
            result: ofResult('spfResults', 'verdict'),
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
