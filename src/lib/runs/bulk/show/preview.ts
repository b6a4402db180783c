import type { SendBody } from '../../../../api/email.ts';
import { PolicyError, UsageError } from '../../../base/errors.ts';
import type { Context } from '../../../command-line/command/context.ts';
import { cellOf } from '../../../command-line/output/cells.ts';
import { valueAt } from '../../../command-line/output/fields.ts';
import { list, type Result } from '../../../command-line/output/result.ts';
import { htmlReader } from '../../../mail/content/html-reader.ts';
import { openPreview, previewNote } from '../../../mail/content/preview-page.ts';
import { previewFields, refuseBeside } from '../../../mail/email/write/preview-email.ts';
import { readEmailRows } from '../../../people/rows/email-rows.ts';
import { openInput } from '../../../people/rows/open-input.ts';
import { createRowFindings } from '../../../people/rows/row-findings.ts';
import { emailUnder } from '../../../service/policy/email-under.ts';
import type { BulkFlags } from '../flags.ts';
import { type CommonRequest, readCommon } from '../prepare/common.ts';
import {
  type Common,
  emailOfRow,
  recipientKey,
  recipientsInWords,
} from '../prepare/email-of-row.ts';
import { createRowColumns } from '../prepare/row-columns.ts';
import { takenBy } from '../prepare/template-names.ts';
import { skippedInWords, warnings } from './summary.ts';

/** Flags about sending, which do not apply to a preview. */
const aboutSending = [
  ...['results', 'wait', 'waitTimeout', 'again', 'resendUnknown', 'shard', 'rate', 'concurrency'],
] as const satisfies readonly (keyof BulkFlags)[];

const headers = { row: 'Row', ...previewFields } as const;

/** An email as it would be sent, and its row. */
type Previewed = SendBody & { readonly row: number };

/**
 * Shows the first emails, and reads no more of the file than it needs. Throws a `UsageError` for flags about
 * sending, and for a row that cannot be sent, unless such rows are skipped.
 */
export async function previewFile(
  context: Context,
  flags: BulkFlags,
  path: string,
  most: number,
): Promise<Result> {
  refuseBeside('--preview', flags, aboutSending);
  const request = await readCommon(context, flags);
  const common = await request.common(flags.allowPast === true);
  const { emails, findings, name } = await firstEmails(context, flags, {
    ...{ path, most, request, common },
  }).finally(() => common.body?.end());
  for (const lines of warnings(findings.found(), flags.unique === true))
    context.notes.warn(...lines);
  if (flags.open === true) {
    await openPreview(context, emails, `Preview of ${name}`);
  }
  const read = await htmlReader();
  return list<Previewed>({
    failure:
      common.refused ??
      (flags.check === true
        ? await checkPreviewed(context, emails, flags.literal === true)
        : undefined),
    pages: [{ rows: emails }],
    stacked: true,
    columns: Object.entries(headers).map(([field, header]) => ({
      field,
      header,
      cell: (email) => (field === 'html' ? read(email.html) : cellOf(valueAt(email, field))),
    })),
    id: ({ row }) => String(row),
    empty: `${name} contains no emails`,
    note: () => previewNote,
  });
}

interface First {
  readonly path: string;
  readonly most: number;
  readonly request: CommonRequest;
  readonly common: Common;
}

async function firstEmails(
  context: Context,
  flags: BulkFlags,
  { path, most, request, common }: First,
) {
  const input = await openInput(path, context);
  const emails: Previewed[] = [];
  const firstRows = new Map<string, number>();
  const findings = createRowFindings();
  const columns = createRowColumns(flags, request.explicit, request.usedNames());
  const names = request.names();
  const skipped = { optedOut: 0, unanswered: 0 };
  const { choices } = columns;
  const named = request.givesRecipients ? undefined : context;
  for await (const row of takenBy(names, readEmailRows(input, choices, named), common)) {
    const { unwanted } = columns.take(row);
    if (unwanted !== undefined) {
      skipped[unwanted.isNo ? 'optedOut' : 'unanswered']++;
      continue;
    }
    let given: SendBody;
    let email: SendBody;
    try {
      given = await emailOfRow(row, common);
      ({ email } = emailUnder(request.policy, given));
    } catch (error) {
      if (!(error instanceof UsageError || error instanceof PolicyError)) throw error;
      const { problem } = findings.invalid(row.number, error);
      const message = `row ${row.number}: ${problem}`;
      if (flags.skipInvalid === true || flags.maxInvalid !== undefined) continue;
      throw error instanceof PolicyError
        ? new PolicyError(message, error.details)
        : new UsageError(message);
    }
    const key = recipientKey(given);
    const earlier = firstRows.get(key);
    if (earlier === undefined) firstRows.set(key, row.number);
    else {
      findings.repeated(row.number, recipientsInWords(given), earlier);
      if (flags.unique === true) continue;
    }
    emails.push({ row: row.number, ...email });
    if (emails.length === most) break;
  }
  columns.end(input.name, context);
  if (skipped.optedOut + skipped.unanswered > 0) context.notes.say(skippedInWords(skipped));
  for (const line of names.end(emails.length < most)) context.notes.warn(line);
  return { emails, findings, name: input.name };
}

async function checkPreviewed(context: Context, emails: readonly Previewed[], literal: boolean) {
  const { checkOutgoing } = await import('../../../mail/check/before-sending.ts');
  const outgoing = emails.map(({ row, ...fields }) => ({ fields, name: `row ${row}` }));
  return await checkOutgoing(context, outgoing, { kind: 'email', literal });
}
