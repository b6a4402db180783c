import type { Domain } from '../../../../api/domain.ts';
import type { MailerError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Column } from '../../../command-line/output/result.ts';
import { summaryInWords } from '../../../mail/check/show-check.ts';
import type { CheckedDomain } from './deep-shapes.ts';
import { mailOf } from './domain-mail.ts';
import { checkSubjects } from './run-deep.ts';
import { incompleteFailure, summaryOf } from './show-deep.ts';

/** Checks all domains at once. What they found is no error, but a look-up that failed is. */
export async function checkListed(
  context: Context,
  domains: readonly Domain[],
): Promise<{ rows: CheckedDomain[]; failure: MailerError | undefined }> {
  const subjects = domains.map((domain) => mailOf(domain.name, domain, {}));
  const { reports, findings } = await checkSubjects(context, subjects, {}, []);
  const rows = domains.map((domain, index) => {
    const own = reports.slice(index, index + 1);
    const found = findings.filter((one) => one.domain === own[0]?.domain);
    const { incomplete, summary } = summaryOf(own, found);
    const words = found.length === 0 ? [] : [summaryInWords(found)];
    const inWords = [...words, ...(incomplete ? ['unknown'] : [])].join(', ') || 'none';
    return { ...domain, findings: { ...summary, incomplete, summary: inWords } };
  });
  return { rows, failure: incompleteFailure(reports) };
}

/** The column of findings. */
export const findingsColumn: Column<CheckedDomain> = {
  field: 'findings.summary',
  header: 'Findings',
  cell: ({ findings }) => findings.summary,
};
