import type { EmailFinding } from '../../shared/check/finding.ts';
import { countSeverities } from '../../shared/check/summary.ts';
import { WaitFailedError } from '../errors.ts';
import type { CellStyle } from '../output/cell-style.ts';
import { type Column, type ListResult, list, status } from '../output/result.ts';
import { quantity } from '../text/quantity.ts';
import { visible } from '../text/visible.ts';
import { type FailOn, fails } from './check-gate.ts';

/** The JSON of a check. */
export interface CheckReply {
  /** The file that was checked; null if flags gave the email. */
  readonly file: string | null;
  readonly kind: 'email' | 'campaign';
  /** Whether all findings are below the severity of `--fail-on`. */
  readonly ok: boolean;
  readonly summary: Readonly<Record<EmailFinding['severity'], number>>;
  readonly findings: readonly EmailFinding[];
}

interface Shown extends Pick<CheckReply, 'file' | 'kind' | 'findings'> {
  readonly failOn: FailOn;
  /** The part of the email that the file is: positions in it are positions in the file. */
  readonly filePart: EmailFinding['where'] | undefined;
}

/** Findings as a list: on a terminal, lines like those of compilers; in a pipe, rows. */
export function showCheck({ file, kind, findings, failOn, filePart }: Shown): ListResult {
  const failed = findings.some(({ severity }) => fails(severity, failOn));
  const summary = countSeverities(findings);
  const rest: Omit<CheckReply, 'findings'> = { file, kind, ok: !failed, summary };
  return list<EmailFinding>({
    pages: [{ rows: findings, rest }],
    rowsIn: 'findings',
    columns: findingColumns,
    id: ({ code }) => code,
    line: (finding, style) => findingLine(finding, style, nameOf(finding, file, filePart)),
    empty: 'The check found nothing.',
    note: () => (failed ? undefined : `${summaryInWords(findings)}.`),
    failure: failed
      ? new WaitFailedError(`The check found ${summaryInWords(findings)}.`)
      : undefined,
  });
}

/** A summary of findings: `2 errors, 3 warnings and 1 note`. */
export function summaryInWords(findings: readonly EmailFinding[]): string {
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
  const { severity, message, code, line, column, count } = finding;
  const place = line === undefined ? name : `${name}:${line}:${column}`;
  const many = count === 1 ? '' : ` (${count} places)`;
  return `${visible(place)}: ${paint(severity, style)}: ${visible(message)}${many} [${visible(code)}]`;
}

function nameOf(
  { where }: EmailFinding,
  file: string | null,
  filePart: string | undefined,
): string {
  return file !== null && where === filePart ? file : where;
}

function paint(severity: EmailFinding['severity'], style: CellStyle | undefined): string {
  if (style === undefined) return severity;
  const { red, magenta, bold } = style.palette;
  return { error: red, warning: magenta, info: bold }[severity](severity);
}

/** The columns of findings in a pipe. */
const findingColumns: readonly Column<EmailFinding>[] = [
  { field: 'severity', header: 'Severity', cell: (row) => status(row.severity) },
  { field: 'where', header: 'Where', cell: ({ where }) => where },
  { field: 'line', header: 'Line', cell: ({ line }) => line },
  { field: 'column', header: 'Column', cell: ({ column }) => column },
  { field: 'count', header: 'Count', cell: ({ count }) => count },
  { field: 'code', header: 'Code', cell: ({ code }) => code },
  { field: 'message', header: 'Message', cell: ({ message }) => message, flexible: true },
  { field: 'url', header: 'Url', cell: ({ url }) => url },
];
