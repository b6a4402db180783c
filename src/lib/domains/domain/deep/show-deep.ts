import type { Severity } from '../../../../shared/check/severity.ts';
import { countSeverities } from '../../../../shared/check/summary.ts';
import { type MailerError, UnavailableError, WaitFailedError } from '../../../base/errors.ts';
import { quantity } from '../../../base/text/quantity.ts';
import { visible } from '../../../base/text/visible.ts';
import { wrapped } from '../../../base/text/wrap.ts';
import type { CellStyle } from '../../../command-line/output/cell-style.ts';
import { type Column, type ListResult, list, status } from '../../../command-line/output/result.ts';
import { type FailOn, fails } from '../../../mail/check/check-gate.ts';
import { paintSeverity, summaryInWords } from '../../../mail/check/show-check.ts';
import { zoneFile } from '../formats/zone.ts';
import type { DeepReply, DomainFinding, DomainReport } from './deep-shapes.ts';
import { toWanted } from './finding.ts';
import { reportLines } from './report-lines.ts';

/** The result of a deep check, before it is shown. */
export interface DeepResult {
  readonly reports: readonly DomainReport[];
  readonly findings: readonly DomainFinding[];
  readonly failOn: FailOn;
}

/** The JSON of a deep check. */
export function deepReply(result: DeepResult): DeepReply {
  const { reports, findings } = result;
  const ok = deepFailure(result) === undefined;
  return { ok, ...summaryOf(reports, findings), domains: reports, findings };
}

/** How many findings there are of each severity. Where look-ups failed, there may be more, so that none is null. */
export function summaryOf(reports: readonly DomainReport[], findings: readonly DomainFinding[]) {
  const incomplete = reports.some(({ failures }) => failures.length > 0);
  const counts = countSeverities(findings);
  const known = (severity: Severity) => (incomplete ? counts[severity] || null : counts[severity]);
  const summary = { error: known('error'), warning: known('warning'), info: known('info') };
  return { incomplete, summary };
}

/** The reports and findings: on a terminal, a part for each domain, then a line for each finding; in a pipe, rows. */
export function showDeep(result: DeepResult): ListResult {
  const { reports, findings } = result;
  const failure = deepFailure(result);
  return list<DomainFinding>({
    pages: [{ rows: findings, rest: deepReply(result) }],
    rowsIn: 'findings',
    columns: deepColumns,
    id: ({ code }) => code,
    above: async (_, style, width) =>
      reports.flatMap((report, index) => [
        ...(index === 0 ? [] : ['']),
        ...reportLines(report, style).map((line) => wrapped(line, width)),
      ]),
    line: findingLines,
    empty: deepReply(result).incomplete ? '' : 'The check found nothing.',
    note: () => (failure === undefined ? `${summaryInWords(findings)}.` : undefined),
    failure,
  });
}

/** The error that a deep check ends with: what it found comes before what it could not find out. */
export function deepFailure({ reports, findings, failOn }: DeepResult): MailerError | undefined {
  const failures = reports.flatMap(({ failures }) => failures);
  if (findings.some(({ severity }) => fails(severity, failOn))) {
    const missing =
      failures.length === 0 ? '' : ` ${quantity(failures.length, 'DNS look-up')} failed.`;
    return new WaitFailedError(`The check found ${summaryInWords(findings)}.${missing}`);
  }
  return incompleteFailure(reports);
}

/** The error if look-ups failed. */
export function incompleteFailure(reports: readonly DomainReport[]): MailerError | undefined {
  const failures = reports.flatMap(({ failures }) => failures);
  const [first] = failures;
  if (first === undefined) return undefined;
  const others =
    failures.length === 1 ? '' : ` ${quantity(failures.length, 'look-up')} failed in all.`;
  return new UnavailableError(
    `The check is incomplete, because DNS gave no answer: ${first.question}: ${first.reason}${others}`,
  );
}

/**
 * A finding on a terminal: a line like those of compilers, what DNS has, and what to publish. Records are not wrapped, so
 * that they can be copied.
 */
export function findingLines(
  finding: DomainFinding,
  style: CellStyle | undefined,
  width = Number.POSITIVE_INFINITY,
): string {
  const { domain, severity, message, code, evidence } = finding;
  const head = `${visible(domain)}: ${paintSeverity(severity, style)}: ${visible(message)} [${code}]`;
  const asked = evidence.map(({ question, server, answer }) => {
    const values = answer.length === 0 ? 'nothing' : answer.map((one) => visible(one)).join(', ');
    return `  ${visible(question)}${server === null ? '' : ` at ${server}`}: ${values}`;
  });
  const publish = publishLines(finding).map((one) => `  publish: ${visible(one)}`);
  return [wrapped(head, width), ...asked, ...publish].join('\n');
}

/** The records to publish as lines of a zone file. */
function publishLines({ publish }: DomainFinding): string[] {
  return zoneFile(publish.map(toWanted)).split('\n').filter(Boolean);
}

/** The columns of findings in a pipe. */
export const deepColumns: readonly Column<DomainFinding>[] = [
  { field: 'domain', header: 'Domain' },
  { field: 'severity', header: 'Severity', cell: (row) => status(row.severity) },
  { field: 'code', header: 'Code' },
  { field: 'message', header: 'Message', flexible: true },
  {
    field: 'publish',
    header: 'Publish',
    computed: true,
    cell: (row) => publishLines(row),
    flexible: true,
  },
  { field: 'url', header: 'Url' },
];
