import { type MailerError, toError } from '../../base/errors.ts';
import { type Column, type ListResult, list, prose, status } from '../output/result.ts';
import { type Check, firstFailed } from './check.ts';

/** The checks as a list, followed by remedies on a terminal; with `--quiet` only those that failed. */
export function showChecks(checks: readonly Check[], quiet: boolean): ListResult {
  const bad = checks.filter(({ state }) => state === 'FAILED');
  return list<Check>({
    pages: [{ rows: quiet ? bad : checks, rest: { ok: bad.length === 0 } }],
    rowsIn: 'checks',
    columns,
    id: ({ check }) => check,
    details: ({ check, state, detail, remedy }) =>
      remedy === null
        ? undefined
        : {
            title: `${check} ${state}`,
            lines: [
              ['Found', prose(detail)],
              ['Remedy', prose(remedy)],
            ],
          },
    empty: '',
    note: () => (bad.length === 0 ? verdict(checks) : []),
    failure: failureFrom(checks),
  });
}

/** The error for failed checks, with the code of the first: the others may be its consequence. */
function failureFrom(checks: readonly Check[]): MailerError | undefined {
  const { code } = firstFailed(checks) ?? {};
  return code ? toError({ code, message: verdict(checks) }) : undefined;
}

/** One sentence about all checks. */
function verdict(checks: readonly Check[]): string {
  const named = (state: Check['state']) =>
    checks.flatMap((one) => (one.state === state ? [one.check] : []));
  const [failures, warnings] = [named('FAILED'), named('WARNING')];
  if (failures.length === 0 && warnings.length === 0) return 'All checks passed.';
  const parts = [
    ...(failures.length === 0 ? [] : [`These checks failed: ${failures.join(', ')}.`]),
    ...(warnings.length === 0 ? [] : [`Warnings: ${warnings.join(', ')}.`]),
  ];
  return parts.join(' ');
}

const columns: readonly Column<Check>[] = [
  { field: 'check', header: 'Check' },
  { field: 'state', header: 'State', cell: ({ state }) => status(state) },
  { field: 'detail', header: 'Found', flexible: true },
  { field: 'remedy', header: 'Remedy', inDetails: true },
  { field: 'code', header: 'Code', inDetails: true },
];
