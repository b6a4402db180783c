import type { Context } from '../../../command-line/command/context.ts';
import { writeRows } from '../../../people/rows/results-file.ts';
import type { BulkFlags } from '../flags.ts';
import type { OpenRun } from '../journal/run-store.ts';
import type { RowResult } from './run-shapes.ts';

/** The files that sending emails reads, by flag. */
export function filesOfEmails(flags: BulkFlags, input: string) {
  return [
    ['FILE', input],
    ['--text-file', flags.textFile],
    ['--html-file', flags.htmlFile],
    ['--markdown-file', flags.markdownFile],
    ['--mjml-file', flags.mjmlFile],
    ['--react-email', flags.reactEmail],
    ['--layout', flags.layout],
    ['--vars-file', flags.varsFile],
    ...(flags.attach ?? []).map((path) => ['--attach', path] as const),
  ] as const;
}

/** Writes a line for each row of a run of emails; CSV has columns of the last events if these are known. */
export async function writeResults(
  context: Context,
  run: Pick<OpenRun, 'name' | 'header'>,
  path: string,
  rows: Iterable<RowResult>,
  hasEvents = false,
): Promise<void> {
  const { redirect } = run.header;
  await writeRows(context, run, path, {
    rows,
    header: [
      ...['row', 'to', 'emailId', 'error', 'message'],
      ...(redirect === undefined ? [] : ['redirectedTo']),
      ...(hasEvents ? ['lastEvent', 'lastEventAt', 'reason'] : []),
    ],
    cells: ({ row, to, emailId = '', error, redirectedTo = '', ...last }) => [
      ...[String(row), to, emailId],
      ...[error?.code ?? '', error?.message ?? ''],
      ...(redirect === undefined ? [] : [redirectedTo]),
      ...(hasEvents ? [last.lastEvent ?? '', last.lastEventAt ?? '', last.reason ?? ''] : []),
    ],
  });
}
