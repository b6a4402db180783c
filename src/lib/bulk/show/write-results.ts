import type { Context } from '../../command/context.ts';
import { writeRows } from '../../rows/results-file.ts';
import type { BulkFlags } from '../flags.ts';
import type { OpenRun } from '../journal/run-store.ts';
import { rowResults } from './row-results.ts';

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

/** Writes a line for each row of a run of emails. */
export async function writeResults(context: Context, run: OpenRun, path: string): Promise<void> {
  await writeRows(context, run, path, {
    rows: rowResults(run),
    header: [
      'row',
      'to',
      'emailId',
      'error',
      'message',
      ...(run.header.redirect === undefined ? [] : ['redirectedTo']),
    ],
    cells: ({ row, to, emailId = '', error, redirectedTo = '' }) => [
      ...[String(row), to, emailId],
      ...[error?.code ?? '', error?.message ?? ''],
      ...(run.header.redirect === undefined ? [] : [redirectedTo]),
    ],
  });
}
