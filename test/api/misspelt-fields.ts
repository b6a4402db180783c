import type { OperationId, Reply } from '../../src/api/operations.ts';
import type { StatusReply } from '../../src/json-schemas/sandbox.ts';
import type { ReportDocument } from '../../src/lib/domains/dmarc-reports/report-shapes.ts';
import type { DeepReply } from '../../src/lib/domains/domain/deep/deep-shapes.ts';
import type { Findings } from '../../src/lib/domains/domain/findings-shapes.ts';
import type { CheckReply } from '../../src/lib/mail/check/check-shapes.ts';
import type { RunLabel } from '../../src/lib/runs/bulk/journal/run-label.ts';
import type { Deliveries, RowResult, ShownRun } from '../../src/lib/runs/bulk/show/run-shapes.ts';
import type { RunningSandbox } from '../../src/local-service/sandbox-mark.ts';

// Nothing runs this file: `npm run typecheck` reads it. A misspelt field, or one that only another response has, must not
// compile, though unknown fields are kept and printed.

/** Each line misspells a field. If its type allows that, the comment above it is an error. */
export function misspelt(
  reply: <Id extends OperationId>(id: Id) => Reply<Id>,
  printed: {
    readonly label: RunLabel;
    readonly run: ShownRun;
    readonly row: RowResult;
    readonly deliveries: Deliveries;
    readonly report: ReportDocument;
    readonly findings: Findings;
    readonly deep: DeepReply;
    readonly check: CheckReply;
    readonly status: StatusReply;
    readonly sandbox: RunningSandbox;
  },
) {
  return [
    // @ts-expect-error
    reply('email.get').latestStatus,
    // @ts-expect-error
    reply('email.get').emailEvents[0]?.state,
    // @ts-expect-error
    reply('email.list').data[0]?.latestStatuss,
    // @ts-expect-error
    reply('email.send').id,
    // @ts-expect-error
    reply('campaign.get').hardBounces,
    // @ts-expect-error
    reply('campaign.list').campaigns[0]?.bounced,
    // @ts-expect-error
    reply('contact.list')[0]?.isSubscribed,
    // @ts-expect-error
    reply('contactBook.get')._count?.contact,
    // @ts-expect-error
    reply('domain.get').dnsRecords[0]?.recomended,
    // @ts-expect-error
    reply('reputation.events')[0]?.state,
    // @ts-expect-error
    reply('reputation.status').thresholds?.blocked,
    // @ts-expect-error
    reply('template.list')[0]?.html,
    // @ts-expect-error
    reply('segment.list')[0]?.rules?.conditions?.[0]?.operator,
    // @ts-expect-error
    reply('stats.byDay').totalCounts?.delivery,
    // @ts-expect-error
    reply('account.get').team,
    // @ts-expect-error
    printed.label.account.service,
    // @ts-expect-error
    printed.run.refused,
    // @ts-expect-error
    printed.row.error?.reason,
    // @ts-expect-error
    printed.deliveries.groups[0]?.count,
    // @ts-expect-error
    printed.report.rows[0]?.dkim,
    // @ts-expect-error
    printed.findings.records[0]?.state,
    // @ts-expect-error
    printed.deep.domains[0]?.mailfrom,
    // @ts-expect-error
    printed.check.findings[0]?.level,
    // @ts-expect-error
    printed.status.port,
    // @ts-expect-error
    printed.sandbox.smtp,
  ];
}

/** Whether a type, however deep, has fields of its own and beside them any other. */
type IsOpen<Value> = Value extends readonly (infer Item)[]
  ? IsOpen<Item>
  : Value extends object
    ?
        | (string extends keyof Value ? HasNames<Value> : false)
        | { [Name in keyof Value]-?: IsOpen<Value[Name]> }[keyof Value]
    : false;

type HasNames<Value> = keyof {
  [Name in keyof Value as string extends Name ? never : Name]: true;
} extends never
  ? false
  : true;

type None<Value extends never> = Value;

/** No operation, however new, has a response in which any field can be read. */
export type NoOpenReply = None<
  { [Id in OperationId]: true extends IsOpen<Reply<Id>> ? Id : never }[OperationId]
>;

type Loose = { id: string; [name: string]: unknown };

// @ts-expect-error The check can fail.
export type OpenReply = None<true extends IsOpen<{ data: Loose[] | null }> ? 'data' : never>;
