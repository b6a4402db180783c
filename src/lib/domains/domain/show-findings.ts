import { type MailerError, UnavailableError, WaitFailedError } from '../../base/errors.ts';
import {
  type Column,
  type LabelledCell,
  type ListResult,
  list,
  status,
} from '../../command-line/output/result.ts';
import type { Finding, Findings } from './findings-shapes.ts';

/** The findings as a list of records, with full details of those that are not as expected. */
export function showFindings(findings: Findings): ListResult {
  const { records, ok } = findings;
  return list<Finding>({
    pages: [{ rows: records, rest: findings }],
    rowsIn: 'records',
    columns: findingColumns,
    id: ({ fqdn, status }) => (isCertain(status) ? fqdn : undefined),
    details: (finding) =>
      finding.status === 'ok'
        ? undefined
        : { title: `${finding.type} ${finding.fqdn}`, lines: difference(finding) },
    empty: '',
    note: () => [...(ok ? [verdict(findings)] : []), ...aboutServers(findings)],
    failure: failureOf(findings),
  });
}

/** The error that a check ends with: what is certainly wrong comes before what could not be looked up. */
function failureOf(findings: Findings): MailerError | undefined {
  if (findings.ok) return undefined;
  const isWrong = findings.records.some(({ required, status }) => required && isCertain(status));
  return new (isWrong ? WaitFailedError : UnavailableError)(verdict(findings));
}

/** Whether a record is certainly not as it should be. */
function isCertain(status: Finding['status']): boolean {
  return status === 'missing' || status === 'wrong';
}

/** The expected and the found value, and the problem. */
function difference({ expected, found, problem }: Finding): LabelledCell[] {
  return [
    ['Expected', expected],
    ['Found', foundInWords(found)],
    ['Problem', problem],
  ];
}

function foundInWords(found: readonly string[]): string {
  return found.length === 0 ? 'nothing' : found.join('\n');
}

/** One sentence about all records. */
export function verdict({ records }: Findings): string {
  const required = records.filter((one) => one.required);
  const bad = required.filter((one) => one.status !== 'ok');
  if (bad.length === 0) return 'All required records are correct.';
  if (records.every((one) => one.status === 'unknown')) {
    return 'DNS could not be queried, so the published records are unknown.';
  }
  const states = (['missing', 'wrong', 'unknown'] as const).flatMap((state) => {
    const count = bad.filter((one) => one.status === state).length;
    return count === 0
      ? []
      : [`${count} ${state === 'unknown' ? 'could not be looked up' : state}`];
  });
  const noun = required.length === 1 ? 'record' : 'records';
  return `Of ${required.length} required ${noun}: ${states.join(', ')}.`;
}

/** Says which servers were asked, and how reliable they are. */
function aboutServers({ resolvers }: Findings): string[] {
  return resolvers.map(({ source, zone, servers }) => {
    const named = servers.join(', ');
    return {
      sandbox: 'Asked: the DNS of the sandbox.',
      given: `Asked: ${named}.`,
      authoritative: `Asked: the name servers of ${zone} (${named}).`,
      system: `Asked: the resolver of this system (${named}), because the domain's own name servers cannot be reached; its results may be cached.`,
    }[source];
  });
}

/** What DNS has for each record. On a terminal, `details` show the expected and found values in full. */
export const findingColumns: readonly Column<Finding>[] = [
  { field: 'type', header: 'Type' },
  { field: 'fqdn', header: 'Name', flexible: true },
  { field: 'status', header: 'Status', cell: (row) => status(row.status) },
  {
    field: 'required',
    header: 'Needed',
    inWords: true,
    cell: ({ required }) => (required ? 'required' : 'recommended'),
  },
  { field: 'expected', header: 'Expected', inDetails: true },
  {
    field: 'found',
    header: 'Found',
    cell: ({ found }) => foundInWords(found),
    inDetails: true,
  },
  { field: 'problem', header: 'Problem', inDetails: true },
];
