import type { Domain } from '../../../api/domain.ts';
import type { Severity } from '../../../shared/check/codes.ts';
import { countSeverities } from '../../../shared/check/summary.ts';
import { summaryInWords } from '../../check/show-check.ts';
import type { Context } from '../../command/context.ts';
import type { Column } from '../../output/result.ts';
import { checkSubjects } from './run-deep.ts';
import { subjectOf } from './subject.ts';

/** A domain with how many findings a deep check has, as in `--json`. */
export type CheckedDomain = Domain & {
  readonly findings: Readonly<Record<Severity, number>> & {
    /** In words: `1 error and 2 notes`, `none`; `unknown` if DNS gave no answer to a question. */
    readonly summary: string;
  };
};

/** Checks all domains at once. */
export async function checkListed(
  context: Context,
  domains: readonly Domain[],
): Promise<CheckedDomain[]> {
  const subjects = domains.map((domain) => subjectOf(domain.name, domain, {}));
  const { reports, findings } = await checkSubjects(context, subjects, {}, []);
  return domains.map((domain, index) => {
    const report = reports[index];
    const own = findings.filter((one) => one.domain === report?.domain);
    const unknown = (report?.failures.length ?? 0) > 0 ? ['unknown'] : [];
    const words = own.length === 0 ? [] : [summaryInWords(own)];
    const summary = [...words, ...unknown].join(', ') || 'none';
    return { ...domain, findings: { ...countSeverities(own), summary } };
  });
}

/** The column of findings. */
export const findingsColumn: Column<CheckedDomain> = {
  field: 'findings.summary',
  header: 'Findings',
  cell: ({ findings }) => findings.summary,
};
