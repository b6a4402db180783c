import type { SendBody } from '../../../../api/email.ts';
import { problemOf, toError, UsageError } from '../../../base/errors.ts';
import { parseAddresses } from '../../../base/input/addresses.ts';
import { quantity } from '../../../base/text/quantity.ts';
import type { Context } from '../../../command-line/command/context.ts';
import type { Result } from '../../../command-line/output/result.ts';
import { sendAndShow } from '../../../mail/email/send/send-and-show.ts';
import { refuseBeside } from '../../../mail/email/write/preview-email.ts';
import { waive } from '../../../mail/message/gate.ts';
import { columnChoices } from '../../../people/rows/column-choices.ts';
import { readEmailRows } from '../../../people/rows/email-rows.ts';
import { openInput } from '../../../people/rows/open-input.ts';
import type { ReadableRow } from '../../../people/rows/row.ts';
import { emailUnder } from '../../../service/policy/email-under.ts';
import type { BulkFlags } from '../flags.ts';
import { readCommon } from '../prepare/common.ts';
import { emailOfRow } from '../prepare/email-of-row.ts';
import { namesOfStored } from '../prepare/template-names.ts';

/** Flags about a run, which a test is not. */
const aboutRuns = [
  ...['preview', 'open', 'results', 'wait', 'waitTimeout', 'again', 'resendUnknown', 'shard'],
] as const satisfies readonly (keyof BulkFlags | 'open')[];

/**
 * Sends the email of one row to `--to` alone, now, under a key of its own: the run of the file, if there is one, neither
 * changes nor knows of it. Throws a `UsageError` for flags about runs, and for a row that cannot be sent.
 */
export async function sendTestOfRow(
  context: Context,
  given: BulkFlags,
  path: string,
  number: number,
): Promise<Result> {
  refuseBeside('--row', given, aboutRuns);
  const { cc: _, bcc: __, scheduledAt: ___, ...flags } = given;
  const to = recipientsOf(flags);
  const request = await readCommon(context, flags);
  const row = await rowNumbered(context, flags, path, number);
  const names = request.names();
  const common = await request.common(true);
  const make = async () => {
    names.take(row, await namesOfStored(row, common));
    for (const line of names.end(false, true)) context.notes.warn(line);
    return await emailOfRow(row, common).catch((error: unknown) => {
      if (!(error instanceof UsageError)) throw error;
      throw toError({ ...problemOf(error), message: `row ${number}: ${error.message}` });
    });
  };
  const email = await make().finally(() => common.body?.end());
  if (email.templateId === undefined) request.refuseUnused();
  const body: SendBody = { ...email, to };
  if (flags.check === true) {
    const { checkBeforeSending } = await import('../../../mail/check/before-sending.ts');
    await checkBeforeSending(context, [{ fields: body }], {
      kind: 'email',
      literal: flags.literal === true,
    });
  }
  const examined = emailUnder(request.policy, body);
  const who = [examined.email.to].flat().join(', ');
  await context.prompts.confirm(`Send a test of row ${number} to ${who}?`);
  const { idempotencyKey, expect } = flags;
  const sending = { idempotencyKey, expect, wait: undefined, examined };
  // The row passed the gate when its email was made.
  const passed = waive('passed before');
  return await sendAndShow(context, { body, passed, settled: {} }, sending);
}

function recipientsOf({ to = [] }: Pick<BulkFlags, 'to'>): SendBody['to'] {
  if (to.length === 0) throw new UsageError('--row needs --to, the address that gets the test');
  if (to.some((one) => /\{[{%]/.test(one))) {
    throw new UsageError(
      '--to: with --row, it is the address that gets the test, and has no placeholders',
    );
  }
  return parseAddresses(to, '--to');
}

/** A row of the file, without its own recipients and time. */
async function rowNumbered(
  context: Context,
  flags: BulkFlags,
  path: string,
  number: number,
): Promise<ReadableRow> {
  const input = await openInput(path, context);
  const choices = columnChoices(flags);
  let rows = 0;
  for await (const row of readEmailRows(input, choices, undefined)) {
    rows = row.number;
    if (rows !== number) continue;
    if ('problem' in row) throw new UsageError(`row ${number}: ${row.problem}`);
    choices.see(row.columns);
    choices.refuseUnseen(input.name);
    const { to: _, cc: __, bcc: ___, scheduledAt: ____, ...fields } = row.fields;
    return { ...row, fields };
  }
  throw new UsageError(`${input.name} has ${quantity(rows, 'row')}, so no row ${number}`);
}
