import type { Domain } from '../../../api/domain.ts';
import { countSeverities } from '../../../shared/check/summary.ts';
import { summaryInWords } from '../../check/show-check.ts';
import type { Context } from '../../command/context.ts';
import type { Column } from '../../output/result.ts';
import type { CheckedDomain } from './deep-shapes.ts';
import { checkSubjects } from './run-deep.ts';
import { subjectOf } from './subject.ts';

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
