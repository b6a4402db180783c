import type { Domain } from '../../../../api/domain.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { type RecordResult, section } from '../../../command-line/output/result.ts';
import type { DomainFinding } from './deep-shapes.ts';
import { mailOf } from './domain-mail.ts';
import { checkSubjects } from './run-deep.ts';
import { deepColumns, deepFailure, deepReply } from './show-deep.ts';

/** The result of a verification that has succeeded, with a deep check of the domain; its failure is that of the check. */
export async function withDeepCheck(
  context: Context,
  verified: RecordResult,
  domain: Domain,
  resolvers: readonly string[],
): Promise<RecordResult> {
  const subjects = [mailOf(domain.name, domain, {})];
  const result = await checkSubjects(context, subjects, {}, resolvers);
  const { ok, summary } = deepReply(result);
  const findings = section<DomainFinding>({
    title: 'Findings',
    field: 'deep.findings',
    stacked: true,
    columns: deepColumns,
    rows: result.findings,
    empty: '',
  });
  return {
    ...verified,
    reply: { ...Object(verified.reply), deep: { ok, summary, findings: result.findings } },
    sections: [...(verified.sections ?? []), ...(result.findings.length === 0 ? [] : [findings])],
    failure: deepFailure(result),
  };
}
