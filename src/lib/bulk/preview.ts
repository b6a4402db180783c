import type { SendBody } from '../../api/email.ts';
import type { Context } from '../context.ts';
import { emailPage } from '../email/page.ts';
import { UsageError } from '../errors.ts';
import { list, type Result } from '../output/result.ts';
import { readCommon } from './common.ts';
import { emailOfRow } from './email-of-row.ts';
import type { BulkFlags } from './flags.ts';
import { openInput } from './input/open-input.ts';
import { readRows } from './input/read-rows.ts';
import type { InputRow, RowGroups } from './input/row.ts';

/** An email as it would go out, and the row it is made of. */
type Previewed = SendBody & { readonly row: number };

/** Shows the emails of the first rows as they would go out. Reads no more of the file than these. */
export async function previewFile(
  context: Context,
  flags: BulkFlags,
  path: string,
  most: number,
): Promise<Result> {
  const request = await readCommon(context, flags);
  const common = await request.common(flags.allowPast === true);
  const input = await openInput(path, context.system);
  const emails: Previewed[] = [];
  for await (const row of firstOf(readRows(input), most)) {
    const named = (problem: string) => new UsageError(`row ${row.number}: ${problem}`);
    if ('problem' in row) throw named(row.problem);
    const email = await emailOfRow(row, common).catch((error: unknown) => {
      throw error instanceof UsageError ? named(error.message) : error;
    });
    emails.push({ row: row.number, ...email });
  }
  if (flags.open === true) {
    const page = await context.system.openPage(emailPage(emails, `Preview of ${input.name}`));
    context.notes.say(`Opened ${page}`);
  }
  return list<Previewed>({
    pages: [{ reply: emails, rows: emails }],
    rowsIn: undefined,
    stacked: true,
    columns: [
      { field: 'row', header: 'Row', cell: ({ row }) => row },
      { field: 'to', header: 'To', cell: ({ to }) => to },
      { field: 'from', header: 'From', cell: ({ from }) => from },
      { field: 'subject', header: 'Subject', cell: ({ subject }) => subject },
      { field: 'templateId', header: 'Template', cell: ({ templateId }) => templateId },
      {
        field: 'variables',
        header: 'Variables',
        cell: ({ variables }) => (variables === undefined ? undefined : JSON.stringify(variables)),
      },
      { field: 'scheduledAt', header: 'Scheduled', cell: ({ scheduledAt }) => scheduledAt },
      { field: 'text', header: 'Text', cell: ({ text }) => text },
      { field: 'html', header: 'HTML', cell: ({ html }) => html },
    ],
    id: ({ row }) => String(row),
    empty: `${input.name} holds no emails`,
    note: () => 'A preview: nothing was sent.',
  });
}

async function* firstOf(groups: RowGroups, most: number): AsyncGenerator<InputRow> {
  let left = most;
  for await (const rows of groups) {
    yield* rows.slice(0, left);
    left -= rows.length;
    if (left <= 0) return;
  }
}
