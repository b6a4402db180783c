import type { EmailFinding } from '../../../shared/check/finding.ts';
import { countSeverities, type Judged } from '../../../shared/check/summary.ts';
import { canUnsubscribe } from '../../../shared/placeholders.ts';
import { WaitFailedError } from '../../base/errors.ts';
import { quantity } from '../../base/text/quantity.ts';
import { visible } from '../../base/text/visible.ts';
import type { CellStyle } from '../../command-line/output/cell-style.ts';
import { type Column, type ListResult, list, status } from '../../command-line/output/result.ts';
import { type FailOn, fails } from './check-gate.ts';
import type { CheckReply, SkippedFile } from './check-shapes.ts';

/** A file that was checked. */
export interface CheckedFile extends Pick<CheckReply, 'kind' | 'findings'> {
  readonly file: string | null;
  /** The parts of the email that the file is: findings about them are about the file. */
  readonly partsOfFile: ReadonlySet<EmailFinding['where']>;
  /** Whether findings may be about other files, such as a layout. */
  readonly hasOtherFiles?: boolean;
}

/** Findings as a list: on a terminal, lines like those of compilers; in a pipe, rows. */
export function showCheck(checked: CheckedFile, failOn: FailOn, rows?: number): ListResult {
  const { file, kind, partsOfFile } = checked;
  const findings = checked.findings.map((one) => (one.file === file ? withoutFile(one) : one));
  const ofAll = outcomeOf(findings, failOn);
  const isOfFile = ({ where }: EmailFinding) => file !== null && partsOfFile.has(where);
  return shown(findings, ofAll, {
    rest: { file, kind, ...ofAll, ...(rows === undefined ? {} : { rows }) },
    nameOf: (one) => one.file ?? (isOfFile(one) ? (file ?? '') : one.where),
    columns: findingColumns.filter(
      ({ field }) =>
        (field !== 'file' || checked.hasOtherFiles === true) &&
        (field !== 'emails' || rows !== undefined),
    ),
  });
}

/** The same for several files. Findings about a file that several use, such as a layout, are shown once. */
export function showCheckedFiles(
  checked: readonly CheckedFile[],
  skipped: readonly SkippedFile[],
  failOn: FailOn,
): ListResult {
  const names = new Map<EmailFinding, string>();
  const seen = new Set<string>();
  const findings = checked.flatMap(({ file, partsOfFile, findings: all }) =>
    all.flatMap((one) => {
      const finding = { ...one, file: one.file ?? file ?? '' };
      const id = JSON.stringify([finding.file, one.line, one.column, one.code, one.message]);
      if (one.file !== undefined && one.file !== file && seen.has(id)) return [];
      seen.add(id);
      const isOfFile = one.file !== undefined || partsOfFile.has(one.where);
      names.set(finding, isOfFile ? finding.file : `${finding.file}: ${one.where}`);
      return [finding];
    }),
  );
  const ofAll = outcomeOf(findings, failOn);
  const files = checked.map(({ file, kind, findings: all }) => ({
    ...{ file, kind, ...outcomeOf(all, failOn) },
  }));
  return shown(findings, ofAll, {
    rest: { files, skipped, ...ofAll },
    nameOf: (one) => names.get(one) ?? '',
    columns: findingColumns.filter(({ field }) => field !== 'emails'),
  });
}

function withoutFile({ file, ...rest }: EmailFinding): EmailFinding {
  return rest;
}

function outcomeOf(
  findings: readonly EmailFinding[],
  failOn: FailOn,
): Pick<CheckReply, 'ok' | 'summary'> {
  const failed = findings.some(({ severity }) => fails(severity, failOn));
  return { ok: !failed, summary: countSeverities(findings) };
}

interface Layout {
  readonly rest: object;
  readonly nameOf: (finding: EmailFinding) => string;
  readonly columns: readonly Column<EmailFinding>[];
}

function shown(
  findings: readonly EmailFinding[],
  { ok }: Pick<CheckReply, 'ok'>,
  { rest, nameOf, columns }: Layout,
): ListResult {
  return list<EmailFinding>({
    pages: [{ rows: findings, rest }],
    rowsIn: 'findings',
    columns,
    id: ({ code }) => code,
    line: (finding, style) => findingLine(finding, style, nameOf(finding)),
    empty: 'The check found nothing.',
    note: () => (ok ? `${summaryInWords(findings)}.` : undefined),
    failure: ok
      ? undefined
      : new WaitFailedError(`The check found ${summaryInWords(findings)}.`, {
          hint: isOfCampaign(findings) ? 'If this is for a campaign: --campaign' : undefined,
        }),
  });
}

/** Whether an email has a link that only campaigns fill in. */
function isOfCampaign(findings: readonly EmailFinding[]): boolean {
  return findings.some(({ code, message }) => code === 'placeholder' && canUnsubscribe(message));
}

/** A summary of findings: `2 errors, 3 warnings and 1 note`. */
export function summaryInWords(findings: readonly Pick<Judged, 'severity'>[]): string {
  const { error, warning, info } = countSeverities(findings);
  const parts = [
    ...(error === 0 ? [] : [quantity(error, 'error')]),
    ...(warning === 0 ? [] : [quantity(warning, 'warning')]),
    ...(info === 0 ? [] : [quantity(info, 'note')]),
  ];
  return new Intl.ListFormat('en').format(parts);
}

/** A finding on one line: `page.html:4:39: warning: … [contrast]`. */
export function findingLine(
  finding: EmailFinding,
  style: CellStyle | undefined,
  name: string,
): string {
  const { severity, message, code, line, column, count, emails, rows } = finding;
  const place = [name, line ?? [], column ?? []].flat().join(':');
  const many =
    emails === undefined
      ? count === 1
        ? ''
        : ` (${count} places)`
      : ` (${rowsInWords(emails, rows)})`;
  return `${visible(place)}: ${paintSeverity(severity, style)}: ${visible(message)}${many} [${visible(code)}]`;
}

/** Rows with the same finding: `row 3`, `1,000 rows: 1, 2, 3, …`. */
function rowsInWords(emails: number, rows: readonly number[] = []): string {
  if (emails === 1) return `row ${rows.join(', ')}`;
  const more = emails > rows.length ? ', …' : '';
  return `${quantity(emails, 'row')}: ${rows.join(', ')}${more}`;
}

/** The word for a severity, in its colour. */
export function paintSeverity(
  severity: EmailFinding['severity'],
  style: CellStyle | undefined,
): string {
  if (style === undefined) return severity;
  const { red, magenta, bold } = style.palette;
  return { error: red, warning: magenta, info: bold }[severity](severity);
}

/** The columns of findings in a pipe. */
const findingColumns: readonly Column<EmailFinding>[] = [
  { field: 'file', header: 'File' },
  { field: 'severity', header: 'Severity', cell: (row) => status(row.severity) },
  { field: 'where', header: 'Where' },
  { field: 'line', header: 'Line' },
  { field: 'column', header: 'Column' },
  { field: 'count', header: 'Count' },
  { field: 'emails', header: 'Emails' },
  { field: 'code', header: 'Code' },
  { field: 'message', header: 'Message', flexible: true },
  { field: 'url', header: 'Url' },
];
